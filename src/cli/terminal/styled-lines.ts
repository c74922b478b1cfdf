/**
 * Lines of text whose parts have styles. They are wrapped to a width before the styles are applied, so that
 * no escape sequence is ever cut.
 */
import { wrapLetters } from '../../base/wrap.js';
import type { Paint } from './style.js';

export type TextStyle = Parameters<Paint>[0];

export interface StyledSpan {
  text: string;
  /** Null: plain. */
  style: TextStyle | null;
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

/** Wrapped to at most this many characters, at spaces if there are any. */
export function wrapLine(line: StyledLine, columns: number): readonly StyledLine[] {
  const letters = line.flatMap(({ text, style }) => Array.from(text, (letter) => ({ letter, style })));
  return wrapLetters(letters, columns, ({ letter }) => letter === ' ').map((part) => {
    const spans: { text: string; style: TextStyle | null }[] = [];
    for (const { letter, style } of part) {
      const last = spans.at(-1);
      if (last?.style === style) last.text += letter;
      else spans.push({ text: letter, style });
    }
    return spans;
  });
}
