/**
 * The protocol `tools`: native tool calls. Several calls in one reply count only where all ask for the same. Where the server left the
 * call as text (no parser for its model), the text is read: `<tool_call>{…}`, `[TOOL_CALLS]…`, `<function=…>` or a bare object.
 */
import { LIMITS } from '../base/limits.js';
import { quoted } from '../base/text.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { OfferedAction } from '../environment/observation.js';
import type { RequestForm, ToolCall, ToolSpec } from '../model/chat.js';
import type { CallReading } from './call.js';
import { namedCall, onlyCall } from './call.js';
import { guidedParameters } from './guided.js';
import type { ReplyText } from './intake.js';
import { takeIn } from './intake.js';
import type { FoundCall } from './found-calls.js';
import { readCalls, refusedReading, tooManyObjects } from './found-calls.js';
import type { Loose, LooseReading } from './loose-json.js';
import { readLoose, wholeLoose } from './loose-json.js';
import { argumentsText, jsonString, objectLines } from './object-help.js';
import type { Protocol, Vocabulary } from './protocol.js';
import type { Command, Reading, Span } from './reading.js';
import { grammarNow } from './offered-forms.js';
import { offeredSchema } from './schema.js';

export const toolsProtocol: Protocol = {
  name: 'tools',
  instructions,
  actionLines: objectLines,
  form,
  replyText: ({ command }) => callText(command),
  repair: ({ message }) => `${message} Call the one tool that you meant, and write nothing else.`,
  read,
};

const ENDING = 'Call exactly one tool.';

/** An answer as text: what a server without tools of its own would have written. */
export function callText({ action, args }: Command): string {
  return `<tool_call>\n{"name": ${jsonString(action)}, "arguments": ${argumentsText(args)}}\n</tool_call>`;
}

function instructions(vocabulary: Vocabulary): string {
  const free = vocabulary.filter(({ cost }) => cost === 'free').map(({ name }) => name);
  return [
    'How to answer: think in one to three short sentences, then call exactly one of your tools. One call a reply. Name things as they are named to you.',
    ...(free.length === 0 ? [] : [`These cost no turn: ${free.join(', ')}.`]),
  ].join('\n');
}

/** One tool per offered action; its parameters list the names that fit now. */
function form(vocabulary: Vocabulary, offered: readonly OfferedAction[]): RequestForm {
  return { tools: offered.flatMap((offer) => toolOf(vocabulary, offer) ?? []), guided: null };
}

function toolOf(vocabulary: Vocabulary, offer: OfferedAction): ToolSpec | null {
  const { action, slots } = offer;
  const known = vocabulary.find(({ name }) => name === action);
  if (known === undefined) return null;
  const { name, description, grammar } = known;
  return {
    name,
    description,
    parameters: offeredSchema(grammarNow(grammar, offer), slots),
    get guidedParameters() {
      return guidedParameters(vocabulary, offer);
    },
  };
}

function read(reply: ReplyText, vocabulary: Vocabulary): Reading {
  const taken = takeIn(reply, ENDING);
  if (!taken.ok) return refusedReading(taken.problem);
  return reply.toolCalls.length > 0
    ? readNative(reply.toolCalls, vocabulary)
    : readText(reply.content, taken.parts, vocabulary);
}

function readNative(toolCalls: readonly ToolCall[], vocabulary: Vocabulary): Reading {
  const [first] = toolCalls;
  const calls = toolCalls.map((call) => nativeCall(call, vocabulary));
  const call = onlyCall(calls);
  if (first === undefined || call === null) return refusedReading(noCall());
  return call.ok
    ? { ok: true, command: call.command, rung: 'tool-call', span: null, words: wordsOf(call.command) }
    : { ok: false, problem: call.problem, rung: 'tool-call', span: null };
}

function wordsOf({ action, args }: Command): string {
  return `${action} ${argumentsText(args)}`;
}

/** Name spaces and control tokens that servers leave at a tool's name. */
const NAME = /^(?:functions|tools|default_api)[.:]|<\|.*$/g;

function nativeCall(call: ToolCall, vocabulary: Vocabulary): CallReading {
  const written = call.arguments.length > LIMITS.answerCharacters ? '{' : call.arguments.trim();
  const value: Loose | undefined = written === '' ? null : wholeLoose(written);
  if (value === undefined) return { ok: false, problem: brokenArguments(call.name) };
  return namedCall(call.name.trim().replace(NAME, ''), value, vocabulary);
}

function brokenArguments(name: string): Problem {
  return problem(
    'bad-argument',
    `The arguments of your call of ${quoted(name, 60)} are not one well-formed JSON object.`,
  );
}

function noCall(): Problem {
  return problem('unparsable', `I found no tool call in your reply. ${ENDING}`);
}

/** Calls that were left in the text: those that name a tool beside an object, and objects that hold both. */
function readText(content: string, parts: readonly Span[], vocabulary: Vocabulary): Reading {
  const named = namedCalls(content, parts, vocabulary);
  if (named.length > LIMITS.replyCandidates) return refusedReading(tooManyObjects());
  return readCalls(content, parts, vocabulary, { rung: 'tool-call', ending: ENDING, named });
}

const NAMED =
  /<function=["']?([A-Za-z_.]{1,60})["']?>\s{0,80}|\[TOOL_CALLS\]\s{0,80}([A-Za-z_.]{1,60})(?:\[ARGS\])?\s{0,80}(?=\{)/g;

/** At most one more than LIMITS.replyCandidates. */
function namedCalls(content: string, parts: readonly Span[], vocabulary: Vocabulary): readonly FoundCall[] {
  const found: FoundCall[] = [];
  for (const part of parts) {
    for (const match of content.slice(part.start, part.end).matchAll(NAMED)) {
      found.push(namedCallAt(content, part, match, vocabulary));
      if (found.length > LIMITS.replyCandidates) return found;
    }
  }
  return found;
}

function namedCallAt(content: string, part: Span, match: RegExpExecArray, vocabulary: Vocabulary): FoundCall {
  const start = part.start + match.index;
  const body = start + match[0].length;
  const name = match[1] ?? match[2] ?? '';
  const input =
    content[body] === '{' ? readLoose(content, body, part.end) : readParameters(content, body, part.end);
  const call: CallReading = input.ok
    ? namedCall(name.replace(NAME, ''), input.value, vocabulary)
    : { ok: false, problem: brokenArguments(name) };
  return { start, end: input.ok ? input.end : body, call };
}

const PARAMETER = /<parameter=["']?([A-Za-z_]{1,40})["']?>([^<]*)<\/parameter>/g;

/** `<parameter=thing>brass key</parameter>` … up to the end of the call. */
function readParameters(content: string, start: number, limit: number): LooseReading {
  const close = content.indexOf('</function>', start);
  if (close < 0 || close > limit) return { ok: false, at: start };
  const body = content.slice(start, close);
  const fields = new Map<string, Loose>();
  for (const [, key = '', value = ''] of body.matchAll(PARAMETER)) {
    if (fields.has(key)) return { ok: false, at: start };
    fields.set(key, value.trim());
  }
  const isWhole = body.replace(PARAMETER, '').trim() === '';
  return isWhole ? { ok: true, value: fields, end: close + '</function>'.length } : { ok: false, at: start };
}
