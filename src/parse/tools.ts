/**
 * The protocol `tools`: native tool calls. Several calls in one reply count only where all ask for the same. Where the server left the
 * call as text (no parser for its model), the text is read (`text-calls.ts`).
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
import type { Loose } from './loose-json.js';
import { wholeLoose } from './loose-json.js';
import { argumentsText, jsonString, objectLines } from './object-help.js';
import { grammarNow } from './offered-forms.js';
import type { ReplyText } from './page.js';
import { pageOf } from './page.js';
import type { Protocol, Vocabulary } from './protocol.js';
import type { Command, Reading } from './reading.js';
import { refusedReading } from './reading.js';
import { offeredSchema } from './schema.js';
import { calledName } from './named-calls.js';
import { readCalls } from './text-calls.js';

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

function read(reply: ReplyText, vocabulary: Vocabulary, told?: ReadonlySet<string>): Reading {
  const taken = pageOf(reply, ENDING);
  if (!taken.ok) return refusedReading(taken.problem);
  return reply.toolCalls.length > 0
    ? readNative(reply.toolCalls, vocabulary)
    : readCalls(taken.page, vocabulary, { rung: 'tool call', ending: ENDING, told });
}

function readNative(toolCalls: readonly ToolCall[], vocabulary: Vocabulary): Reading {
  const [first] = toolCalls;
  const calls = toolCalls.map((call) => nativeCall(call, vocabulary));
  const call = onlyCall(calls);
  if (first === undefined || call === null) return refusedReading(noCall());
  return call.ok
    ? { ok: true, command: call.command, rung: 'tool call', span: null, words: wordsOf(call.command) }
    : { ok: false, problem: call.problem, rung: 'tool call', span: null };
}

function wordsOf({ action, args }: Command): string {
  return `${action} ${argumentsText(args)}`;
}

function nativeCall(call: ToolCall, vocabulary: Vocabulary): CallReading {
  const written = call.arguments.length > LIMITS.answerCharacters ? '{' : call.arguments.trim();
  const value: Loose | undefined = written === '' ? null : wholeLoose(written);
  if (value === undefined) return { ok: false, problem: brokenArguments(call.name) };
  return namedCall(calledName(call.name), value, vocabulary);
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
