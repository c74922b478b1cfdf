/**
 * How sure a figure is: the few statistics that a report needs, each by its textbook name. Pure; where chance is drawn it is our own
 * generator from a given seed, so the same runs give the same report.
 */
import { nextBelow, stream } from '../base/rng.js';

/** From `low` to `high`, both included. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Of a normal distribution, for 95 %. */
const Z = 1.959_963_984_540_054;

/** The 95 % interval of a share by Wilson (1927), which holds for few runs too. `of` is at least 1. */
export function wilson(hits: number, of: number): Interval {
  const share = hits / of;
  const scale = 1 + (Z * Z) / of;
  const middle = (share + (Z * Z) / (2 * of)) / scale;
  const half = (Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of))) / scale;
  return { low: hits === 0 ? 0 : middle - half, high: hits === of ? 1 : middle + half };
}

/** Fewer values are not enough to estimate their spread. */
export const SCATTER_MIN = 5;
const RESAMPLES = 2000;

/**
 * The 95 % interval of a mean by the bootstrap (percentiles of resampled means); null for fewer than `SCATTER_MIN` values, and where all of them are
 * equal: then nothing was seen of how far they scatter, which is not the same as that they don't.
 */
export function bootstrapMean(values: readonly number[], seed: string): Interval | null {
  if (values.length < SCATTER_MIN || new Set(values).size === 1) return null;
  let state = stream(seed, 'bootstrap');
  const means: number[] = [];
  for (let i = 0; i < RESAMPLES; i++) {
    let sum = 0;
    for (let j = 0; j < values.length; j++) {
      const draw = nextBelow(state, values.length);
      state = draw.state;
      sum += values[draw.value] ?? 0;
    }
    means.push(sum / values.length);
  }
  means.sort((a, b) => a - b);
  const at = (share: number): number => means[Math.min(RESAMPLES - 1, Math.floor(share * RESAMPLES))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}

/** The mean; null of nothing. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** So often 1 can be halved without a loss. */
const HALVINGS = 900;

/**
 * The exact McNemar test: how likely it is that two equally good ones differ at least so unevenly, where `one` won alone so often and
 * `other` alone so often. 1 where they never differ.
 */
export function mcnemar(one: number, other: number): number {
  const trials = one + other;
  const fewer = Math.min(one, other);
  // 2 ** -trials is less than any number there is from 1075 trials on: halved as often as is left once the sum has grown.
  let left = Math.max(0, trials - HALVINGS);
  let term = 2 ** -(trials - left);
  let tail = 0;
  for (let k = 0; k <= fewer; k++) {
    tail += term;
    term *= (trials - k) / (k + 1);
    if (left === 0 || term < 1) continue;
    const now = Math.min(left, HALVINGS);
    left -= now;
    tail *= 2 ** -now;
    term *= 2 ** -now;
  }
  tail *= 2 ** -left;
  return Math.min(1, 2 * tail);
}
