/**
 * Texts as words, for the search and the checks of an answer. A word is a sequence of letters and digits, in
 * any case; so "pi" is in "the number pi" and never in "capital".
 */

/** The words of a text, in order, in small letters. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** Words that say little by themselves. */
const LITTLE = new Set(
  'a an the of in on at to for from by with and or is are was were be been do does did has have had it its this that these those there what which who whom whose when where why how much many about as me my please tell give find s'.split(
    ' ',
  ),
);

/** The different words of a text that have a meaning of their own; all of them if none does. */
export function keyWordsOf(text: string): readonly string[] {
  const words = [...new Set(wordsOf(text))];
  const telling = words.filter((word) => !LITTLE.has(word));
  return telling.length === 0 ? words : telling;
}

/** Whether every one of the words is in the text; false for no words. */
export function holdsWords(text: string, words: readonly string[]): boolean {
  const held = new Set(wordsOf(text));
  return words.length > 0 && words.every((word) => held.has(word));
}

/**
 * Whether the words of the phrase occur in the text, side by side and in order; false for a phrase without
 * words.
 */
export function holdsPhrase(text: string, phrase: string): boolean {
  const [words, wanted] = [wordsOf(text), wordsOf(phrase)];
  if (wanted.length === 0) return false;
  return words.some((_, start) => wanted.every((word, i) => words[start + i] === word));
}
