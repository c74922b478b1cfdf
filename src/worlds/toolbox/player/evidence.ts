/**
 * Finds evidence for a question in the lines that tools returned: the lines with most of its words, and the
 * numbers to add up. A line counts together with the heading above it. Only words and numbers are compared:
 * no question, text or answer is built in.
 */

/** One line, with the heading of its text; '' if it has none. */
export type EvidenceLine = {
  text: string;
  under: string;
};

/** What is known about a question. */
export interface Evidence {
  /** The lines with most of its words, in the order found; none if no line has more than half of them. */
  best: readonly EvidenceLine[];
  /** Whether they contain all words of the question, or all but one, so that no further search is needed. */
  isSufficient: boolean;
}

/** The lines of a text, each below the text's first line if an empty line follows that one. */
export function linesUnder(lines: readonly string[]): readonly EvidenceLine[] {
  const heading = lines.length > 2 && lines[1]?.trim() === '' ? (lines[0] ?? '') : '';
  return lines.map((text, i) => ({ text, under: i === 0 ? '' : heading }));
}

/** The lines that fit the question best. */
export function evidenceFor(question: string, lines: readonly EvidenceLine[]): Evidence {
  const questionStems = stemsOf(question);
  const countCovered = (words: string): number => {
    const stems = new Set(stemsOf(words));
    return questionStems.filter((word) => stems.has(word)).length;
  };
  const scores = lines.map(({ text, under }) =>
    countCovered(text) === 0 ? 0 : countCovered(`${text} ${under}`),
  );
  const bestScore = Math.max(0, ...scores);
  if (bestScore * 2 <= questionStems.length) return { best: [], isSufficient: false };
  return {
    best: lines.filter((_, i) => scores[i] === bestScore),
    isSufficient: bestScore >= questionStems.length - 1,
  };
}

/**
 * What the question asks to count over several lines ("how many … together"), as spelled there; null if it
 * does not.
 */
export function countedNoun(question: string): string | null {
  const [, thing = null] = /\bhow many ([\p{L}-]+)/iu.exec(question) ?? [];
  return /\b(together|altogether|in all|in total)\b/i.test(question) ? thing : null;
}

/** The numbers right before the thing, one per line that has one, without commas. */
export function numbersOf(thing: string, lines: readonly EvidenceLine[]): readonly string[] {
  return lines.flatMap(({ text }) => {
    const found = [...text.matchAll(/(\d[\d,]*(?:\.\d+)?) ([\p{L}-]+)/gu)];
    const counts = found.filter(([, , noun = '']) => stem(noun) === stem(thing));
    return counts.length === 1 ? counts.map(([, number = '']) => number.replaceAll(',', '')) : [];
  });
}

/**
 * The significant words in lower case: those with at least three letters that are no stop words, each once.
 */
export function significantWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return [...new Set(words.filter((word) => !STOP_WORDS.has(word)))];
}

function stemsOf(text: string): readonly string[] {
  return [...new Set(significantWords(text).map(stem))];
}

function stem(word: string): string {
  const lower = word.toLowerCase();
  return lower.length > 3 && /[^su]s$/.test(lower) ? lower.slice(0, -1) : lower;
}

/** Words that are ignored when a question is compared with a line. */
const STOP_WORDS = new Set(
  'the and was were for who what which when where how many much does did together altogether total'.split(
    ' ',
  ),
);
