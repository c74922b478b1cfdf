/**
 * The calls that stand in a reply as text: objects that name an action, and names with their arguments. In go a page and what it is read for,
 * out comes the reading of the one that counts (`choice.ts`). What `json` and `tools` share.
 */
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import { callOf } from './call.js';
import type { AnswerCandidate } from './choice.js';
import { choose, readingOf, turnEnd } from './choice.js';
import type { FoundCall } from './named-calls.js';
import { namedCalls } from './named-calls.js';
import { findObjects } from './objects.js';
import type { ReplyPage } from './page.js';
import type { ReplyReading, ParseTier } from './reading.js';
import { refusedReading } from './reading.js';
import { isWithin } from './structure.js';

export interface CallRules {
  readonly rung: ParseTier;
  /** How an answer of the protocol ends, as a whole sentence. */
  readonly ending: string;
  /** Lines that the agent was told. */
  readonly told: ReadonlySet<string> | undefined;
}

export function readCalls(
  page: ReplyPage,
  vocabulary: Vocabulary,
  { rung, ending, told }: CallRules,
): ReplyReading {
  const { content, parts } = page;
  const named = rung === 'tool call' ? namedCalls(content, parts, vocabulary) : [];
  const { objects, brokenAt } = findObjects(content, parts);
  const free = objects.filter(({ start }) => !isWithin(named, start));
  const found = free.flatMap(({ start, end, value }): FoundCall[] => {
    const call = callOf(value, vocabulary);
    return call === null ? [] : [{ start, end, call }];
  });
  const candidates = [...named.filter(({ start }) => !isWithin(objects, start)), ...found]
    .toSorted((a, b) => a.start - b.start)
    .map((one): AnswerCandidate => ({ ...one, at: openingOf(content, one.start), rung }));
  const choice = choose(page, candidates, told);
  if (choice === null) return refusedReading(noCall(objects.length > 0, brokenAt !== null, ending));
  if (!choice.ok) return refusedReading(choice.problem, rung);
  const { candidate } = choice;
  // Another answer after it that can't be read: which of them was meant can't be known.
  const isLast = brokenAt === null || brokenAt < candidate.end || turnEnd(page, candidate, told) <= brokenAt;
  return isLast ? readingOf(page, candidate) : refusedReading(noCall(true, true, ending), rung);
}

/** What opens a call, right before it: tags, brackets, a fence. */
const OPENING = /(?:<[^<>\n/]{1,40}>|\[TOOL_CALLS\]|`{3}[a-z]{0,10}|[\s[])+$/;

/** Where a call begins with what opens it. */
function openingOf(content: string, start: number): number {
  const before = content.slice(Math.max(0, start - 120), start);
  return start - (OPENING.exec(before)?.[0].length ?? 0);
}

function noCall(hasObject: boolean, isBroken: boolean, ending: string): Problem {
  const other = hasObject ? 'Your JSON object names no action.' : 'I found no answer in your reply.';
  const told = isBroken ? 'Your JSON object is not well-formed.' : other;
  return problem('unparsable', `${told} ${ending}`);
}
