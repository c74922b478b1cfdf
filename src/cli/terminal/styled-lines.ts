/**
 * Lines of text whose parts have styles. They are wrapped to a width before the styles are applied, so that
 * no escape sequence is ever cut.
 */
import type { Paint } from './style.js';

export type TextStyle = Parameters<Paint>[0];

export interface StyledSpan {
  readonly text: string;
  /** Null: plain. */
  readonly look: TextStyle | null;
}

/** One line that is already safe. */
export type StyledLine = readonly StyledSpan[];

export function plainLine(text: string, look: TextStyle | null = null): StyledLine {
  return [{ text, look }];
}

export function lineText(line: StyledLine): string {
  return line.map(({ text }) => text).join('');
}

export function painted(line: StyledLine, paint: Paint): string {
  return line.map(({ text, look }) => (look === null ? text : paint(look, text))).join('');
}

interface Glyph {
  readonly character: string;
  readonly look: TextStyle | null;
}

/** Wrapped to at most this many characters, at spaces if there are any. */
export function wrapLine(line: StyledLine, columns: number): readonly StyledLine[] {
  let rest: readonly Glyph[] = line.flatMap(({ text, look }) =>
    Array.from(text, (character) => ({ character, look })),
  );
  const lines: StyledLine[] = [];
  while (rest.length > columns) {
    const space = rest.slice(0, columns + 1).findLastIndex(({ character }) => character === ' ');
    const cut = space > 0 ? space : columns;
    lines.push(joined(rest.slice(0, cut)));
    rest = rest.slice(space > 0 ? cut + 1 : cut);
  }
  return [...lines, joined(rest)];
}

function joined(glyphs: readonly Glyph[]): StyledLine {
  const parts: { text: string; look: TextStyle | null }[] = [];
  for (const { character, look } of glyphs) {
    const last = parts.at(-1);
    if (last?.look === look) last.text += character;
    else parts.push({ text: character, look });
  }
  return parts;
}
