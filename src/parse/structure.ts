/**
 * Finds the markup in a reply that affects which text can be an answer: quotations, whose content never is
 * one (block quotes, struck-out text, HTML's elements for both, comments, tables), and code fences, whose
 * content is one unless another answer follows. Line by line, linear.
 */
import type { TextSpan } from './reading.js';

export interface ReplyStructure {
  /** Their content is not the agent's answer. */
  quoted: readonly TextSpan[];
  /** The text between the marks of each code fence. */
  fences: readonly TextSpan[];
}

interface StructuredLine extends TextSpan {
  text: string;
}

const NO_STRUCTURE: ReplyStructure = { quoted: [], fences: [] };
/** Every mark of a structure contains one of these. */
const MARKED = /[>|~`<]/;

export function structureOf(content: string, parts: readonly TextSpan[]): ReplyStructure {
  if (!MARKED.test(content)) return NO_STRUCTURE;
  const lines = parts.flatMap((part) => linesOf(content, part));
  return {
    quoted: [
      ...blockQuotes(lines),
      ...tables(lines),
      ...parts.flatMap((part) => inlineQuotes(content, part)),
    ],
    fences: fences(lines),
  };
}

export function isWithin(spans: readonly TextSpan[], at: number): boolean {
  return spans.some(({ start, end }) => start <= at && at < end);
}

/** The form of a line is decided within this length. */
const LINE_PREFIX_CHARACTERS = 300;

function linesOf(content: string, part: TextSpan): readonly StructuredLine[] {
  const lines: StructuredLine[] = [];
  for (let start = part.start; start < part.end;) {
    const newline = content.indexOf('\n', start);
    const end = newline < 0 || newline > part.end ? part.end : newline;
    lines.push({
      start,
      end,
      text: content.slice(start, Math.min(end, start + LINE_PREFIX_CHARACTERS)).trim(),
    });
    start = end + 1;
  }
  return lines;
}

function blockQuotes(lines: readonly StructuredLine[]): readonly TextSpan[] {
  return runs(lines, ({ text }) => /^(?:[-*+] |\d{1,2}[.)] )?>(?!>|$)/.test(text));
}

/** Consecutive lines of a kind, each run as one span. */
function runs(
  lines: readonly StructuredLine[],
  isOfKind: (line: StructuredLine) => boolean,
  minLines = 1,
): readonly TextSpan[] {
  const spans: { start: number; end: number; lines: number }[] = [];
  let isInRun = false;
  for (const line of lines) {
    const isMember = isOfKind(line);
    const last = spans.at(-1);
    if (isMember && isInRun && last !== undefined) {
      last.end = line.end;
      last.lines += 1;
    } else if (isMember) spans.push({ start: line.start, end: line.end, lines: 1 });
    isInRun = isMember;
  }
  return spans.filter((run) => run.lines >= minLines);
}

const DELIMITER = /^\|? ?:?-{2,}:?(?: ?\| ?:?-{2,}:?)+ ?\|?$|^\| ?:?-{2,}:? ?\|$/;
const ROW = /^\|.*\|/;
const CELLS = /[^|]\|[^|]/;

/** At least two rows between bars, or lines with bars around a delimiter row. */
function tables(lines: readonly StructuredLine[]): readonly TextSpan[] {
  const hasDelimiter = lines.some(({ text }) => DELIMITER.test(text));
  return runs(
    lines,
    ({ text }) => ROW.test(text) || (hasDelimiter && (CELLS.test(text) || DELIMITER.test(text))),
    2,
  );
}

const FENCE = /^(?:[-*+>] |\d{1,2}[.)] )?(`{3,}|~{3,})(.*)$/;

/** From an opening mark to the matching one, or the end. A line that closes its own mark is not a fence. */
function fences(lines: readonly StructuredLine[]): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  let open: { mark: string; start: number } | null = null;
  for (const line of lines) {
    const [, mark = '', info = ''] = FENCE.exec(line.text) ?? [];
    if (open !== null && mark.startsWith(open.mark) && info === '') {
      spans.push({ start: open.start, end: line.start });
      open = null;
    } else if (open === null && mark !== '' && !info.includes(mark.charAt(0)))
      open = { mark, start: line.start };
  }
  const end = lines.at(-1)?.end ?? 0;
  return open === null ? spans : [...spans, { start: open.start, end }];
}

/**
 * Struck-out or quoted text or a comment, from mark to mark. HTML has these elements; `<s>` is a model's
 * token for the beginning of a sequence.
 */
const INLINE = /(?<!~)~~(?!~)|<(\/?)(blockquote|del|strike|q)(?: [^<>]{0,80})?>|<!--|-->/gi;

function inlineQuotes(content: string, part: TextSpan): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  const open = new Map<string, number>();
  for (const match of content.slice(part.start, part.end).matchAll(INLINE)) {
    const at = part.start + match.index;
    const [mark, slash = '', name = ''] = match;
    const kind = name === '' ? (mark === '~~' ? mark : '<!--') : name.toLowerCase();
    const start = open.get(kind);
    const isClosing = slash === '/' || mark === '-->' || (mark === '~~' && start !== undefined);
    if (isClosing && start !== undefined) {
      spans.push({ start, end: at + mark.length });
      open.delete(kind);
    } else if (!isClosing && start === undefined) open.set(kind, at);
  }
  return spans;
}
