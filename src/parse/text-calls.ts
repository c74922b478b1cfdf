/**
 * Reads calls in a reply's text, for the protocols `json` and `tools`: JSON objects that name an action, and,
 * for `tools`, tool names followed by their arguments (`named-calls.ts`). In: a page; out: the reading of the
 * call that counts (`choice.ts`).
 */
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import { callOf } from './call.js';
import type { AnswerCandidate } from './choice.js';
import { chooseAnswer, readingOf, turnEnd } from './choice.js';
import type { FoundCall } from './named-calls.js';
import { namedCalls } from './named-calls.js';
import type { LooseObject } from './loose-json.js';
import { isLooseObject, readLoose } from './loose-json.js';
import type { ReplyPage } from './page.js';
import type { ReplyReading, ParseTier, TextSpan } from './reading.js';
import { refusedReading } from './reading.js';
import { isWithin } from './structure.js';

export interface CallRules {
  readonly rung: ParseTier;
  /** How an answer of the protocol ends, as a complete sentence. */
  readonly ending: string;
  /** Lines of the agent's observation. */
  readonly shownLines: ReadonlySet<string> | undefined;
}

export function readCalls(
  page: ReplyPage,
  vocabulary: Vocabulary,
  { rung, ending, shownLines }: CallRules,
): ReplyReading {
  const { content, parts } = page;
  const named = rung === 'tool call' ? namedCalls(content, parts, vocabulary) : [];
  const { objects, brokenAt } = findObjects(content, parts);
  const freeObjects = objects.filter(({ start }) => !isWithin(named, start));
  const objectCalls = freeObjects.flatMap(({ start, end, value }): FoundCall[] => {
    const call = callOf(value, vocabulary);
    return call === null ? [] : [{ start, end, call }];
  });
  const candidates = [...named.filter(({ start }) => !isWithin(objects, start)), ...objectCalls]
    .toSorted((a, b) => a.start - b.start)
    .map((one): AnswerCandidate => ({ ...one, at: openingOf(content, one.start), rung }));
  const choice = chooseAnswer(page, candidates, shownLines);
  if (choice === null) return refusedReading(noCall(objects.length > 0, brokenAt !== null, ending));
  if (!choice.ok) return refusedReading(choice.problem, rung);
  const { candidate } = choice;
  // An unreadable answer after it makes it unclear which one was meant.
  const isLast =
    brokenAt === null || brokenAt < candidate.end || turnEnd(page, candidate, shownLines) <= brokenAt;
  return isLast ? readingOf(page, candidate) : refusedReading(noCall(true, true, ending), rung);
}

/** What may open a call, directly before it: tags, brackets, a fence. */
const OPENING = /(?:<[^<>\n/]{1,40}>|\[TOOL_CALLS\]|`{3}[a-z]{0,10}|[\s[])+$/;

/** The beginning of a call, including what opens it. */
function openingOf(content: string, start: number): number {
  const prefix = content.slice(Math.max(0, start - 120), start);
  return start - (OPENING.exec(prefix)?.[0].length ?? 0);
}

function noCall(hasObject: boolean, isBroken: boolean, ending: string): Problem {
  const unbrokenMessage = hasObject
    ? 'Your JSON object names no action.'
    : 'I found no answer in your reply.';
  const message = isBroken ? 'Your JSON object is not well-formed.' : unbrokenMessage;
  return problem('unparsable', `${message} ${ending}`);
}

interface FoundObject extends TextSpan {
  readonly value: LooseObject;
}

interface FoundObjects {
  /** In order; at most one more than LIMITS.replyCandidates. */
  readonly objects: readonly FoundObject[];
  /** The beginning of the last one that did not end like an object; null for none. */
  readonly brokenAt: number | null;
}

/**
 * The outermost JSON objects. An invalid object does not hide a later one; its content belongs to it up to
 * its closing brace or, if there is none, up to an object that begins a line. Linear.
 */
function findObjects(content: string, parts: readonly TextSpan[]): FoundObjects {
  const objects: FoundObject[] = [];
  let brokenAt: number | null = null;
  for (const part of parts) {
    const text = content.slice(0, part.end);
    /** For the last invalid object: its closing brace, null if it has none. */
    let brokenEnd: number | null = part.start - 1;
    let closing: ReadonlyMap<number, number> | null = null;
    for (const { index } of text.slice(part.start).matchAll(/\{/g)) {
      const start = part.start + index;
      if (start < (objects.at(-1)?.end ?? 0)) continue;
      if (objects.length > LIMITS.replyCandidates) return { objects, brokenAt };
      const isOutside = brokenEnd === null ? beginsLine(content, start) : start > brokenEnd;
      const read = readLoose(text, start);
      if (read !== null && isLooseObject(read.value)) {
        if (isOutside) objects.push({ start, end: read.end, value: read.value });
        continue;
      }
      closing ??= closingBraces(text, part.start);
      if (isOutside && !isStray(text, start, closing)) brokenEnd = closing.get(start) ?? null;
      if (/^\{\s{0,80}["'“]/.test(text.slice(start, start + 82))) brokenAt = start;
    }
  }
  return { objects, brokenAt };
}

/** A brace, and a key as in an object, well-formed or not. */
const KEYED = /^\{\s{0,80}(?:["'“”‘’„]|[\w-]{1,40}\s{0,4}[:：=])/;

/**
 * Whether a brace that begins no valid object begins none at all: it is never closed and no key follows, or it
 * doubles another one (`{{"name": …}}`).
 */
function isStray(text: string, at: number, closing: ReadonlyMap<number, number>): boolean {
  const start = text.slice(at, at + 82);
  const end = closing.get(at);
  if (end === undefined) return !KEYED.test(start);
  const doubled = /^\{\s{0,80}(?=\{)/.exec(start);
  const innerEnd = doubled === null ? undefined : closing.get(at + doubled[0].length);
  return innerEnd !== undefined && text.slice(innerEnd + 1, Math.min(end, innerEnd + 80)).trim() === '';
}

/** The closing brace of each opening one, by counting alone. */
function closingBraces(text: string, from: number): ReadonlyMap<number, number> {
  const closingOf = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: brace, index } of text.slice(from).matchAll(/[{}]/g)) {
    const start = brace === '{' ? undefined : open.pop();
    if (brace === '{') open.push(from + index);
    if (start !== undefined) closingOf.set(start, from + index);
  }
  return closingOf;
}

function beginsLine(content: string, at: number): boolean {
  return at === 0 || content[at - 1] === '\n' || content[at - 1] === '\r';
}
