/**
 * Reads calls in a reply's text, for the protocols `json` and `tools`: JSON objects that name an action, and,
 * for `tools`, tool names followed by their arguments (`named-calls.ts`).
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
  rung: ParseTier;
  /** How an answer of the protocol ends, as a complete sentence. */
  ending: string;
  /** Lines of the agent's observation. */
  shownLines: ReadonlySet<string> | undefined;
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
  value: LooseObject;
}

interface FoundObjects {
  /** In order; at most one more than LIMITS.replyCandidates. */
  objects: readonly FoundObject[];
  /** The beginning of the last one that did not end like an object; null for none. */
  brokenAt: number | null;
}

/**
 * The outermost JSON objects. An invalid object does not hide a later one; its content belongs to it up to
 * its closing brace. If it has none, it extends to an object that begins a line or that stands after its
 * words (`isAfterWords`). Linear.
 */
function findObjects(content: string, parts: readonly TextSpan[]): FoundObjects {
  const objects: FoundObject[] = [];
  let brokenAt: number | null = null;
  for (const part of parts) {
    const text = content.slice(0, part.end);
    /** The last invalid object, and its closing brace, null if it has none. */
    let broken: { start: number; end: number | null } | null = null;
    let closing: ReadonlyMap<number, number> | null = null;
    for (const { index } of text.slice(part.start).matchAll(/\{/g)) {
      const start = part.start + index;
      if (start < (objects.at(-1)?.end ?? 0)) continue;
      if (objects.length > LIMITS.replyCandidates) return { objects, brokenAt };
      const read = readLoose(text, start);
      const isOutside =
        broken === null ||
        (broken.end === null
          ? beginsLine(content, start) ||
            (read !== null && isAfterWords(text, broken.start, { start, end: read.end }))
          : start > broken.end);
      if (read !== null && isLooseObject(read.value)) {
        if (isOutside) objects.push({ start, end: read.end, value: read.value });
        continue;
      }
      closing ??= closingBraces(text, part.start);
      if (isOutside && !isStray(text, start, closing)) broken = { start, end: closing.get(start) ?? null };
      if (KEYED.test(text.slice(start, start + 82))) brokenAt = start;
    }
  }
  return { objects, brokenAt };
}

/** A brace, and a key as in an object, well-formed or not. */
const KEYED =
  /^\{\s{0,80}(?:["'“”‘’„](?:[^"'“”‘’„\n]{0,60}["'“”‘’„]\s{0,4}[:：]|[\p{L}_][^"'“”‘’„\n]{0,60}$)|[A-Za-z_][\w-]{0,40}\s{0,4}[:：=])/u;

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

/** The text of an unclosed object before a whole one is judged within this length. */
const UNCLOSED_CHARACTERS = 2000;

/**
 * Whether a whole object after an unclosed one, on the same line, is not a part of it: words stand between
 * them, outside of the unclosed one's texts, and nothing of it follows.
 * `{"x": 1 and now {"name": "WAIT"}`, but not `{"then": {"name": "WAIT"}` or `{"thought": "Not {"name": "WAIT"}`.
 */
function isAfterWords(text: string, unclosedAt: number, { start, end }: TextSpan): boolean {
  if (start - unclosedAt > UNCLOSED_CHARACTERS) return false;
  const before = text.slice(unclosedAt, start);
  const areTextsClosed = [/"/g, /'/g, /[“”„]/g].every((mark) => (before.match(mark) ?? []).length % 2 === 0);
  return (
    areTextsClosed &&
    /[\p{L}\p{N}.!?…)\]}"'”]\s{1,8}$/u.test(before) &&
    !/^\s{0,80}[,\]}:"'“”‘’„]/.test(text.slice(end, end + 82))
  );
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
