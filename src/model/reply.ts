/**
 * From a server's JSON to a Reply. Total: any JSON gives a reply or null, nothing throws, and whatever has a
 * wrong type counts as absent. Words are kept as they came, but well-formed and within limits; whether they may
 * act is `parse/`'s.
 */
import { LIMITS } from '../base/limits.js';
import type { Reply, ToolCall, Usage } from './chat.js';
import { member } from './fault.js';

/** Null where the JSON is no chat completion at all. An empty list of choices is an answer without words. */
export function toReply(body: unknown): Omit<Reply, 'adaptations' | 'latencyMs' | 'tries'> | null {
  const choices = member(body, 'choices');
  if (!Array.isArray(choices)) return null;
  const list = choices as readonly unknown[];
  const choice = list.find((item) => member(item, 'index') === 0) ?? list[0];
  const message = member(choice, 'message');
  const content = within(contentOf(member(message, 'content')));
  const finishReason = shortText(member(choice, 'finish_reason'));
  const reasoning = reasoningOf(message);
  return {
    content,
    reasoning,
    toolCalls: toolCallsOf(member(message, 'tool_calls')),
    // Cut by us: the end is not the model's, so it must not count as one.
    finishReason: isCut(contentOf(member(message, 'content'))) ? 'length' : finishReason,
    model: shortText(member(body, 'model')),
    usage: usageOf(member(body, 'usage')),
    raw: rawOf(body, [content, reasoning]),
  };
}

/** Fields in which servers write a message's words. */
const WORDS: readonly string[] = ['content', 'reasoning', 'reasoning_content'];

/** The body as JSON text, without the words that the reply holds already. */
function rawOf(body: unknown, told: readonly unknown[]): string {
  const text = jsonOf(body, (field, value) =>
    WORDS.includes(field) && told.includes(value) ? undefined : value,
  );
  if (text === null) return JSON.stringify({ omitted_bytes: null });
  const bytes = Buffer.byteLength(text);
  return bytes <= LIMITS.replyRawBytes ? text : JSON.stringify({ omitted_bytes: bytes });
}

/** Null where a value nests deeper than JSON can be written: a body can be read far deeper than that. */
function jsonOf(value: unknown, replacer: (field: string, value: unknown) => unknown): string | null {
  try {
    return JSON.stringify(value, replacer);
  } catch {
    return null;
  }
}

/** What no reader takes for arguments. */
const TOO_DEEP = '{';

/** Text, or the text parts of a list of parts; '' for anything else. */
function contentOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content
    .map((part: unknown) => member(part, 'text'))
    .filter((text) => typeof text === 'string');
  return texts.join('');
}

/** Newer vLLM, Ollama and OpenRouter say `reasoning`; llama.cpp, SGLang, LM Studio and older vLLM `reasoning_content`. */
function reasoningOf(message: unknown): string | null {
  const found = [member(message, 'reasoning'), member(message, 'reasoning_content')];
  const text = found.find((value) => typeof value === 'string' && value !== '');
  return typeof text === 'string' ? within(text) : null;
}

/** The native calls of a message's `tool_calls`; arguments that came as an object become text again. */
export function toolCallsOf(calls: unknown): readonly ToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.slice(0, LIMITS.toolCalls).flatMap((call: unknown) => {
    const called = member(call, 'function');
    const name = member(called, 'name');
    const args = member(called, 'arguments');
    if (typeof name !== 'string') return [];
    return [{ name: within(name), arguments: within(argumentsText(args)) }];
  });
}

/** Text by the standard; some servers give the object itself. */
function argumentsText(args: unknown): string {
  if (typeof args === 'string') return args;
  return typeof args === 'object' && args !== null ? (jsonOf(args, (_, value) => value) ?? TOO_DEEP) : '';
}

function usageOf(usage: unknown): Usage {
  const prompt = member(usage, 'prompt_tokens_details');
  const completion = member(usage, 'completion_tokens_details');
  return {
    promptTokens: count(member(usage, 'prompt_tokens')),
    completionTokens: count(member(usage, 'completion_tokens')),
    cachedTokens: count(member(prompt, 'cached_tokens')),
    // vLLM counts by kind of media, SGLang in a field of its own.
    imageTokens:
      count(member(member(prompt, 'multimodal_tokens'), 'image')) ?? count(member(prompt, 'image_tokens')),
    reasoningTokens: count(member(completion, 'reasoning_tokens')),
  };
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? Math.abs(value) : null;
}

const SHORT_CHARACTERS = 200;

function shortText(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, SHORT_CHARACTERS).toWellFormed() : null;
}

const room = new Uint8Array(LIMITS.replyBytes);

/** Well-formed text of at most LIMITS.replyBytes in UTF-8, never cut inside a character. */
function within(text: string): string {
  const clean = text.toWellFormed();
  return isCut(clean) ? clean.slice(0, new TextEncoder().encodeInto(clean, room).read) : clean;
}

function isCut(text: string): boolean {
  return text.length * 3 > LIMITS.replyBytes && Buffer.byteLength(text) > LIMITS.replyBytes;
}
