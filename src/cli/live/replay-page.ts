/**
 * The page of `replay` in a terminal: title, picture on the left, text on the right (or across the whole
 * width), keys below. In: what is shown; out: lines.
 */
import type { Paint } from '../terminal/style.js';
import { fit } from '../terminal/style.js';
import { KEYS } from './replay-keys.js';
import type { CharacterBox } from '../terminal/inline-images.js';
import { lineText, painted, wrapLine } from '../terminal/styled-lines.js';
import type { StyledLine } from '../terminal/styled-lines.js';
import { atColumn } from '../terminal/terminal-codes.js';

const GAP = 2;
/** Below this width, text next to a picture is unreadable. */
const TEXT_LEAST = 30;

export interface PageParts {
  readonly size: CharacterBox;
  readonly title: string;
  readonly status: string;
  /** Lines of half blocks, or empty lines if the terminal draws pictures itself; null: no picture. */
  readonly picture: { readonly lines: readonly string[]; readonly columns: number } | null;
  readonly text: readonly StyledLine[];
  /** Lines of text above the page. */
  readonly scroll: number;
  /** The search text, marked at each occurrence; '' for none. */
  readonly find: string;
  readonly paint: Paint;
}

/**
 * The maximum size of a picture: all rows except title and status, and half of the width, or what the text
 * leaves free.
 */
export function pictureBox({ columns, rows }: CharacterBox): CharacterBox {
  return {
    columns: Math.max(1, Math.min(Math.floor(columns / 2), columns - TEXT_LEAST - GAP)),
    rows: Math.max(1, rows - 3),
  };
}

/** The text, wrapped for this page. */
export function textLines({ size, picture, text }: PageParts): readonly StyledLine[] {
  const columns = size.columns - textLeft(picture);
  return text.flatMap((line) => wrapLine(line, Math.max(1, columns)));
}

/** Lines of text on a page. */
export function textRows({ rows }: CharacterBox): number {
  return Math.max(1, rows - 3);
}

function textLeft(picture: PageParts['picture']): number {
  return picture === null ? 0 : picture.columns + GAP;
}

export function pageLines(parts: PageParts): readonly string[] {
  const { size, paint, picture, find } = parts;
  const all = textLines(parts);
  const rows = textRows(size);
  const from = clampScroll(parts.scroll, all.length, rows);
  const left = textLeft(picture);
  const body = Array.from({ length: rows }, (_, i) => {
    const line = all[from + i] ?? [];
    const drawn = picture?.lines[i] ?? '';
    // Sets the column explicitly, because half blocks and wide characters leave the cursor in unpredictable
    // places.
    const text = painted(find === '' ? line : markedLine(line, find), paint);
    return left === 0 ? text : `${drawn}${atColumn(left + 1)}${text}`;
  });
  const more = all.length - from - rows;
  const tail = more > 0 ? paint('dim', `↓ ${more} more`) : '';
  return [
    paint(['bold', 'inverse'], padded(parts.title, size.columns)),
    ...body,
    tail === '' ? '' : `${atColumn(left + 1)}${tail}`,
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
function markedLine(line: StyledLine, find: string): StyledLine {
  const at = lineText(line).toLowerCase().indexOf(find.toLowerCase());
  if (at < 0) return line;
  const text = lineText(line);
  const look = line[0]?.look ?? null;
  return [
    { text: text.slice(0, at), look },
    { text: text.slice(at, at + find.length), look: 'inverse' },
    { text: text.slice(at + find.length), look },
  ];
}

/** The list of keys, in as many columns as fit. */
export function helpLines({ columns, rows }: CharacterBox, paint: Paint): readonly string[] {
  const lines = KEYS.map(({ shown, does }) => `${paint('bold', shown.padEnd(10))} ${does}`);
  const list = ['', ...lines.map((line) => `  ${line}`), '', '  press any key to go back'];
  const title = paint(['bold', 'inverse'], padded(' Keys', columns));
  return [title, ...list].slice(0, rows);
}
