/**
 * The protocol `tools`: native tool calls. Several calls in one reply count only if all request the same. If
 * the server left the call in the text (because it has no parser for the model), the text is parsed
 * (`text-calls.ts`).
 */
import { LIMITS } from '../base/limits.js';
import { problem } from '../base/problem.js';
import { argumentsText } from '../forms/object-help.js';
import { toolsForm } from '../forms/tools-form.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import type { ToolCall } from '../model/chat.js';
import type { CallReading } from './call.js';
import { namedCall, onlyCall } from './call.js';
import type { LooseJson } from './loose-json.js';
import { wholeLoose } from './loose-json.js';
import { brokenArguments, calledName } from './named-calls.js';
import type { ReplyText } from './page.js';
import { pageOf } from './page.js';
import type { Protocol, ReplyOrigin } from './protocol.js';
import type { ReplyReading } from './reading.js';
import { refusedReading } from './reading.js';
import { readCalls } from './text-calls.js';

export const toolsProtocol: Protocol = { ...toolsForm, read };

const ENDING = 'Call exactly one tool.';

function read(reply: ReplyText, vocabulary: Vocabulary, origin?: ReplyOrigin): ReplyReading {
  const pageReading = pageOf(reply, ENDING);
  if (!pageReading.ok) return refusedReading(pageReading.problem);
  return reply.toolCalls.length > 0
    ? readNative(reply.toolCalls, vocabulary)
    : readCalls(pageReading.page, vocabulary, {
        rung: 'tool call',
        ending: ENDING,
        shownLines: origin?.shownLines,
      });
}

function readNative(toolCalls: readonly ToolCall[], vocabulary: Vocabulary): ReplyReading {
  const [first] = toolCalls;
  const calls = toolCalls.map((call) => nativeCall(call, vocabulary));
  const call = onlyCall(calls);
  if (first === undefined || call === null)
    return refusedReading(problem('unparsable', `I found no tool call in your reply. ${ENDING}`));
  return call.ok
    ? {
        ok: true,
        command: call.command,
        rung: 'tool call',
        span: null,
        words: `${call.command.action} ${argumentsText(call.command.args)}`,
      }
    : { ok: false, problem: call.problem, rung: 'tool call', span: null };
}

/**
 * Parsed instead of arguments that are too long: no valid JSON, so the call is refused like one with broken
 * JSON.
 */
const TOO_LONG = '{';

function nativeCall(call: ToolCall, vocabulary: Vocabulary): CallReading {
  const argumentsJson = call.arguments.length > LIMITS.answerCharacters ? TOO_LONG : call.arguments.trim();
  const value: LooseJson | undefined = argumentsJson === '' ? null : wholeLoose(argumentsJson);
  if (value === undefined) return { ok: false, problem: brokenArguments(call.name) };
  return namedCall(calledName(call.name), value, vocabulary);
}
