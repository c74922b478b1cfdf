/**
 * Text for a bitmap font: accents are dropped if the font has the bare letter, and lines are broken at
 * spaces.
 */
import { cutText, oneLine } from '../base/text.js';
import type { Font } from './text.js';

/** One line with only letters that the font has, if the text can be written like this. */
export function writable(text: string, font: Font): string {
  return Array.from(oneLine(text), (character) => {
    const letter = character.normalize('NFD').charAt(0);
    return !font.glyphs.has(character) && font.glyphs.has(letter) ? letter : character;
  }).join('');
}

export function cutWords(text: string, columns: number): string {
  return cutText(text, Math.max(1, columns));
}

/** At most `lines` lines of `columns` characters; what is left out is marked. */
export function wrapWords(text: string, columns: number, lines: number): readonly string[] {
  const list: string[] = [];
  let remaining = Array.from(text);
  while (remaining.length > columns && list.length < lines - 1) {
    const space = remaining.lastIndexOf(' ', columns);
    const cut = space > 0 ? space : columns;
    list.push(remaining.slice(0, cut).join(''));
    remaining = remaining.slice(space > 0 ? cut + 1 : cut);
  }
  return [...list, cutText(remaining.join(''), columns)];
}
