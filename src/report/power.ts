/**
 * How many seeds distinguish two players: the power of the exact sign test, which is McNemar's. Discordant
 * pairs occur at the observed rate, and each falls to one side with the observed share. In: differences by
 * scenario; out: a number of seeds. Pure.
 */
import { mean } from './statistics.js';
import type { ValueGroups } from './paired-statistics.js';

const POWER = 0.8;
/** Beyond this many more seeds none are counted. */
export const MOST_SEEDS = 1000;
/** Of a binomial distribution, so many standard deviations from its mean hold all of it. */
const REACH = 9;

/**
 * How many more seeds each scenario needs, beside those that it has, until a difference like the one seen is significant at `level` with a power of 80 %;
 * `MOST_SEEDS` + 1 where it takes more than those, null if no difference was seen.
 */
export function moreSeeds(differences: ValueGroups, level: number): number | null {
  const rate = (sign: 1 | -1): number =>
    mean(differences.map((group) => mean(group.map((value) => Math.max(0, sign * value))) ?? 0)) ?? 0;
  const [one, other] = [rate(1), rate(-1)];
  if (Math.abs(one - other) < 1e-9) return null;
  const played = Math.min(...differences.map(({ length }) => length));
  const scenarios = differences.length;
  const told = toldOf({ share: one / (one + other), level, most: (played + MOST_SEEDS) * scenarios });
  let more = 1;
  while (more <= MOST_SEEDS && powerOf((played + more) * scenarios, one + other, told) < POWER) more += 1;
  return more;
}

/** Of so many pairs, each of which is discordant with chance `rate`. */
function powerOf(pairs: number, rate: number, told: readonly number[]): number {
  const [middle, reach] = [pairs * rate, REACH * Math.sqrt(pairs * rate * (1 - rate)) + 1];
  const last = Math.min(pairs, Math.ceil(middle + reach));
  let power = 0;
  for (let d = Math.max(0, Math.floor(middle - reach)); d <= last; d++)
    power += chanceOf(d, pairs, rate) * (told[d] ?? 0);
  return power;
}

interface SignTest {
  /** Of the discordant pairs that fall to one side. */
  readonly share: number;
  readonly level: number;
  readonly most: number;
}

/**
 * For each number of discordant pairs up to `most`, the probability that the two-sided test is significant.
 */
function toldOf({ share, level, most }: SignTest): readonly number[] {
  const told = [0];
  /** The most that the lesser side may have, and how likely it has no more: where both are as good, and where either is the lesser. */
  let fewer = -1;
  let [fair, low, high] = [0, 0, 0];
  for (let d = 1; d <= most; d++) {
    // Who has as many as are allowed may come to have one more with the pair that is new.
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
    told.push(low + high);
  }
  return told;
}

/** The binomial distribution: exactly so many hits of so many. */
function chanceOf(hits: number, of: number, chance: number): number {
  if (hits < 0 || hits > of) return 0;
  if (chance === 0 || chance === 1) return hits === of * chance ? 1 : 0;
  const ways = logFactorial(of) - logFactorial(hits) - logFactorial(of - hits);
  return Math.exp(ways + hits * Math.log(chance) + (of - hits) * Math.log(1 - chance));
}

const LOGS = [0];

function logFactorial(n: number): number {
  for (let i = LOGS.length; i <= n; i++) LOGS.push((LOGS[i - 1] ?? 0) + Math.log(i));
  return LOGS[n] ?? 0;
}
