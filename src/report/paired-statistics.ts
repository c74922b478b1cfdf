/**
 * Statistics over several scenarios at once, each with its textbook name: values are in groups (one group per
 * scenario), and every group has equal weight. Pure; random draws use our own generator with a given seed, so
 * the same runs give the same report. For one scenario: `statistics.ts`.
 */
import { nextUint32, stream } from '../base/rng.js';
import { mean } from '../base/mean.js';
import { mcnemar, resampledInterval, SCATTER_MIN, wilson } from './statistics.js';
import type { Interval } from './statistics.js';

/** One list of values per scenario; none of them is empty. */
export type ValueGroups = readonly (readonly number[])[];

/** The number of values up to which all sign flips are enumerated: 2 to this power. */
const ENUMERATED = 12;
const FLIPS = 10_000;

/** The mean of the groups' means; null for an empty list. */
export function meanOfMeans(groups: ValueGroups): number | null {
  return mean(groups.flatMap((group) => mean(group) ?? []));
}

/**
 * The 95 % interval of the mean of means by the hierarchical bootstrap: groups are resampled, and values
 * within each (percentiles). Null for fewer than `SCATTER_MIN` values in all, or if all of them are equal:
 * then there is nothing to resample.
 */
export function hierarchicalBootstrap(groups: ValueGroups, seed: string): Interval | null {
  const all = groups.flat();
  if (all.length < SCATTER_MIN || new Set(all).size === 1) return null;
  return resampledInterval(seed, 'hierarchical-bootstrap', (resample) =>
    meanOfMeans(resample(groups).map((group) => resample(group))),
  );
}

/**
 * The 95 % interval of a mean share over scenarios; null for fewer than `SCATTER_MIN` runs. For one scenario,
 * or if all runs ended in the same way, it is Wilson's, which applies only to these scenarios; otherwise the
 * hierarchical bootstrap's. The values are 0 and 1.
 */
export function shareInterval(groups: ValueGroups, seed: string): Interval | null {
  const all = groups.flat();
  if (all.length < SCATTER_MIN) return null;
  const hits = all.filter((value) => value === 1).length;
  const isOneLevel = groups.length === 1 || hits === 0 || hits === all.length;
  return isOneLevel ? wilson(hits, all.length) : hierarchicalBootstrap(groups, seed);
}

/** Two results of the same seed, from 0 to 1: one for each player. */
export type PairedValues = readonly [number, number];

/** Fewer pairs can't differ significantly, whatever they are: each could fall to either side. */
export const TESTABLE_MIN = 6;

/**
 * The 95 % interval that belongs to `signFlipTest`: the differences from which these do not differ
 * significantly, for the same scenarios. 0 is outside exactly if `p`, that test's, is below `level`. Null for
 * fewer than `TESTABLE_MIN` pairs, or if all differ alike; for shares that do, it is Newcombe's.
 */
export function differenceInterval(
  groups: readonly (readonly PairedValues[])[],
  { seed, p, level }: { seed: string; p: number; level: number },
): Interval | null {
  const all = groups.flat();
  if (all.length < TESTABLE_MIN) return null;
  const differences = groups.map((group) => group.map(([one, other]) => one - other));
  if (new Set(differences.flat()).size === 1)
    return all.flat().every((value) => value === 0 || value === 1) ? newcombe(all) : null;
  const middle = meanOfMeans(differences) ?? 0;
  const [below, above] = distancesKept(differences, { seed, level });
  const [low, high] = [middle - below, middle + above];
  if (p >= level) return { low: Math.min(low, 0), high: Math.max(high, 0) };
  // About values near 0, random flips are less exact than the test.
  return middle > 0
    ? { low: Math.max(low, Number.MIN_VALUE), high }
    : { low, high: Math.min(high, -Number.MIN_VALUE) };
}

/**
 * How far below and above the mean of means a value may be until the sign flips of the differences from it
 * are significant. For each flip, the distance up to which it is as extreme as what was observed follows
 * from two sums: of the flipped differences from the mean, and of the flipped weights.
 */
function distancesKept(
  differences: ValueGroups,
  { seed, level }: { seed: string; level: number },
): readonly [below: number, above: number] {
  const middle = meanOfMeans(differences) ?? 0;
  const scenarios = differences.length;
  const weights = differences.flatMap((group) => group.map(() => 1 / group.length));
  const offsets = differences.flatMap((group) => group.map((value) => (value - middle) / group.length));
  const scale = offsets.reduce((sum, offset) => sum + Math.abs(offset), 0);
  const [below, above]: [number[], number[]] = [[], []];
  const flips = eachFlip(weights.length, seed, (signs) => {
    const [offset, weight] = [flippedSum(offsets, signs), flippedSum(weights, signs)];
    const isAlways = isNear(Math.abs(weight), scenarios);
    const distance = (slope: number): number =>
      isNear(offset / scale, 0) ? (isAlways ? Infinity : 0) : Math.abs(offset) / slope;
    below.push(distance(scenarios - Math.sign(offset) * weight));
    above.push(distance(scenarios + Math.sign(offset) * weight));
  });
  const enough = Math.ceil(level * flips);
  const kept = (distances: readonly number[]): number =>
    Float64Array.from(distances).toSorted().at(-enough) ?? 0;
  return [kept(below), kept(above)];
}

/**
 * The 95 % interval of the difference of two paired shares by Newcombe (1998), method 10: Wilson's intervals
 * of both, combined with their correlation. The values are 0 and 1; at least one pair.
 */
export function newcombe(pairs: readonly PairedValues[]): Interval {
  const total = pairs.length;
  const times = (one: number, other: number): number =>
    pairs.filter((pair) => pair[0] === one && pair[1] === other).length;
  const [both, onlyOne, onlyOther, neither] = [times(1, 1), times(1, 0), times(0, 1), times(0, 0)];
  const [one, other] = [both + onlyOne, both + onlyOther];
  const [a, b] = [spreadOf(one, total), spreadOf(other, total)];
  const product = both * neither - onlyOne * onlyOther;
  const corrected = product > 0 ? Math.max(0, product - total / 2) : product;
  const margins = one * (total - one) * other * (total - other);
  const correlation = margins === 0 ? 0 : corrected / Math.sqrt(margins);
  const distance = (x: number, y: number): number =>
    Math.sqrt(Math.max(0, x * x - 2 * correlation * x * y + y * y));
  const difference = (one - other) / total;
  return { low: difference - distance(a.below, b.above), high: difference + distance(a.above, b.below) };
}

function spreadOf(hits: number, total: number) {
  const { low, high } = wilson(hits, total);
  return { below: hits / total - low, above: high - hits / total };
}

/**
 * The paired randomisation test (Fisher's sign flips), two-sided: the probability of a mean of means at least
 * as far from 0 if each difference could equally well have the other sign. Exact for few differences, and if
 * all have equal weight, which makes it McNemar's; otherwise 10,000 flips.
 */
export function signFlipTest(differences: ValueGroups, seed: string): number {
  const weights = differences
    .flatMap((group) => group.map((value) => value / group.length))
    .filter((weight) => weight !== 0);
  const up = weights.filter((weight) => weight > 0).length;
  const [first = 0] = weights;
  if (weights.every((weight) => isNear(Math.abs(weight), Math.abs(first))))
    return mcnemar(up, weights.length - up);
  const observed = Math.abs(weights.reduce((sum, weight) => sum + weight, 0));
  let asExtreme = 0;
  const flips = eachFlip(weights.length, seed, (signs) => {
    if (isAsExtreme(flippedSum(weights, signs), observed)) asExtreme += 1;
  });
  return asExtreme / flips;
}

/**
 * Visits the flips of so many signs, 1 or -1 each: all of them, or, of too many values, none flipped and
 * `FLIPS` random ones. Returns how many were visited.
 */
function eachFlip(values: number, seed: string, visit: (signs: Int8Array) => void): number {
  const signs = new Int8Array(values).fill(1);
  if (values <= ENUMERATED) {
    for (let flip = 0; flip < 2 ** values; flip++)
      visit(signs.map((_, j) => (((flip >> j) & 1) === 1 ? -1 : 1)));
    return 2 ** values;
  }
  visit(signs);
  let draw = nextUint32(stream(seed, 'sign-flips'));
  for (let i = 0; i < FLIPS; i++) {
    for (let j = 0; j < values; j++) {
      if (j % 32 === 0) draw = nextUint32(draw.state);
      signs[j] = ((draw.value >>> (j % 32)) & 1) === 1 ? -1 : 1;
    }
    visit(signs);
  }
  return FLIPS + 1;
}

function flippedSum(values: readonly number[], signs: Int8Array): number {
  return values.reduce((sum, value, j) => sum + value * (signs[j] ?? 0), 0);
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) < 1e-9;
}

/** Sums of the same weights in a different order differ in their last digits. */
function isAsExtreme(sum: number, observed: number): boolean {
  return Math.abs(sum) >= observed - 1e-9;
}

/** Holm's correction (1979): each p-value, corrected for the number of tests. In the given order. */
export function holm(values: readonly number[]): readonly number[] {
  const order = values.map((_, i) => i).toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const corrected = values.map(() => 1);
  let running = 0;
  for (const [rank, i] of order.entries()) {
    running = Math.max(running, Math.min(1, (values[i] ?? 1) * (values.length - rank)));
    corrected[i] = running;
  }
  return corrected;
}

/** Cohen's h, the effect size of two shares: 0.2 is small, 0.5 medium, 0.8 large. */
export function cohensH(one: number, other: number): number {
  const angle = (share: number): number => 2 * Math.asin(Math.sqrt(Math.min(1, Math.max(0, share))));
  return angle(one) - angle(other);
}
