/**
 * "Did you mean": the known word that is most similar to an unknown one, or nothing if none is similar
 * enough. Only for messages: a suggestion is never carried out. Swapping two neighbouring letters counts as
 * one edit.
 */
import { compareText } from './ids.js';

/** Longer words are compared only by their beginnings. */
const CHARACTERS_MAX = 80;

/**
 * The nearest of `known`, ignoring case; undefined if more than a third of the word would have to change (at
 * least 1, at most 4 edits), or more than `edits`. Of equally near ones, the first by code unit.
 */
export function nearest(word: string, known: Iterable<string>, edits?: number): string | undefined {
  const target = word.slice(0, CHARACTERS_MAX).toLowerCase();
  const allowed = edits ?? Math.min(4, Math.max(1, Math.floor(target.length / 3)));
  let best: { word: string; edits: number } | undefined;
  for (const candidate of known) {
    const other = candidate.slice(0, CHARACTERS_MAX).toLowerCase();
    if (Math.abs(other.length - target.length) > allowed) continue;
    const match = { word: candidate, edits: editsBetween(target, other) };
    if (match.edits <= allowed && isBetter(match, best)) best = match;
  }
  return best?.word;
}

interface NearWord {
  word: string;
  edits: number;
}

function isBetter(one: NearWord, best: NearWord | undefined): boolean {
  if (best === undefined || one.edits !== best.edits) return best === undefined || one.edits < best.edits;
  return compareText(one.word, best.word) < 0;
}

/** Optimal string alignment: insert, delete, replace, or swap two neighbours. */
function editsBetween(a: string, b: string): number {
  let older: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(isSwap ? Math.min(edits, (older[j - 2] ?? 0) + 1) : edits);
    }
    [older, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/**
 * A suggestion for a word of a closed list: the most similar one, otherwise all of them after `all`, as in
 * "its agents".
 */
export function meantOf(word: string, known: readonly string[], all: string): string {
  const suggestion = nearest(word, known);
  return suggestion === undefined ? `${all}: ${known.join(', ')}` : `did you mean ${suggestion}?`;
}
