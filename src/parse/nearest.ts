/**
 * The nearest known word to a mistyped one, for messages only: a suggestion never acts. Optimal string alignment distance,
 * at most two edits and less than half of the word.
 */

/** The closest of `known` (the first of equals), or null where none is close. Compared without regard to ASCII case. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > 40) return null;
  const best = { word: null as string | null, edits: Math.min(3, Math.floor((word.length + 1) / 2)) };
  for (const candidate of known) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < best.edits) {
      best.word = candidate;
      best.edits = edits;
    }
  }
  return best.word;
}

function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) row.push(cell(rows, row, { a, b, i, j }));
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

function cell(rows: number[][], row: number[], at: { a: string; b: string; i: number; j: number }): number {
  const { a, b, i, j } = at;
  const above = rows[i - 1] ?? [];
  const cost = a[i - 1] === b[j - 1] ? 0 : 1;
  const edits = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + cost);
  const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return isSwap ? Math.min(edits, (rows[i - 2]?.[j - 2] ?? 0) + 1) : edits;
}
