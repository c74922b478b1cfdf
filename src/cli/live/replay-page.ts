/**
 * The page of `replay` in a terminal: title, picture on the left, text on the right (or across the whole
 * width), keys below.
 */
import type { Paint } from '../terminal/style.js';
import { fit } from '../terminal/style.js';
import { KEYS } from './replay-keys.js';
import type { CharacterBox } from '../terminal/kitty-image.js';
import { lineText, painted, wrapLine } from '../terminal/styled-lines.js';
import type { StyledLine } from '../terminal/styled-lines.js';
import { atColumn } from '../terminal/terminal-codes.js';

const GAP = 2;
/** Below this width, text next to a picture is unreadable. */
const MIN_TEXT_COLUMNS = 30;

export interface PageParts {
  size: CharacterBox;
  title: string;
  status: string;
  /** Lines of half blocks, or empty lines if the terminal draws pictures itself; null: no picture. */
  picture: { lines: readonly string[]; columns: number } | null;
  text: readonly StyledLine[];
  /** Lines of text above the page. */
  scroll: number;
  /** The search text, marked at each occurrence; '' for none. */
  searchText: string;
  paint: Paint;
}

/**
 * The maximum size of a picture: all rows except title and status, and half of the width, or what the text
 * leaves free.
 */
export function pictureBox({ columns, rows }: CharacterBox): CharacterBox {
  return {
    columns: Math.max(1, Math.min(Math.floor(columns / 2), columns - MIN_TEXT_COLUMNS - GAP)),
    rows: Math.max(1, rows - 3),
  };
}

/** The text, wrapped for this page. */
export function textLines({ size, picture, text }: PageParts): readonly StyledLine[] {
  const columns = size.columns - textColumn(picture);
  return text.flatMap((line) => wrapLine(line, Math.max(1, columns)));
}

/** Lines of text on a page. */
export function textRows({ rows }: CharacterBox): number {
  return Math.max(1, rows - 3);
}

function textColumn(picture: PageParts['picture']): number {
  return picture === null ? 0 : picture.columns + GAP;
}

export function pageLines(parts: PageParts): readonly string[] {
  const { size, paint, picture, searchText } = parts;
  const wrappedLines = textLines(parts);
  const rows = textRows(size);
  const from = clampScroll(parts.scroll, wrappedLines.length, rows);
  const textStart = textColumn(picture);
  const body = Array.from({ length: rows }, (_, i) => {
    const line = wrappedLines[from + i] ?? [];
    const drawn = picture?.lines[i] ?? '';
    // Sets the column explicitly, because half blocks and wide characters leave the cursor in unpredictable
    // places.
    const text = painted(searchText === '' ? line : markedLine(line, searchText), paint);
    return textStart === 0 ? text : `${drawn}${atColumn(textStart + 1)}${text}`;
  });
  const linesBelow = wrappedLines.length - from - rows;
  const tail = linesBelow > 0 ? paint('dim', `↓ ${linesBelow} more`) : '';
  return [
    paint(['bold', 'inverse'], padded(parts.title, size.columns)),
    ...body,
    tail === '' ? '' : `${atColumn(textStart + 1)}${tail}`,
    paint('dim', fit(parts.status, size.columns)),
  ];
}

export function clampScroll(scroll: number, lines: number, rows: number): number {
  return Math.max(0, Math.min(scroll, lines - rows));
}

function padded(text: string, columns: number): string {
  const line = fit(text, columns);
  return `${line}${' '.repeat(Math.max(0, columns - Array.from(line).length))}`;
}

/** With each occurrence of the search text marked. */
function markedLine(line: StyledLine, searchText: string): StyledLine {
  const at = lineText(line).toLowerCase().indexOf(searchText.toLowerCase());
  if (at < 0) return line;
  const text = lineText(line);
  const style = line[0]?.style ?? null;
  return [
    { text: text.slice(0, at), style },
    { text: text.slice(at, at + searchText.length), style: 'inverse' },
    { text: text.slice(at + searchText.length), style },
  ];
}

/** The list of keys, in as many columns as fit. */
export function helpLines({ columns, rows }: CharacterBox, paint: Paint): readonly string[] {
  const lines = KEYS.map(({ label, description }) => `${paint('bold', label.padEnd(10))} ${description}`);
  const list = ['', ...lines.map((line) => `  ${line}`), '', '  press any key to go back'];
  const title = paint(['bold', 'inverse'], padded(' Keys', columns));
  return [title, ...list].slice(0, rows);
}
