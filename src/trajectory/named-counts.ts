/** Counts by word. Pure. */
import { compareText } from '../base/ids.js';

/** How often something of a kind happened, by its word. */
export type NamedCounts = Readonly<Record<string, number>>;

export function count(counts: Map<string, number>, word: string, times = 1): void {
  counts.set(word, (counts.get(word) ?? 0) + times);
}

export function total(counts: NamedCounts | readonly number[]): number {
  return Object.values(counts).reduce((sum, times) => sum + times, 0);
}

/** Counts added up word by word, sorted by word. */
export function sumByName<Word extends string>(
  all: readonly Readonly<Record<Word, number>>[],
): Readonly<Record<Word, number>> {
  const sums = new Map<string, number>();
  for (const counts of all)
    for (const [word, times] of Object.entries<number>(counts)) count(sums, word, times);
  return Object.fromEntries([...sums].toSorted(([a], [b]) => compareText(a, b))) as Record<Word, number>;
}

/** Sorted by word, without words that did not happen. */
export function namedCounts(counts: ReadonlyMap<string, number>): NamedCounts {
  const happened = [...counts].filter(([, times]) => times > 0);
  return Object.fromEntries(happened.toSorted(([a], [b]) => compareText(a, b)));
}
