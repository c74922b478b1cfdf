/**
 * Lines that begin a space or two beside the lines that they belong with. In: the text and a place in a line that YAML refuses; out: how far
 * that line is indented, how far its like above are, and what to write.
 */
import { counted } from '../base/counted.js';

interface Misplaced {
  readonly message: string;
  readonly suggestion: string;
  readonly offset: number;
}

/** Undefined if the line is exactly below one of its kind, or if there is none above. */
export function misplaced(text: string, offset: number): Misplaced | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  // YAML may point at the spaces before the line, or at its end.
  const line = lineOf(text.slice(start).split('\n', 1)[0] ?? '');
  if (line === null) return undefined;
  const above = openColumns(text.slice(0, start), line.isItem);
  const [nearest] = above.toSorted((a, b) => Math.abs(a - line.column) - Math.abs(b - line.column) || b - a);
  if (nearest === undefined || above.includes(line.column)) return undefined;
  const kind = line.isItem ? 'list item' : 'line';
  const others = line.isItem ? 'the items above it' : 'the keys above it';
  return {
    message: `this ${kind} is indented by ${counted(line.column, 'space')}, and ${others} by ${nearest}`,
    suggestion: `begin it exactly below them, with ${counted(nearest, 'space')}`,
    offset: start + line.column,
  };
}

interface Line {
  /** Spaces before it. */
  readonly column: number;
  readonly isItem: boolean;
  /** Where what follows the dash of an item begins; null where nothing does. */
  readonly inner: number | null;
}

/** Null for lines that say nothing. */
function lineOf(line: string): Line | null {
  const [, spaces = '', dash = '', rest = ''] = /^( *)(-(?: +|$))?(.*)$/.exec(line.replace(/\r$/, '')) ?? [];
  if (dash === '' && (rest === '' || rest.startsWith('#'))) return null;
  return {
    column: spaces.length,
    isItem: dash !== '',
    inner: dash === '' || rest === '' ? null : spaces.length + dash.length,
  };
}

/** Number of lines to search: related lines are near. */
const LINES_BACK = 200;

/** The columns of the lists, or of the keys, that are still open behind a text, innermost first. */
function openColumns(before: string, isItem: boolean): readonly number[] {
  const columns: number[] = [];
  let inmost = Infinity;
  for (const written of before
    .split('\n')
    .slice(-LINES_BACK - 1, -1)
    .toReversed()) {
    const line = lineOf(written);
    if (line === null || line.column >= inmost) continue;
    inmost = line.column;
    if (line.inner !== null && !isItem) columns.push(line.inner);
    if (line.isItem === isItem) columns.push(line.column);
  }
  return columns;
}
