/**
 * How many seeds distinguish two players: the power of the exact sign test, which is McNemar's. Discordant
 * pairs occur at the observed rate, and each falls to one side with the observed share. Pure.
 */
import { mean } from '../base/mean.js';
import type { ValueGroups } from './paired-statistics.js';

const POWER = 0.8;
/** The maximum number of additional seeds that are considered. */
export const MOST_SEEDS = 1000;
/** Fewer pairs that differ say too little of how often pairs do, and to which side. */
export const DIFFERING_MIN = 10;
/** A binomial distribution is negligible beyond this many standard deviations from its mean. */
const REACH = 9;

/**
 * How many additional seeds each scenario needs until a difference like the observed one is significant at
 * `level` with a power of 80 %; `MOST_SEEDS` + 1 if more than that are needed, null if there was no
 * difference, or if fewer than `DIFFERING_MIN` pairs differ.
 */
export function moreSeeds(differences: ValueGroups, level: number): number | null {
  if (differing(differences) < DIFFERING_MIN) return null;
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

/** How many pairs differ. */
export function differing(differences: ValueGroups): number {
  return differences.flat().filter((value) => value !== 0).length;
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
 * For each number of discordant pairs up to `most`, the probability that the two-sided test is significant:
 * that either side gets no more of them than two equal players would get with a probability below `level` / 2.
 */
function significanceByPairs({ share, level, most }: SignTest): readonly number[] {
  const equal = new BinomialTail(0.5);
  const sides = [new BinomialTail(share), new BinomialTail(1 - share)];
  const significance = [0];
  while (significance.length <= most) {
    for (const tail of [equal, ...sides]) tail.addTrial();
    // One more pair raises the largest significant count by one at most.
    if (2 * equal.withNextHit < level) for (const tail of [equal, ...sides]) tail.addHit();
    significance.push(sides.reduce((sum, { probability }) => sum + probability, 0));
  }
  return significance;
}

/** The probability of at most so many hits; begins without a trial, and with fewer than no hit. */
class BinomialTail {
  readonly #chance: number;
  #trials = 0;
  #hits = -1;
  #probability = 0;

  constructor(chance: number) {
    this.#chance = chance;
  }

  get probability(): number {
    return this.#probability;
  }

  /** What it would be after `addHit`. */
  get withNextHit(): number {
    return this.#probability + chanceOf(this.#hits + 1, this.#trials, this.#chance);
  }

  /** It goes beyond the tail if there were as many hits as allowed before, and this is one, too. */
  addTrial(): void {
    this.#probability -= this.#chance * chanceOf(this.#hits, this.#trials, this.#chance);
    this.#trials += 1;
  }

  addHit(): void {
    this.#probability = this.withNextHit;
    this.#hits += 1;
  }
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
