/**
 * Splits texts into words, for the search and the checks of an answer. A word is a sequence of letters and
 * digits, ignoring case, so "pi" is in "the number pi" but not in "capital".
 */

/** The words of a text, in order, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** Words that a search ignores. */
const STOP_WORDS = new Set(
  'a an the of in on at to for from by with and or is are was were be been do does did has have had it its this that these those there what which who whom whose when where why how much many about as me my please tell give find s'.split(
    ' ',
  ),
);

/** The different words of a text that are no stop words; all words if it has only stop words. */
export function significantWordsOf(text: string): readonly string[] {
  const words = [...new Set(wordsOf(text))];
  const significant = words.filter((word) => !STOP_WORDS.has(word));
  return significant.length === 0 ? words : significant;
}

/** Whether the text contains all of the words; false if there are none. */
export function containsWords(text: string, words: readonly string[]): boolean {
  const present = new Set(wordsOf(text));
  return words.length > 0 && words.every((word) => present.has(word));
}

/**
 * Whether the words of the phrase occur in the text, side by side and in order; false for a phrase without
 * words.
 */
export function containsPhrase(text: string, phrase: string): boolean {
  const [words, phraseWords] = [wordsOf(text), wordsOf(phrase)];
  if (phraseWords.length === 0) return false;
  return words.some((_, start) => phraseWords.every((word, i) => words[start + i] === word));
}
