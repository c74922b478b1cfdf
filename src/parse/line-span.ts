/**
 * Positions in a normalised reply: the lines around a position, the bounds of a command without its wrapping,
 * and words as they were written: emphasis that was removed to find the command is restored if it belongs to
 * an argument (`__init__.py`, `*args`).
 */
import type { CommandRest } from './arguments.js';
import { normaliseLine, rawSpan } from './normalise.js';
import type { ReplyPage } from './page.js';
import type { TextSpan } from './reading.js';

/** From `start` up to but not including `end`, in the normalised text. */
export interface LineSpan {
  start: number;
  end: number;
}

/** The next non-empty line from `from` on (the rest of the line at `from` counts); null at the end. */
export function nextLine(text: string, from: number): LineSpan | null {
  let start = from;
  while (start < text.length && ' \n'.includes(text.charAt(start))) start++;
  if (start >= text.length) return null;
  const newline = text.indexOf('\n', start);
  return { start, end: newline < 0 ? text.length : newline };
}

const CLOSING_TAG = /<(?:\/([a-z_-]{1,30})|\/?\|(?:end|\/?action|end_action)\|)>$/i;
const PAIRS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '[': ']',
  '(': ')',
  '{': '}',
  '<': '>',
};

/**
 * The command itself: without closing tags, emoji before it, and whole wrappings such as `[GO EAST]` or
 * `\boxed{…}`.
 */
export function commandBounds(text: string, line: LineSpan): LineSpan {
  let bounds = trimMarks(text, line);
  for (let i = 0; i < 4; i++) {
    const inner = unwrap(text, bounds);
    if (inner.start === bounds.start && inner.end === bounds.end) return bounds;
    bounds = trimMarks(text, inner);
  }
  return bounds;
}

/** `- 1. `, `2) ` */
const LIST_MARK = /^[ #+\-|>~]{0,8}\d{1,2}[.)] ?(?=\D)/;

function trimMarks(text: string, bounds: LineSpan): LineSpan {
  let { start, end } = bounds;
  start += LIST_MARK.exec(text.slice(start, Math.min(end, start + 12)))?.[0].length ?? 0;
  while (start < end && /[^\p{L}\p{N}"'[({<\\.]/u.test(text.charAt(start))) start++;
  const before = lineBefore(text, start);
  while (end > start && (text.charAt(end - 1) === ' ' || closesLine(text, end - 1, before))) end--;
  return { start, end };
}

/** The beginning of the line on which a position is. */
function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - PREFIX_CHARACTERS), at);
  return before.slice(before.lastIndexOf('\n') + 1);
}

/** What a line begins with is looked for within this length. */
const PREFIX_CHARACTERS = 200;

/**
 * Whether a mark closes what the line began with, such as `## ACTION: LOOK ##` or a row of a table; otherwise
 * it belongs to the argument (`C#`).
 */
function closesLine(text: string, at: number, before: string): boolean {
  const mark = text.charAt(at);
  return '~#|$'.includes(mark) && before.includes(mark) && (mark !== '#' || /[ #]/.test(text.charAt(at - 1)));
}

const REPEATED_OPENING = /^(?:action ?: ?|\\(?:boxed|text)(?=\{)|\$|<[a-z][a-z_-]{0,30}>(?= ?[\p{L}"']))/iu;

function unwrap(text: string, bounds: LineSpan): LineSpan {
  const { start, end } = bounds;
  const line = text.slice(start, end);
  const tag = CLOSING_TAG.exec(line.slice(-40));
  if (tag !== null && !line.includes(`<${tag[1] ?? '|'}`)) return { start, end: end - tag[0].length };
  const opening = REPEATED_OPENING.exec(line);
  if (opening !== null) return { start: start + opening[0].length, end };
  const close = PAIRS[line.charAt(0)];
  if (/[)\]}]$/.test(line) && !/[([{]/.test(line) && /[([{]/.test(lineBefore(text, start)))
    return { start, end: end - 1 };
  const stopLength = /[.!]?$/.exec(line.slice(-2))?.[0].length ?? 0;
  const isPair =
    close !== undefined &&
    line.length > 2 + stopLength &&
    line.charAt(line.length - 1 - stopLength) === close;
  return isPair ? { start: start + 1, end: end - 1 - stopLength } : bounds;
}

export interface WrittenLine extends TextSpan {
  line: CommandRest;
  /** The position in the raw content of a position in the line. */
  rawAt: (at: number) => number;
}

/** `bounds` is on one line and not empty. `quotedOnly`: speech must be in quotation marks. */
export function writtenLine(
  { content, normal }: ReplyPage,
  bounds: LineSpan,
  quotedOnly: boolean,
): WrittenLine {
  const { start, end } = withMarks(content, rawSpan(normal, bounds.start, bounds.end));
  const { text, offsets } = normaliseLine(content, { start, end });
  const rawAt = (at: number): number => (at >= text.length ? end : (offsets[at] ?? end));
  const raw = (from: number, to: number): string =>
    content.slice(rawAt(from), to > from ? (offsets[to - 1] ?? end) + 1 : rawAt(from));
  return { start, end, rawAt, line: { text: text.trimEnd(), raw, quotedOnly } };
}

const MARK_RUNS: Readonly<Record<string, RegExp>> = { '*': /\*+/g, _: /_+/g, '`': /`+/g };

/** Including the marks after it, unless they close something that was opened before it on its line. */
function withMarks(content: string, { start, end }: TextSpan): TextSpan {
  const prefix = lineBefore(content, start).replace(/^\s*[*-] /, '');
  let last = end;
  for (let at = end; at < content.length;) {
    const mark = content.charAt(at);
    const runs = MARK_RUNS[mark];
    if (runs === undefined && mark !== ' ') break;
    if (runs !== undefined && (prefix.match(runs) ?? []).length % 2 === 1) break;
    while (content.charAt(at) === mark) at++;
    if (runs !== undefined) last = at;
  }
  return { start, end: last };
}
