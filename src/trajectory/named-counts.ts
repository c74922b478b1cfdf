/** Counts by word. Pure. */
import { compareText } from '../base/ids.js';

/** How often something of a kind happened, by its word. */
export type NamedCounts = Readonly<Record<string, number>>;

export function count(counts: Map<string, number>, word: string, times = 1): void {
  counts.set(word, (counts.get(word) ?? 0) + times);
}

/** Sorted by word, without words that did not happen. */
export function namedCounts(counts: ReadonlyMap<string, number>): NamedCounts {
  const happened = [...counts].filter(([, times]) => times > 0);
  return Object.fromEntries(happened.toSorted(([a], [b]) => compareText(a, b)));
}
