/**
 * "Did you mean": the known word that is most like an unknown one, or nothing where none is much like it.
 * Used wherever an error names what was not found: scenario keys, tiles, models. Ties go to the first in order.
 */
import { at } from './assert.js';

/** Longer words are compared by their beginning: a name is not an essay. */
const CHARACTERS_MAX = 80;

/** The nearest of `words`, without regard to case; undefined where more than about a third would have to change. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const wanted = word.slice(0, CHARACTERS_MAX).toLowerCase();
  let best: string | undefined;
  let fewest = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of words) {
    const edits = distance(wanted, candidate.slice(0, CHARACTERS_MAX).toLowerCase());
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** Edits (insert, delete, replace) between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, replaced));
    }
    row = next;
  }
  return at(row, b.length);
}
