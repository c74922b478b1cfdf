/**
 * The answer of a reply without a label: its only command counts if it fills the last line and is a paragraph
 * of its own. The text above it must end with a finished sentence: after an unfinished one (`The sign says:`,
 * `I should not`), the command may be quoted or negated. Items of lists and lower-case lines among prose
 * don't count.
 */
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import { readCommandLine, readVerb, quotedPart } from './command-line.js';
import type { ReplyPage } from './page.js';
import type { LineSpan } from './line-span.js';
import { commandBounds, writtenLine } from './line-span.js';
import { USE_COMMAND } from './shapes.js';
import { isWithin } from './structure.js';

export interface WholeLine {
  line: LineSpan;
  bounds: LineSpan;
  /** Equal for lines that request the same. */
  command: string;
  isListed: boolean;
  /** The verb is in capitals. */
  isPlain: boolean;
}

export type WholeLineReading = { ok: true; bounds: LineSpan } | { ok: false; problem: Problem };

/** The commands that fill a whole line and are not set apart, in order; at most one more than the limit. */
export function wholeLines(page: ReplyPage, vocabulary: Vocabulary): readonly WholeLine[] {
  const lines: WholeLine[] = [];
  for (const { 0: line, index } of page.normal.text.matchAll(/[^\n]+/g)) {
    if (lines.length > LIMITS.replyCandidates) break;
    if (line.length > LIMITS.commandLineCharacters) continue;
    const wholeLine = wholeLineAt(page, { start: index, end: index + line.length }, vocabulary);
    if (wholeLine !== null) lines.push(wholeLine);
  }
  return lines;
}

/** Marks of lists, headings, quotations, tags and boxes. */
const MARKS =
  /^[ #+\-|([~"'<]{0,8}(?:\d{1,2}[.)] ?)?(?:<?[a-z][a-z_-]{0,30}>)?[ "'<[(]{0,3}(?:\\boxed\{|\\text\{){0,2}$/;

function wholeLineAt(page: ReplyPage, line: LineSpan, vocabulary: Vocabulary): WholeLine | null {
  const { text, offsets } = page.normal;
  const bounds = commandBounds(text, line);
  const marks = text.slice(line.start, bounds.start);
  if (bounds.end <= bounds.start || !MARKS.test(marks)) return null;
  if (readVerb(text.slice(bounds.start, bounds.end), vocabulary) === null) return null;
  if (isWithin(page.quoted, offsets[bounds.start] ?? 0)) return null;
  const written = writtenLine(page, bounds, true).line;
  const read = readCommandLine(written, vocabulary);
  const isPlain = /^[A-Z][A-Z_]*(?![a-z])/.test(written.text);
  // "Look, a rat!" and "Go north or south?" begin with verbs but are prose.
  const isProse = !isPlain && /[,;:?]/.test(written.text.split('"', 1)[0] ?? '');
  if (!read.ok || isProse) return null;
  const isListed = /^ ?(?:[-+|] |\d{1,2}[.)])/.test(marks);
  return { line, bounds, command: JSON.stringify(read.command), isListed, isPlain };
}

/** The one command that fills the last line. */
export function findWholeLine(page: ReplyPage, vocabulary: Vocabulary): WholeLineReading {
  const { text } = page.normal;
  const allLines = wholeLines(page, vocabulary);
  const isSingleLine = !text.trim().includes('\n');
  const eligibleLines = isSingleLine ? allLines : allLines.filter((one) => one.isPlain && !one.isListed);
  const [first, last] = [eligibleLines[0], eligibleLines.at(-1)];
  if (new Set(allLines.map(({ command }) => command)).size > 1 || allLines.length > LIMITS.replyCandidates)
    return refuse('ambiguous', 'Your reply holds several commands and none is marked as the answer.');
  if (first === undefined || last === undefined)
    return refuse(
      'unparsable',
      `I found no answer in your reply${isSingleLine ? unknownVerb(text.trim()) : ''}.`,
    );
  if (isLast(text, last) && isTextAboveFinished(text, first.line.start))
    return { ok: true, bounds: last.bounds };
  return refuse('unparsable', 'A command stands in your reply, but not as its answer.');
}

function refuse(code: 'ambiguous' | 'unparsable', message: string): WholeLineReading {
  return { ok: false, problem: problem(code, `${message} ${USE_COMMAND}`) };
}

/** `JUMP`, which was intended as a command. */
function unknownVerb(line: string): string {
  const word = /^[A-Z_]{2,24}(?![\p{L}\p{N}])/iu.exec(line)?.[0] ?? '';
  const isIntended = word !== '' && (word === word.toUpperCase() || !line.includes(' '));
  return isIntended ? `: there is no action ${quotedPart(word)}` : '';
}

const CLOSING_TAG = /<\/[a-z_-]{1,30}>/gi;

/** Nothing follows except what closes something. */
function isLast(text: string, { line }: WholeLine): boolean {
  const after = text.slice(line.end);
  return after.length < 600 && !/[\p{L}\p{N}]/u.test(after.replace(CLOSING_TAG, ''));
}

const FINISHED_SENTENCE = /[.!?…。！？][\s"'”’)\]*_`]*$/;
/** Marks without words, a heading, a row of a table, a line of a list, the tag that opens the answer. */
const STANDALONE_LINE = /^(?:[^\p{L}\p{N}]*|#{1,6} .*|\|.*|[-+] .*|\d{1,2}[.)] .*|<[a-z_-]{1,30}>)$/u;

/**
 * Whether the text above a line is finished: it is empty, a block with its own form, or a paragraph that ends
 * with a finished sentence.
 */
function isTextAboveFinished(text: string, start: number): boolean {
  const window = text.slice(Math.max(0, start - 300), start);
  const above = window.trimEnd();
  const line = above.slice(above.lastIndexOf('\n') + 1);
  if (STANDALONE_LINE.test(line)) return true;
  return FINISHED_SENTENCE.test(line) && window.slice(above.length).split('\n').length > 2;
}
