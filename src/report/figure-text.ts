/** Figures as text, the same in the table and on the page. */
import { whole } from '../base/counted.js';
import type { Estimate, ReportCell } from './report-cell.js';
import { wilson } from './statistics.js';
import type { Interval } from './statistics.js';

/** Marks a value that rests on too few runs. */
export const TOO_FEW_MARK = '°';

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** `72 % (58–83)`; a dash if no run succeeded or failed. */
export function successText({ success }: ReportCell): string {
  if (success === null) return '–';
  return shareIntervalText(success.share, success.interval);
}

/** `72 % (58–83)`, without the interval if there is none; a dash for null. */
export function shareIntervalText(share: number | null, interval: Interval | null): string {
  if (share === null || interval === null) return shareText(share);
  return `${percent(share)} (${Math.round(interval.low * 100)}–${Math.round(interval.high * 100)})`;
}

/** `90 % (70–97)`: a share of a number with Wilson's interval; a dash for none. */
export function wilsonText(part: number, total: number): string {
  return total === 0 ? '–' : shareIntervalText(part / total, wilson(part, total));
}

/** A dash for null. */
export function shareText(share: number | null): string {
  return share === null ? '–' : percent(share);
}

/** A difference of shares in whole percentage points. */
export function pointsOf(difference: number): number {
  return Math.round(difference * 100);
}

/** A probability: `0.012`, `< 0.001`; a dash for null. */
export function pValueText(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/**
 * `12.3 (10.1–14.0)`; with the number of values if there are too few for an interval, or all are equal: `12.3
 * (n = 3)`, `7 (all 8)`.
 */
export function estimateText(estimate: Estimate | null, digits = 1): string {
  if (estimate === null) return '–';
  const { mean, of, isOneValue, interval } = estimate;
  if (interval !== null)
    return `${mean.toFixed(digits)} (${interval.low.toFixed(digits)}–${interval.high.toFixed(digits)})`;
  return isOneValue && of > 1
    ? `${Number(mean.toFixed(2))} (all ${of})`
    : `${mean.toFixed(digits)} (n = ${of})`;
}

/** A share of a number; a dash for none. */
export function ratioText(part: number, total: number): string {
  return total === 0 ? '–' : percent(part / total);
}

/** `850`, `12k`, `1.5M`; a dash for none. */
export function tokenCountText(tokens: number): string {
  if (tokens === 0) return '–';
  if (tokens < 10_000) return whole(Math.round(tokens));
  return tokens < 10_000_000 ? `${whole(Math.round(tokens / 1000))}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** The share of prompt tokens that servers had cached; a dash if none reported it. */
export function cachedText({ cachedTokens, cacheToldTokens }: ReportCell): string {
  return ratioText(cachedTokens, cacheToldTokens);
}

/** The number of digits of the smallest amount in a column. */
const DIGITS = 2;
const DECIMALS = { least: 2, most: 8 } as const;

/**
 * A column of costs, all with as many decimals as the smallest amount needs; a dash for null. The currency is
 * that of the prices.
 */
export function costColumn(costs: readonly (number | null)[]): readonly string[] {
  const least = Math.min(...costs.flatMap((cost) => cost || []));
  const neededDecimals = DIGITS - 1 - Math.floor(Math.log10(least));
  const decimals = Math.max(DECIMALS.least, Math.min(DECIMALS.most, neededDecimals));
  return costs.map((cost) => (cost === null || cost === 0 ? '–' : cost.toFixed(decimals)));
}
