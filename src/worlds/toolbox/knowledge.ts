/**
 * Searches a small knowledge base by whole words.
 */
import { LIMITS } from '../../base/limits.js';
import { containsWords, significantWordsOf } from './words.js';

export interface KnowledgeEntry {
  key: string;
  text: string;
}

/**
 * The entries whose whole key is in the query, the longest keys first; if there are none, those that contain
 * every significant word of the query in key or text, in the order of the base. At most LIMITS.searchHits.
 */
export function search(entries: readonly KnowledgeEntry[], query: string): readonly KnowledgeEntry[] {
  const keyed = entries.map((entry) => ({ entry, words: significantWordsOf(entry.key) }));
  const keyHits = keyed
    .filter(({ words }) => containsWords(query, words))
    .toSorted((a, b) => b.words.length - a.words.length)
    .map(({ entry }) => entry);
  const queryWords = significantWordsOf(query);
  const hits =
    keyHits.length > 0
      ? keyHits
      : entries.filter(({ key, text }) => containsWords(`${key} ${text}`, queryWords));
  return hits.slice(0, LIMITS.searchHits);
}
