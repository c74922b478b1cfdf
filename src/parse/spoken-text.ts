/**
 * Reads a text argument as models write it: quoted with any marks, with quotes and apostrophes inside, or bare to the
 * end of the line. Which closing mark is meant is decided by what follows it, in one pass.
 */

export type SpokenText =
  /** `start` and `end` are the text's place in what was given. */
  | { readonly ok: true; readonly start: number; readonly end: number; readonly isQuoted: boolean }
  | { readonly ok: false; readonly why: 'empty' | 'unclosed' | 'rest' | 'unquoted-mix' };

/** What may follow a quotation without being part of it: closing marks. */
const FOLLOWS = /^[ .,!;)\]}*_`]*$/;

/** `text` is normalised: every double mark is ", every single one is '. Emphasis may stand around the quotation. */
export function readSpoken(text: string): SpokenText {
  const before = /^[*_`]{1,3}(?=["'])/.exec(text)?.[0].length ?? 0;
  const mark = text.charAt(before);
  if (mark !== '"' && mark !== "'") return bare(text);
  const marks = markPlaces(text, before, mark);
  for (const [count, place] of marks.entries()) {
    const isBalanced = (marks.length - count - 1) % 2 === 0;
    if (!isBalanced || !FOLLOWS.test(text.slice(place + 1))) continue;
    if (text.slice(before + 1, place).trim() === '') return { ok: false, why: 'empty' };
    return { ok: true, start: before + 1, end: place, isQuoted: true };
  }
  return { ok: false, why: marks.length === 0 ? 'unclosed' : 'rest' };
}

function bare(text: string): SpokenText {
  if (text.trim() === '') return { ok: false, why: 'empty' };
  if (text.includes('"')) return { ok: false, why: 'unquoted-mix' };
  return { ok: true, start: 0, end: text.trimEnd().length, isQuoted: false };
}

/** Places of the mark after the first: escaped ones and apostrophes within words are part of the text. */
function markPlaces(text: string, first: number, mark: string): readonly number[] {
  const places: number[] = [];
  for (let i = first + 1; i < text.length; i++) {
    if (text.charAt(i) === '\\') i++;
    else if (text.charAt(i) === mark && !(mark === "'" && isApostrophe(text, i))) places.push(i);
  }
  return places;
}

function isApostrophe(text: string, index: number): boolean {
  return isLetter(text.charAt(index - 1)) && isLetter(text.charAt(index + 1));
}

function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}
