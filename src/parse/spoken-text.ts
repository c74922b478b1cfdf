/**
 * Reads a text argument as models write it: quoted with any marks, with quotes and apostrophes inside, or bare to the end of the line. The last
 * mark closes the quotation.
 */

export type SpokenText =
  /** `start` and `end` are the text's place in what was given. */
  | { readonly ok: true; readonly start: number; readonly end: number; readonly isQuoted: boolean }
  | { readonly ok: false; readonly why: 'empty' | 'unclosed' | 'rest' | 'unquoted-mix' };

/** What may follow a quotation without being part of it: closing marks. */
const FOLLOWS = /^[ .,!;)\]}*_`]*$/;

/**
 * `text` is normalised: every double mark is ", every single one is '. Emphasis may surround the quotation.
 */
export function readSpoken(text: string): SpokenText {
  const before = /^[*_`]{1,3}(?=["'])/.exec(text)?.[0].length ?? 0;
  const mark = text.charAt(before);
  if (mark !== '"' && mark !== "'") return bare(text);
  const last = lastMark(text, before, mark);
  if (last === null) return { ok: false, why: 'unclosed' };
  if (!FOLLOWS.test(text.slice(last + 1))) return { ok: false, why: 'rest' };
  if (text.slice(before + 1, last).trim() === '') return { ok: false, why: 'empty' };
  return { ok: true, start: before + 1, end: last, isQuoted: true };
}

function bare(text: string): SpokenText {
  if (text.trim() === '') return { ok: false, why: 'empty' };
  if (text.includes('"')) return { ok: false, why: 'unquoted-mix' };
  return { ok: true, start: 0, end: text.trimEnd().length, isQuoted: false };
}

/** Escaped marks and apostrophes within words are part of the text. */
const MARKS = { '"': /(?<escaped>\\[^])|"/g, "'": /(?<escaped>\\[^]|(?<=\p{L})'(?=\p{L}))|'/gu };

/** The place of the last mark after the first. */
function lastMark(text: string, first: number, mark: '"' | "'"): number | null {
  const own = [...text.slice(first + 1).matchAll(MARKS[mark])].filter(
    ({ groups }) => groups?.escaped === undefined,
  );
  const last = own.at(-1);
  return last === undefined ? null : first + 1 + last.index;
}
