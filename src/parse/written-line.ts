/**
 * From a place in the uniform text to the words as they were written there: the emphasis that was taken away for finding the command is put
 * back where it belongs to an argument (`__init__.py`, `*args`). In go a page and a place, out come a line to be read and its span.
 */
import type { CommandText } from './command-line.js';
import { normaliseLine, rawSpan } from './normalise.js';
import type { ReplyPage } from './page.js';
import type { LineSpan } from './place.js';
import type { TextSpan } from './reading.js';

export interface WrittenLine extends TextSpan {
  readonly line: CommandText;
  /** The place in the raw content of a place in the line. */
  readonly rawAt: (at: number) => number;
}

/** `place` is on one line and not empty. `quotedOnly`: what is said must stand in quotation marks. */
export function writtenLine(
  { content, normal }: ReplyPage,
  place: LineSpan,
  quotedOnly: boolean,
): WrittenLine {
  const { start, end } = withMarks(content, rawSpan(normal, place.start, place.end));
  const { text, offsets } = normaliseLine(content, { start, end });
  const rawAt = (at: number): number => (at >= text.length ? end : (offsets[at] ?? end));
  const raw = (from: number, to: number): string =>
    content.slice(rawAt(from), to > from ? (offsets[to - 1] ?? end) + 1 : rawAt(from));
  return { start, end, rawAt, line: { text: text.trimEnd(), raw, quotedOnly } };
}

const RUNS: Readonly<Record<string, RegExp>> = { '*': /\*+/g, _: /_+/g, '`': /`+/g };

/** With the marks behind it, unless they close what was opened before it on its line. */
function withMarks(content: string, span: TextSpan): TextSpan {
  const mark = content.charAt(span.end);
  const runs = RUNS[mark];
  if (runs === undefined) return span;
  const from = Math.max(content.lastIndexOf('\n', span.start - 1) + 1, span.start - 200);
  const before = content.slice(from, span.start).replace(/^\s*[*-] /, '');
  if ((before.match(runs) ?? []).length % 2 === 1) return span;
  let { end } = span;
  while (content.charAt(end) === mark) end++;
  return { start: span.start, end };
}
