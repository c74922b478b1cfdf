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

/** The hashes of both players' runs, seed by seed. */
export function fixedAmong(trajectories: readonly (readonly [string, string])[]): FixedPlayers {
  if (trajectories.length < 2) return 'neither';
  const fixed = ([0, 1] as const).filter((side) => new Set(trajectories.map((way) => way[side])).size === 1);
  return (['neither', 'one', 'both'] as const)[fixed.length] ?? 'neither';
}

export interface Conclusion {
  /** With Holm's correction over all pairs that are shown together; null if there is nothing to test. */
  corrected: number | null;
  verdict: PairVerdict;
  /** Computed only where more seeds would help; 0 if the difference is significant. */
  moreSeeds: number | null;
}

/** In the given order. `level`: what the pair's p must fall below without the correction. */
export function withVerdicts<Pair extends { p: number | null }>(
  pairs: readonly Pair[],
  betterOf: (pair: Pair) => 'one' | 'other',
  neededSeeds: (pair: Pair, level: number) => number | null,
): readonly (Pair & Conclusion)[] {
  const tested = pairs.flatMap(({ p }) => p ?? []);
  const all = holm(tested);
  return pairs.map((pair) => {
    const { p } = pair;
    if (p === null) return { ...pair, corrected: null, verdict: 'no test', moreSeeds: null };
    const corrected = all[tested.indexOf(p)] ?? 1;
    if (corrected < SIGNIFICANT_BELOW) return { ...pair, corrected, verdict: betterOf(pair), moreSeeds: 0 };
    const level = SIGNIFICANT_BELOW / tested.filter((other) => other >= p).length;
    return { ...pair, corrected, verdict: 'not significant', moreSeeds: neededSeeds(pair, level) };
  });
}
