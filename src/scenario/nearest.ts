/**
 * Did you mean …? The nearest of some known words, by edit distance with swapped neighbours counting once, so that
 * every message about an unknown word can name the one that was probably meant.
 */
import { compareText } from '../base/ids.js';

/** Candidates that are compared, so that thousands of ids do not take seconds. */
const CANDIDATES = 2000;

/** Words longer than this are not compared: no name in a scenario is. */
const LONGEST = 64;

/** The nearest word, or undefined where none is near enough (a third of the length, at least 1, at most 4 edits). */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  if (wanted.length > LONGEST) return undefined;
  const allowed = Math.min(4, Math.max(1, Math.floor(wanted.length / 3)));
  let best: { word: string; edits: number } | undefined;
  let compared = 0;
  for (const candidate of known) {
    if (Math.abs(candidate.length - wanted.length) > allowed) continue;
    if (++compared > CANDIDATES) break;
    const edits = distance(wanted, candidate.toLowerCase(), allowed);
    if (edits > allowed) continue;
    const better =
      best === undefined ||
      edits < best.edits ||
      (edits === best.edits && compareText(candidate, best.word) < 0);
    if (better) best = { word: candidate, edits };
  }
  return best?.word;
}

/** "did you mean X?", or the whole list where it is short and nothing is near; undefined where neither helps. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known);
  if (near !== undefined) return `did you mean '${near}'?`;
  if (known.length === 0 || known.length > 24) return undefined;
  return `known: ${known.toSorted(compareText).join(', ')}`;
}

/** Edits from a to b; any number above `allowed` where it takes more. */
function distance(a: string, b: string, allowed: number): number {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) edits = Math.min(edits, (older[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    if (Math.min(...row) > allowed && Math.min(...last) > allowed) return allowed + 1;
    older = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
