/**
 * Chooses the answer that counts, for every protocol: the last candidate in the agent's own turn that is not
 * quoted. Only position and shape matter. The turn ends at the first end mark after an answer, or at the
 * first line that only the program writes (the model then imitates the next observation). If one turn
 * contains different answers, the last one counts as a change of mind only if a finished sentence and no
 * heading is between them; otherwise they are ambiguous.
 */
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { oneLine } from '../base/text.js';
import { isProgramLine } from '../environment/program-lines.js';
import type { CallReading } from './call.js';
import { callKey } from './call.js';
import type { ReplyPage } from './page.js';
import type { ReplyReading, ParseTier, TextSpan } from './reading.js';
import { refusedReading } from './reading.js';
import { isWithin } from './structure.js';

/** A possible answer, from `start` to `end` of the raw content. */
export interface AnswerCandidate extends TextSpan {
  /** The position of its label or mark. */
  at: number;
  /** Where the command ends without a comment, if it has one. */
  bareEnd?: number;
  rung: ParseTier;
  call: CallReading;
}

export type AnswerChoice = { ok: true; candidate: AnswerCandidate } | { ok: false; problem: Problem };

const NO_LINES: ReadonlySet<string> = new Set();

/** `candidates` are in order. Null if none counts. `shownLines` are lines of the agent's observation. */
export function chooseAnswer(
  page: ReplyPage,
  candidates: readonly AnswerCandidate[],
  shownLines: ReadonlySet<string> = NO_LINES,
): AnswerChoice | null {
  if (candidates.length > LIMITS.replyCandidates) {
    const message = `Your reply holds more than ${LIMITS.replyCandidates} answers. Give exactly one.`;
    return { ok: false, problem: problem('ambiguous', message) };
  }
  const unquoted = candidates.filter(({ start }) => !isWithin(page.quoted, start));
  const [first] = unquoted;
  if (first === undefined) return null;
  const areAllSame = unquoted.every((one) => isSame(one, first));
  const turn = areAllSame ? unquoted : withinTurn(page, unquoted, first, shownLines);
  const last = turn.at(-1) ?? first;
  const rival = turn.findLast((one) => one.call.ok && !isSame(one, last) && !isExample(page, one, last));
  if (rival === undefined || isSecondThought(page, rival, last)) return { ok: true, candidate: last };
  const requested = [rival, last].map(({ call }) =>
    call.ok ? call.command.action : 'one that is not understood',
  );
  return {
    ok: false,
    problem: problem(
      'ambiguous',
      `Your reply asks for several actions (${requested.join(', ')}), and it is not clear which one you mean. Give exactly one.`,
    ),
  };
}

/** The candidates before the end of the first one's turn. */
function withinTurn(
  page: ReplyPage,
  candidates: readonly AnswerCandidate[],
  first: AnswerCandidate,
  shownLines: ReadonlySet<string>,
): readonly AnswerCandidate[] {
  const end = turnEnd(page, first, shownLines);
  const gluedIndex = candidates.findIndex((one) => isGlued(page, one));
  return candidates.filter(({ start }, index) => start < end && (gluedIndex < 0 || index <= gluedIndex));
}

/**
 * The end of an answer's turn: the first end mark, or the first line after it that only the program writes.
 */
export function turnEnd(
  page: ReplyPage,
  { start, end }: TextSpan,
  shownLines: ReadonlySet<string> = NO_LINES,
): number {
  const mark = page.marks.find((one) => !one.isCall && !one.isQuoted && one.start >= start);
  const line = linesAfter(page, end, mark?.start).find(({ text }) => isProgramLine(text, shownLines));
  return line?.start ?? mark?.start ?? page.content.length;
}

/**
 * The rest of the line at `from` and the lines after it up to `to`, each with its position in the content;
 * without decoration.
 */
function linesAfter(
  { content, parts }: ReplyPage,
  from: number,
  to = content.length,
): readonly { start: number; text: string }[] {
  const relevantParts = parts.filter((part) => part.end > from && part.start < to);
  return relevantParts.flatMap((part) => {
    let start = Math.max(part.start, from);
    return content
      .slice(start, Math.min(part.end, to))
      .split('\n')
      .map((line) => {
        const replyLine = {
          start,
          text: line
            .slice(0, 200)
            .replace(/^[\s>#*_`|-]+/, '')
            .trimEnd(),
        };
        start += line.length + 1;
        return replyLine;
      });
  });
}

/** An answer in a code fence, followed by another one outside of it. */
function isExample({ fences }: ReplyPage, one: AnswerCandidate, last: AnswerCandidate): boolean {
  return fences.some((fence) => isWithin([fence], one.start) && !isWithin([fence], last.start));
}

const FINISHED = /[\p{L}\p{N}]["'”’)\]*_`]{0,4}(?:[.!?…]+["'”’)\]*_`]{0,4}(?:\s|$)|[。！？])/u;

function isSecondThought(page: ReplyPage, rival: AnswerCandidate, last: AnswerCandidate): boolean {
  if (isListed(page, rival) && isListed(page, last)) return false;
  if (page.marks.some(({ start }) => start >= rival.start && start < last.start)) return false;
  const [restOfLine, ...linesBetween] = linesAfter(page, endOf(rival), last.at);
  if (INLINE_HEADING.test(restOfLine?.text ?? '')) return false;
  const hasHeading = linesBetween.some(({ start, text }) => isHeading(page, start, text));
  const isComment = /^\s*[([—-]/.test(page.content.slice(endOf(rival), endOf(rival) + 4));
  const prose = isComment || restOfLine === undefined ? linesBetween : [restOfLine, ...linesBetween];
  return !hasHeading && prose.some(({ text }) => FINISHED.test(text));
}

/** Another heading on the line of an answer. */
const INLINE_HEADING = /(?:^|[\s#])\p{Lu}[\p{L} ]{0,20}:/u;

/** Whether text follows the answer without a space, such as the role of an imitated next turn. */
function isGlued({ content }: ReplyPage, candidate: AnswerCandidate): boolean {
  const after = content.slice(endOf(candidate), endOf(candidate) + 40);
  return candidate.call.ok && /^(?:<\/[^<>]{1,30}>)?[\p{L}\p{N}#]/u.test(after);
}

/** The end of the answer without its comment. */
function endOf({ bareEnd, end }: AnswerCandidate): number {
  return bareEnd ?? end;
}

/**
 * `Knight:`, `Next turn`, `[The world answers]`, `<result>`, `### Then`, `---`: something that begins a new
 * part.
 */
const HEADING =
  /^(?:[\p{L}\p{N}'’-]+(?: [\p{L}\p{N}'’-]+){0,3} ?(?:\([^()]{0,40}\))?[*_]{0,3}(?:[:：]|$)|[[(]|<(?!\/))/u;
const FENCE = /^\s*(?:`{3}|~{3})/;
const HEADING_MARKS = /^\s*(?:#{1,6} |[-*_=]{3,}\s*$|\*\*[^*]{1,60}\*\*\s*$)/;

function isHeading({ content }: ReplyPage, start: number, text: string): boolean {
  const lineStart = content.slice(start, start + 80).split('\n', 1)[0] ?? '';
  return !FENCE.test(lineStart) && (HEADING.test(text) || HEADING_MARKS.test(lineStart));
}

const LISTED = /^\s*(?:[-*+]|\(?(?:\d{1,2}|[A-Za-z])[.):])\s/;

function isListed({ content }: ReplyPage, { start }: AnswerCandidate): boolean {
  const line = content.lastIndexOf('\n', start - 1) + 1;
  return LISTED.test(content.slice(line, Math.min(start, line + 12)));
}

/** The reading of a candidate. */
export function readingOf({ content }: ReplyPage, { start, end, rung, call }: AnswerCandidate): ReplyReading {
  const span = end > start ? { start, end } : null;
  if (!call.ok) return refusedReading(call.problem, rung, span);
  const words = span === null ? call.command.action : oneLine(content.slice(start, end));
  return { ok: true, command: call.command, rung, span, words };
}

/** Whether two candidates request the same, with or without a comment. */
function isSame(one: AnswerCandidate, other: AnswerCandidate): boolean {
  if (!one.call.ok || !other.call.ok)
    return !one.call.ok && !other.call.ok && one.call.problem.message === other.call.problem.message;
  const [command, another] = [one.call.command, other.call.command];
  const keys = [callKey(command), callKey(another)];
  const bare = [command, another].map(({ action, uncommented }) =>
    callKey({ action, args: uncommented?.[0] ?? {} }),
  );
  return (
    keys[0] === keys[1] ||
    (keys[0] === bare[1] && another.uncommented !== undefined) ||
    (keys[1] === bare[0] && command.uncommented !== undefined)
  );
}
