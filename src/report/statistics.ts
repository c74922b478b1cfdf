/**
 * The uncertainty of a figure: the few statistics that a report needs, each with its textbook name. Pure;
 * random draws use our own generator with a given seed, so the same runs give the same report.
 */
import { mean } from '../base/mean.js';
import { nextBelow, stream } from '../base/rng.js';

/** From `low` to `high`, both included. */
export interface Interval {
  low: number;
  high: number;
}

/** Of a share: whether it is too uncertain. */
export function isWide({ low, high }: Interval): boolean {
  return high - low > 0.4;
}

/** Of a normal distribution, for 95 %. */
const Z = 1.959_963_984_540_054;

/** The 95 % interval of a share by Wilson (1927), which is valid for few runs too. `of` is at least 1. */
export function wilson(hits: number, total: number): Interval {
  const share = hits / total;
  const scale = 1 + (Z * Z) / total;
  const middle = (share + (Z * Z) / (2 * total)) / scale;
  const half = (Z * Math.sqrt((share * (1 - share)) / total + (Z * Z) / (4 * total * total))) / scale;
  return { low: hits === 0 ? 0 : middle - half, high: hits === total ? 1 : middle + half };
}

/** Fewer values are not enough to estimate their spread. */
export const SCATTER_MIN = 5;
const RESAMPLES = 2000;

/**
 * The 95 % interval of a mean by the bootstrap (percentiles of resampled means); null for fewer than
 * `SCATTER_MIN` values, and if all of them are equal: then nothing is known about their spread, which does
 * not mean that there is none.
 */
export function bootstrapMean(values: readonly number[], seed: string): Interval | null {
  return new Set(values).size === 1 ? null : bootstrap(values, seed, mean);
}

/**
 * The same of any figure of a list, such as a ratio of sums over runs; resamples without the figure are left out.
 * Null for fewer than `SCATTER_MIN` values, and if all resamples have the same figure.
 */
export function bootstrap<T>(
  values: readonly T[],
  seed: string,
  figure: (resampled: readonly T[]) => number | null,
): Interval | null {
  if (values.length < SCATTER_MIN) return null;
  return resampledInterval(seed, 'bootstrap', (resample) => figure(resample(values)));
}

/** As many entries of a list, drawn with replacement. */
type Resample = <T>(list: readonly T[]) => readonly T[];

/** The percentiles of a figure over resamples, whatever these are; null if all have the same figure. */
export function resampledInterval(
  seed: string,
  label: string,
  figure: (resample: Resample) => number | null,
): Interval | null {
  let state = stream(seed, label);
  const resample = <T>(list: readonly T[]): readonly T[] =>
    list.map(() => {
      const draw = nextBelow(state, list.length);
      state = draw.state;
      return list[draw.value] as T;
    });
  const figures = Array.from({ length: RESAMPLES }, () => figure(resample))
    .filter((value) => value !== null)
    .toSorted((a, b) => a - b);
  const at = (share: number): number => figures[Math.floor(share * figures.length)] ?? 0;
  return new Set(figures).size < 2 ? null : { low: at(0.025), high: at(0.975) };
}

/** The probability of at least so many hits if each of `total` trials hits with `chance`. */
export function atLeastByChance(hits: number, total: number, chance: number): number {
  return chance >= 1 ? 1 : Math.max(0, 1 - atMostByChance(hits - 1, total, chance));
}

/**
 * The exact McNemar test: the probability that two equally good players differ at least this unevenly, given
 * how often only `one` and only `other` won. 1 if they never differ.
 */
export function mcnemar(one: number, other: number): number {
  return Math.min(1, 2 * atMostByChance(Math.min(one, other), one + other, 1 / 2));
}

/** `chance` is below 1. */
function atMostByChance(hits: number, total: number, chance: number): number {
  const miss = 1 - chance;
  // `miss ** total`, the first term, underflows if there are many trials: its factors are applied as the terms grow.
  let factorsLeft = total;
  let term = 1;
  let sum = 0;
  for (let k = 0; k <= hits; k++) {
    sum += term;
    term *= ((total - k) / (k + 1)) * (chance / miss);
    for (; term > 1 && factorsLeft > 0; factorsLeft--) {
      term *= miss;
      sum *= miss;
    }
  }
  return sum * miss ** factorsLeft;
}
