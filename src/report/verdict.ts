/** The verdict of a comparison of two players on the same seeds. Pure. */

import { holm } from './paired-statistics.js';

export type PairVerdict = 'one' | 'other' | 'not significant' | 'no test';

/**
 * Of two players: how many of them played identically on all of several seeds, and so do not depend on the
 * seed.
 */
export type FixedPlayers = 'both' | 'one' | 'neither';

/** Below this probability, a difference is significant. */
export const SIGNIFICANT_BELOW = 0.05;

/**
 * Holm's correction of the p-values that are shown together, in the given order; `level` is what each must fall
 * below without the correction. Null where nothing was tested.
 */
export function holmTests(
  pValues: readonly (number | null)[],
): readonly { corrected: number | null; level: number }[] {
  const tested = pValues.flatMap((p) => p ?? []);
  const corrected = holm(tested);
  return pValues.map((p) => {
    if (p === null) return { corrected: null, level: SIGNIFICANT_BELOW };
    const rank = tested.filter((other) => other >= p).length;
    return { corrected: corrected[tested.indexOf(p)] ?? 1, level: SIGNIFICANT_BELOW / rank };
  });
}

/** The hashes of both players' runs, seed by seed. */
export function fixedAmong(trajectories: readonly (readonly [string, string])[]): FixedPlayers {
  if (trajectories.length < 2) return 'neither';
  const fixed = ([0, 1] as const).filter((side) => new Set(trajectories.map((way) => way[side])).size === 1);
  return (['neither', 'one', 'both'] as const)[fixed.length] ?? 'neither';
}

/**
 * From a probability, null if there is nothing to test; the number of additional seeds is computed only if
 * they would help.
 */
export function conclusion(
  p: number | null,
  better: 'one' | 'other',
  neededSeeds: () => number | null,
): { verdict: PairVerdict; moreSeeds: number | null } {
  if (p === null) return { verdict: 'no test', moreSeeds: null };
  if (p < SIGNIFICANT_BELOW) return { verdict: better, moreSeeds: 0 };
  return { verdict: 'not significant', moreSeeds: neededSeeds() };
}
