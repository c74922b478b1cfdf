/**
 * Search in a small knowledge base: entries by key, found by whole words. The hits have the order of the
 * base.
 */
import { LIMITS } from '../../base/limits.js';
import { holdsWords, keyWordsOf } from './words.js';

export interface KnowledgeEntry {
  readonly key: string;
  readonly text: string;
}

/**
 * The entries whose whole key is in the query, the longest keys first; if there are none, those that contain
 * every significant word of the query in key or text. At most LIMITS.searchHits.
 */
export function search(entries: readonly KnowledgeEntry[], query: string): readonly KnowledgeEntry[] {
  const keyed = entries.map((entry) => ({ entry, words: keyWordsOf(entry.key) }));
  const named = keyed
    .filter(({ words }) => holdsWords(query, words))
    .toSorted((a, b) => b.words.length - a.words.length)
    .map(({ entry }) => entry);
  const asked = keyWordsOf(query);
  const found =
    named.length > 0 ? named : entries.filter(({ key, text }) => holdsWords(`${key} ${text}`, asked));
  return found.slice(0, LIMITS.searchHits);
}
