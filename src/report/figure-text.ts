/** Figures as text, the same in the table and on the page. */
import { amount, whole } from '../base/counted.js';
import type { Estimate, ReportCell } from './report-cell.js';
import type { OverviewRow } from './overview.js';
import type { NamedCounts } from '../trajectory/named-counts.js';
import { wilson } from './statistics.js';
import type { Interval } from './statistics.js';

/** Marks a value that rests on too few runs. */
export const TOO_FEW_MARK = '°';

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** `72 % (58–83)`; a dash if no run succeeded or failed. */
export function successText({ success }: Pick<ReportCell, 'success'>): string {
  if (success === null) return '–';
  return shareIntervalText(success.share, success.interval);
}

/** `72 % (58–83)`, without the interval if there is none; a dash for null. */
export function shareIntervalText(share: number | null, interval: Interval | null): string {
  if (share === null || interval === null) return shareText(share);
  return `${percent(share)} (${Math.round(interval.low * 100)}–${Math.round(interval.high * 100)})`;
}

/** A dash for null. */
export function shareText(share: number | null): string {
  return share === null ? '–' : percent(share);
}

/** A difference of shares in whole percentage points. */
export function pointsOf(difference: number): number {
  return Math.round(difference * 100);
}

/** The same with its sign: `+12`. */
export function pointsText(difference: number): string {
  const points = pointsOf(difference);
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';
}

/** With two decimals, and a minus sign as wide as a plus: `−1.02`. */
export function signedText(value: number): string {
  return value.toFixed(2).replace('-', '−');
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
export function estimateText(estimate: Estimate | null): string {
  if (estimate === null) return '–';
  const { mean, of, isOneValue, interval } = estimate;
  if (interval !== null) return `${mean.toFixed(1)} (${interval.low.toFixed(1)}–${interval.high.toFixed(1)})`;
  return isOneValue && of > 1 ? `${mean} (all ${of})` : `${mean.toFixed(1)} (n = ${of})`;
}

/** A share of a number; a dash for none. */
export function ratioText(part: number, total: number): string {
  return total === 0 ? '–' : percent(part / total);
}

export function cellTokensText({
  promptTokens,
  replyTokens,
}: Pick<ReportCell, 'promptTokens' | 'replyTokens'>): string {
  return tokenCountText(promptTokens + replyTokens);
}

/** `850`, `12k`, `1.5M`; a dash for none. */
export function tokenCountText(tokens: number): string {
  if (tokens === 0) return '–';
  if (tokens < 10_000) return whole(Math.round(tokens));
  return tokens < 10_000_000 ? `${whole(Math.round(tokens / 1000))}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** The share of prompt tokens that servers had cached; a dash if none reported it. */
export function cachedText({
  cachedTokens,
  cacheToldTokens,
}: Pick<ReportCell, 'cachedTokens' | 'cacheToldTokens'>): string {
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

/**
 * The reasons why fewer runs count than were planned, or than in other rows of the same scenario, one
 * sentence each; nothing if all count.
 */
export function shortfallTexts(
  cell: Pick<ReportCell, 'open' | 'missing' | 'repeats' | 'ignoresSeed' | 'decidedAtStart'>,
): readonly string[] {
  const { open, missing } = cell;
  return [
    ...(open === 0
      ? []
      : [`${amount(open, 'run')} did not finish and ${open === 1 ? 'is' : 'are'} excluded from success`]),
    ...(missing.length === 0
      ? []
      : [
          `${amount(missing.length, 'run')} ${missing.length === 1 ? 'was' : 'were'} not played: ${missing.length === 1 ? 'seed' : 'seeds'} ${listText(missing)}`,
        ]),
    ...(cell.decidedAtStart.length === 0 ? [] : [decidedAtStartText(cell.decidedAtStart)]),
    ...repeatTexts(cell),
  ];
}

/** Of seeds of one scenario: `2 seeds are won or lost before the first turn: 3, 7`. */
export function decidedAtStartText(seeds: readonly string[]): string {
  const isOne = seeds.length === 1;
  return `${amount(seeds.length, 'seed')} ${isOne ? 'is' : 'are'} won or lost before the first turn, whoever plays: ${listText(seeds)}`;
}

/** The maximum number of shown entries of a list. */
const LISTED = 6;

function listText(all: readonly string[]): string {
  const omitted = all.length - LISTED;
  return `${all.slice(0, LISTED).join(', ')}${omitted > 0 ? ` and ${omitted} more` : ''}`;
}

/**
 * The same for a row of the table over all scenarios, as one sentence, with what its losses could change at
 * most; '' if all of its runs count.
 */
export function rowShortfallText({ counts, cells, mean, leastMean }: OverviewRow): string {
  const { notPlayed, unfinished, repeats } = counts;
  const seedIndependent = cells.filter(({ ignoresSeed }) => ignoresSeed).length;
  const unseeded =
    seedIndependent === 0
      ? ''
      : ` (in ${amount(seedIndependent, 'scenario')} the seed changes nothing, so one run of each counts)`;
  const parts = [
    notPlayed === 0 ? '' : `${notPlayed} not played`,
    unfinished === 0 ? '' : `${unfinished} unfinished`,
    repeats === 0 ? '' : `${repeats} identical to another run${unseeded}`,
  ].filter((part) => part !== '');
  if (parts.length === 0) return '';
  const least =
    mean === null || leastMean === null || leastMean === mean
      ? ''
      : `; if none of the runs without a result had succeeded, the mean would be ${percent(leastMean)}`;
  return `not counted: ${parts.join(', ')}${least}`;
}

/** How many runs took the same actions as another one, although their seeds differ; they still count. */
export function identicalRunsTexts({ alike, runs }: Pick<ReportCell, 'alike' | 'runs'>): readonly string[] {
  if (alike === 0) return [];
  return [`${alike} of ${amount(runs, 'run')} took the same actions as a run with another seed`];
}

/** The result of identical runs; nothing if all are different. */
function repeatTexts({
  repeats,
  ignoresSeed,
}: Pick<ReportCell, 'repeats' | 'ignoresSeed'>): readonly string[] {
  if (repeats === 0) return [];
  if (ignoresSeed)
    return [`${repeats + 1} runs, identical step by step: only one distinct run, so no interval`];
  return [
    `${amount(repeats, 'run')} ${repeats === 1 ? 'repeats' : 'repeat'} another run step by step and ${repeats === 1 ? 'is' : 'are'} not counted`,
  ];
}

/** How runs ended, most frequent first: `7 failed: the rat caught Ann`. Limited to `most`. */
export function endingTexts(
  { endings, unfinished }: Pick<ReportCell, 'endings' | 'unfinished'>,
  most: number,
): readonly string[] {
  const all = [...Object.entries(endings), ...Object.entries(unfinished)].toSorted(([, a], [, b]) => b - a);
  const omitted = all.slice(most).reduce((sum, [, times]) => sum + times, 0);
  const shown = all.slice(0, most).map(([ending, times]) => `${whole(times)} ${ending}`);
  return omitted === 0 ? shown : [...shown, `${omitted} otherwise`];
}

/** Unanswered requests, unreadable replies and refused actions, by problem code; nothing if there were none. */
export function problemTexts({
  unanswered,
  unread,
  refused,
}: Pick<ReportCell, 'unanswered' | 'unread' | 'refused'>): readonly string[] {
  return [
    ...countsTexts('no answer', unanswered),
    ...countsTexts('not understood', unread),
    ...countsTexts('refused', refused),
  ];
}

function countsTexts(word: string, counts: NamedCounts): readonly string[] {
  return Object.keys(counts).length === 0 ? [] : [`${word}: ${countList(Object.entries(counts))}`];
}

function countList(counts: readonly (readonly [word: string, times: number])[]): string {
  return counts.map(([word, times]) => `${word} ${whole(times)}`).join(', ');
}

/** `8 forced WAITs: missing 5, late 2, unparsable 1`, and `untimely intents: late 2`; nothing for none. */
export function waitTexts({
  standIns,
  waits,
  untimely,
}: Pick<ReportCell, 'standIns' | 'waits' | 'untimely'>): readonly string[] {
  const forcedWaits =
    standIns === 0 ? [] : [`${amount(standIns, 'forced WAIT')}: ${countList(mostFirst(waits))}`];
  const ignored = mostFirst(untimely);
  return ignored.length === 0 ? forcedWaits : [...forcedWaits, `untimely intents: ${countList(ignored)}`];
}

/** Equal counts by word. */
function mostFirst(counts: NamedCounts): readonly (readonly [word: string, times: number])[] {
  return Object.entries(counts).toSorted(([, a], [, b]) => b - a);
}

const WAITS_LEGEND =
  'forced WAIT: an agent waited because no usable answer came: no intent came (missing), one came after its time (late), or the last attempt had the named problem; untimely intents: intents that came at the wrong time and were ignored.';

/** Explains `waitWords` for runs that were served; '' for others, whose reasons are only problem codes. */
export function waitsLegend(
  cells: readonly Pick<ReportCell, 'ticks' | 'standIns' | 'waits' | 'untimely'>[],
): string {
  return cells.some((cell) => cell.ticks > 0 && waitTexts(cell).length > 0) ? WAITS_LEGEND : '';
}

/** Discarded speculative calls, out of all action calls; nothing if there were none. */
export function discardedTexts({
  wasted,
  replies,
}: Pick<ReportCell, 'wasted' | 'replies'>): readonly string[] {
  return wasted === 0 ? [] : [`${amount(wasted, 'speculative call')} discarded, ${whole(replies)} used`];
}

/** Turns in which the world waited for agents that no one controlled. */
export function uncontrolledTexts({ uncontrolled }: Pick<ReportCell, 'uncontrolled'>): readonly string[] {
  return uncontrolled === 0 ? [] : [`${amount(uncontrolled, 'turn')} without a controller`];
}

/**
 * `90 % (70–97)`: the share of questions answered correctly, with its 95 % interval; a dash if none was
 * asked.
 */
export function probeText({ probes, probesRight }: Pick<ReportCell, 'probes' | 'probesRight'>): string {
  if (probes === 0) return '–';
  return shareIntervalText(probesRight / probes, wilson(probesRight, probes));
}
