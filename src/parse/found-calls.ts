/**
 * Which of the calls that stand in a reply counts: those that the agent means as its own must all ask for the same, and the last must
 * be the reply's last word. In go the raw content and its parts, out comes a reading. What `json` and `tools` share.
 */
import { LIMITS } from '../base/limits.js';
import { oneLine } from '../base/text.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { CallReading } from './call.js';
import { callOf, onlyCall } from './call.js';
import { findObjects } from './objects.js';
import type { Vocabulary } from './protocol.js';
import type { Reading, Rung, Span } from './reading.js';
import { isLast, isOwnAt } from './surroundings.js';

export interface FoundCall extends Span {
  readonly call: CallReading;
}

export interface CallRules {
  readonly rung: Rung;
  /** How an answer of the protocol ends, as a whole sentence. */
  readonly ending: string;
  /** Calls already found, by other marks than braces. */
  readonly named: readonly FoundCall[];
}

export function refusedReading(reason: Problem): Reading {
  return { ok: false, problem: reason, rung: null, span: null };
}

export function tooManyObjects(): Problem {
  const message = `Your reply holds more than ${LIMITS.replyCandidates} answers. Give exactly one.`;
  return problem('ambiguous', message);
}

/** The reading of the calls in the parts of a reply that may hold the answer. */
export function readCalls(
  content: string,
  parts: readonly Span[],
  vocabulary: Vocabulary,
  rules: CallRules,
): Reading {
  const { objects, isBroken } = findObjects(content, parts);
  if (objects.length > LIMITS.replyCandidates) return refusedReading(tooManyObjects());
  const free = objects.filter(
    (one) => !rules.named.some((call) => call.start <= one.start && one.start < call.end),
  );
  const found = free.flatMap(({ start, end, value }) => {
    const call = callOf(value, vocabulary);
    return call === null ? [] : [{ start, end, call }];
  });
  const calls = [...rules.named, ...found].toSorted((a, b) => a.start - b.start);
  const last = calls.at(-1);
  if (last === undefined) return refusedReading(noCall(objects.length > 0, isBroken, rules.ending));
  const own = calls.filter(({ start }) => isOwn(content, parts, start, vocabulary));
  const stray = own.includes(last) ? strayProblem(content, parts, last.end) : notOwn();
  const call: CallReading =
    stray === null ? (onlyCall(own.map((one) => one.call)) ?? last.call) : { ok: false, problem: stray };
  return readingOf(call, rules.rung, content, { start: last.start, end: last.end });
}

function readingOf(call: CallReading, rung: Rung, content: string, span: Span): Reading {
  if (!call.ok) return { ok: false, problem: call.problem, rung, span };
  return { ok: true, command: call.command, rung, span, words: oneLine(content.slice(span.start, span.end)) };
}

function isOwn(content: string, parts: readonly Span[], start: number, vocabulary: Vocabulary): boolean {
  const part = parts.find((one) => one.start <= start && start < one.end);
  return part !== undefined && isOwnAt(content, part, start, vocabulary);
}

function strayProblem(content: string, parts: readonly Span[], end: number): Problem | null {
  if (isLast(content, parts, end)) return null;
  return problem('ambiguous', 'Something follows your answer. Nothing may stand after it.');
}

function notOwn(): Problem {
  return problem(
    'ambiguous',
    'The words before your answer leave in doubt whether you mean it. Let a finished sentence stand before it.',
  );
}

function noCall(hasObject: boolean, isBroken: boolean, ending: string): Problem {
  const other = hasObject ? 'Your JSON object names no action.' : 'I found no answer in your reply.';
  const told = isBroken ? 'Your JSON object is not well-formed.' : other;
  return problem('unparsable', `${told} ${ending}`);
}
