/**
 * From a server's JSON to a Reply. Total: any JSON gives a reply or null, nothing throws, and values of a
 * wrong type count as absent. Texts are kept as received, but well-formed and within limits; `parse/` decides
 * whether they may act.
 */
import { LIMITS } from '../base/limits.js';
import { NO_CHOICE, REFUSAL } from './chat.js';
import type { Reply, ToolCall } from './chat.js';
import { CACHED_AT, PICTURES_AT, REASONING_FIELDS } from './capabilities.js';
import { finishedAs } from './endings.js';
import { member, memberAt } from './fault.js';

/**
 * Null if the JSON is not a chat completion. If the model declined, the content has its words, and the finish
 * reason is `REFUSAL`; without a choice or a message, it is `NO_CHOICE`.
 */
export function toReply(body: unknown): Omit<Reply, 'adaptations' | 'latencyMs' | 'tries'> | null {
  const choices = member(body, 'choices');
  if (!Array.isArray(choices)) return null;
  const list = choices as readonly unknown[];
  const choice = list.find((item) => member(item, 'index') === 0) ?? list[0];
  const message = member(choice, 'message');
  const refusal = refusalOf(message);
  const written = member(message, 'content');
  const ownWords = typeof written === 'string' ? written : partsOf(written, isText);
  const words = [ownWords, refusal].filter((text) => text !== '').join('\n');
  const content = withinLimit(words);
  const reasoning = reasoningOf(message) ?? (partsOf(written, isThought) || null);
  const usage = member(body, 'usage');
  return {
    content,
    reasoning,
    toolCalls: [
      ...toolCallsOf(member(message, 'tool_calls')),
      // The format from before there could be several.
      ...toolCallsOf([{ function: member(message, 'function_call') }]),
    ],
    // We cut long ones: their end is not the model's, so it must not count as a proper one.
    finishReason: isCut(words) ? 'length' : endOf(choice, refusal !== ''),
    model: shortText(member(body, 'model')),
    usage: {
      promptTokens: count(member(usage, 'prompt_tokens')),
      completionTokens: count(member(usage, 'completion_tokens')),
      cachedTokens: firstCount(usage, CACHED_AT),
      imageTokens: firstCount(usage, PICTURES_AT),
      reasoningTokens: count(memberAt(usage, 'completion_tokens_details.reasoning_tokens')),
    },
    raw: rawOf(body, [content, reasoning]),
  };
}

function endOf(choice: unknown, isRefusal: boolean): string | null {
  const message = member(choice, 'message');
  if (typeof message !== 'object' || message === null) return NO_CHOICE;
  return isRefusal ? REFUSAL : finishedAs(shortText(member(choice, 'finish_reason')));
}

/** What the model said when it declined, in its own field or as parts of the content; '' if it did not. */
function refusalOf(message: unknown): string {
  const refusal = member(message, 'refusal');
  const parts = partsOf(member(message, 'content'), (type) => type === 'refusal');
  return typeof refusal === 'string' && refusal !== '' ? refusal : parts;
}

/** The fields in which servers put a message's text. */
const TEXT_FIELDS: readonly string[] = ['content', ...REASONING_FIELDS];

/** The body as JSON text, without the texts that the reply already contains. */
function rawOf(body: unknown, storedTexts: readonly unknown[]): string {
  const text = jsonOf(body, (field, value) =>
    TEXT_FIELDS.includes(field) && storedTexts.includes(value) ? undefined : value,
  );
  if (text === null) return JSON.stringify({ omitted_bytes: null });
  const bytes = Buffer.byteLength(text);
  return bytes <= LIMITS.replyRawBytes ? text : JSON.stringify({ omitted_bytes: bytes });
}

/**
 * Null if a value is nested too deeply to be written as JSON: a body that is much deeper can still be parsed.
 */
function jsonOf(value: unknown, replacer: (field: string, value: unknown) => unknown): string | null {
  try {
    return JSON.stringify(value, replacer);
  } catch {
    return null;
  }
}

/** A text that no parser accepts as arguments. */
const TOO_DEEP = '{';

/** The texts of the parts with an accepted type, joined. */
function partsOf(content: unknown, isWanted: (type: unknown) => boolean): string {
  if (!Array.isArray(content)) return '';
  const texts = content
    .filter((part: unknown) => isWanted(member(part, 'type')))
    .map(partText)
    .filter((text) => typeof text === 'string');
  return withinLimit(texts.join(''));
}

/**
 * The text of a part of text, reasoning or refusal: its field has the name of its type, or it is a list of parts
 * itself.
 */
function partText(part: unknown): unknown {
  const values = ['text', 'thinking', 'reasoning', 'summary', 'refusal'].map((field) => member(part, field));
  const value = values.find((one) => one !== undefined);
  if (!Array.isArray(value)) return value;
  const texts = value.map((one: unknown) => member(one, 'text'));
  return texts.filter((text) => typeof text === 'string').join('');
}

/** A part without a type is text. */
function isText(type: unknown): boolean {
  return type === undefined || type === 'text' || type === 'output_text';
}

function isThought(type: unknown): boolean {
  return typeof type === 'string' && /^(?:reasoning|thinking|thought)/.test(type);
}

function reasoningOf(message: unknown): string | null {
  const values = REASONING_FIELDS.map((field) => member(message, field));
  const text = values.find((value) => typeof value === 'string' && value !== '');
  return typeof text === 'string' ? withinLimit(text) : null;
}

/** The native calls of a message's `tool_calls`; arguments that came as an object become text again. */
function toolCallsOf(calls: unknown): readonly ToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.slice(0, LIMITS.toolCalls).flatMap((call: unknown) => {
    const fn = member(call, 'function');
    const name = member(fn, 'name');
    const args = member(fn, 'arguments');
    if (typeof name !== 'string') return [];
    return [{ name: withinLimit(name), arguments: withinLimit(argumentsText(args)) }];
  });
}

/** Text according to the standard; some servers return the object itself. */
function argumentsText(args: unknown): string {
  if (typeof args === 'string') return args;
  return typeof args === 'object' && args !== null ? (jsonOf(args, (_, value) => value) ?? TOO_DEEP) : '';
}

function firstCount(usage: unknown, paths: readonly string[]): number | null {
  return paths.map((at) => count(memberAt(usage, at))).find((found) => found !== null) ?? null;
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? Math.abs(value) : null;
}

const SHORT_CHARACTERS = 200;

function shortText(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, SHORT_CHARACTERS).toWellFormed() : null;
}

const utf8Buffer = new Uint8Array(LIMITS.replyBytes);

/** Well-formed text of at most LIMITS.replyBytes in UTF-8, never cut inside a character. */
function withinLimit(text: string): string {
  const clean = text.toWellFormed();
  return isCut(clean) ? clean.slice(0, new TextEncoder().encodeInto(clean, utf8Buffer).read) : clean;
}

function isCut(text: string): boolean {
  return text.length * 3 > LIMITS.replyBytes && Buffer.byteLength(text) > LIMITS.replyBytes;
}
