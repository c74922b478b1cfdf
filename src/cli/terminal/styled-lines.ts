/**
 * Lines of text whose parts have styles. They are wrapped to a width before the styles are applied, so that
 * no escape sequence is ever cut.
 */
import type { Paint } from './style.js';

export type TextStyle = Parameters<Paint>[0];

export interface StyledSpan {
  readonly text: string;
  /** Null: plain. */
  readonly style: TextStyle | null;
}

/** One line that is already safe. */
export type StyledLine = readonly StyledSpan[];

export function plainLine(text: string, style: TextStyle | null = null): StyledLine {
  return [{ text, style }];
}

export function lineText(line: StyledLine): string {
  return line.map(({ text }) => text).join('');
}

export function painted(line: StyledLine, paint: Paint): string {
  return line.map(({ text, style }) => (style === null ? text : paint(style, text))).join('');
}

interface Glyph {
  readonly character: string;
  readonly style: TextStyle | null;
}

/** Wrapped to at most this many characters, at spaces if there are any. */
export function wrapLine(line: StyledLine, columns: number): readonly StyledLine[] {
  let remaining: readonly Glyph[] = line.flatMap(({ text, style }) =>
    Array.from(text, (character) => ({ character, style })),
  );
  const lines: StyledLine[] = [];
  while (remaining.length > columns) {
    const space = remaining.slice(0, columns + 1).findLastIndex(({ character }) => character === ' ');
    const cut = space > 0 ? space : columns;
    lines.push(joined(remaining.slice(0, cut)));
    remaining = remaining.slice(space > 0 ? cut + 1 : cut);
  }
  return [...lines, joined(remaining)];
}

function joined(glyphs: readonly Glyph[]): StyledLine {
  const parts: { text: string; style: TextStyle | null }[] = [];
  for (const { character, style } of glyphs) {
    const last = parts.at(-1);
    if (last?.style === style) last.text += character;
    else parts.push({ text: character, style });
  }
  return parts;
}
