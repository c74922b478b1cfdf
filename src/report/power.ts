/**
 * How many seeds distinguish two players: the power of the exact sign test, which is McNemar's. Discordant
 * pairs occur at the observed rate, and each falls to one side with the observed share. Pure.
 */
import { mean } from './statistics.js';
import type { ValueGroups } from './paired-statistics.js';

const POWER = 0.8;
/** The maximum number of additional seeds that are considered. */
export const MOST_SEEDS = 1000;
/** A binomial distribution is negligible beyond this many standard deviations from its mean. */
const REACH = 9;

/**
 * How many additional seeds each scenario needs until a difference like the observed one is significant at
 * `level` with a power of 80 %; `MOST_SEEDS` + 1 if more than that are needed, null if there was no
 * difference.
 */
export function moreSeeds(differences: ValueGroups, level: number): number | null {
  const rate = (sign: 1 | -1): number =>
    mean(differences.map((group) => mean(group.map((value) => Math.max(0, sign * value))) ?? 0)) ?? 0;
  const [one, other] = [rate(1), rate(-1)];
  if (Math.abs(one - other) < 1e-9) return null;
  const played = Math.min(...differences.map(({ length }) => length));
  const scenarios = differences.length;
  const significance = significanceByPairs({
    share: one / (one + other),
    level,
    most: (played + MOST_SEEDS) * scenarios,
  });
  let extraSeeds = 1;
  while (
    extraSeeds <= MOST_SEEDS &&
    powerOf((played + extraSeeds) * scenarios, one + other, significance) < POWER
  )
    extraSeeds += 1;
  return extraSeeds;
}

/** For this many pairs, each of which is discordant with probability `rate`. */
function powerOf(pairs: number, rate: number, significance: readonly number[]): number {
  const [middle, reach] = [pairs * rate, REACH * Math.sqrt(pairs * rate * (1 - rate)) + 1];
  const last = Math.min(pairs, Math.ceil(middle + reach));
  let power = 0;
  for (let d = Math.max(0, Math.floor(middle - reach)); d <= last; d++)
    power += chanceOf(d, pairs, rate) * (significance[d] ?? 0);
  return power;
}

interface SignTest {
  /** The share of the discordant pairs that falls to one side. */
  share: number;
  level: number;
  most: number;
}

/**
 * For each number of discordant pairs up to `most`, the probability that the two-sided test is significant.
 */
function significanceByPairs({ share, level, most }: SignTest): readonly number[] {
  const significance = [0];
  /**
   * The largest count of the smaller side that is still significant, and the probability that it has no more:
   * under equal strength, and if either side is the smaller.
   */
  let fewer = -1;
  let [fair, low, high] = [0, 0, 0];
  for (let d = 1; d <= most; d++) {
    // A side that already has as many as allowed may get one more from the new pair.
    fair -= chanceOf(fewer, d - 1, 0.5) / 2;
    low -= chanceOf(fewer, d - 1, share) * share;
    high -= chanceOf(fewer, d - 1, 1 - share) * (1 - share);
    const next = chanceOf(fewer + 1, d, 0.5);
    if (2 * (fair + next) < level) {
      fewer += 1;
      fair += next;
      low += chanceOf(fewer, d, share);
      high += chanceOf(fewer, d, 1 - share);
    }
    significance.push(low + high);
  }
  return significance;
}

/** The binomial distribution: the probability of exactly this many hits. */
function chanceOf(hits: number, trials: number, chance: number): number {
  if (hits < 0 || hits > trials) return 0;
  if (chance === 0 || chance === 1) return hits === trials * chance ? 1 : 0;
  const logCombinations = logFactorial(trials) - logFactorial(hits) - logFactorial(trials - hits);
  return Math.exp(logCombinations + hits * Math.log(chance) + (trials - hits) * Math.log(1 - chance));
}

const LOG_FACTORIALS = [0];

function logFactorial(n: number): number {
  for (let i = LOG_FACTORIALS.length; i <= n; i++)
    LOG_FACTORIALS.push((LOG_FACTORIALS[i - 1] ?? 0) + Math.log(i));
  return LOG_FACTORIALS[n] ?? 0;
}
