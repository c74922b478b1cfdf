/**
 * One table over all scenarios, as in a paper: a row for each player and setting, a column for each scenario,
 * the mean with equal weights for scenarios, and each pair of rows compared on the seeds that both played.
 * In: figures of runs, of which rows count each distinct one once (`distinct-runs.ts`); out: a readonly table
 * from which text, page, LaTeX and Markdown are made.
 */
import { compareText } from '../base/ids.js';
import { distinctRuns } from './distinct-runs.js';
import { inPlayedOrder, isDecided, isWon, playersOf } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';
import {
  cohensH,
  differenceInterval,
  holm,
  meanOfMeans,
  shareInterval,
  signFlipTest,
} from './paired-statistics.js';
import type { PairedValues, ValueGroups } from './paired-statistics.js';
import { moreSeeds } from './power.js';
import { wilson } from './statistics.js';
import type { Interval } from './statistics.js';
import { conclusion, fixedAmong, SIGNIFICANT_BELOW } from './verdict.js';
import type { FixedPlayers, PairVerdict } from './verdict.js';

export interface OverviewCell {
  readonly scenario: string;
  /** The number of runs that succeeded or failed. */
  readonly runs: number;
  /** The share that succeeded; null if none succeeded or failed. */
  readonly success: number | null;
  /** Wilson's interval; null for a single run. */
  readonly interval: Interval | null;
}

export interface OverviewRow {
  /** Including settings, as in a cell of the report. */
  readonly players: string;
  readonly temperature: string;
  /** One for each of the table's scenarios, in its order. */
  readonly cells: readonly OverviewCell[];
  readonly runs: number;
  /** Over the scenarios that every row played, with equal weights; null if there are none. */
  readonly mean: number | null;
  /**
   * By the hierarchical bootstrap over scenarios and seeds, or Wilson's if there is nothing to resample; null
   * for too few runs.
   */
  readonly interval: Interval | null;
  /** Prompt and reply tokens of all runs. */
  readonly tokensPerRun: number;
  /** Null if none succeeded. */
  readonly tokensPerSuccess: number | null;
  readonly costPerRun: number;
  readonly costPerSuccess: number | null;
}

export interface OverviewPair {
  readonly one: string;
  readonly other: string;
  readonly scenarios: number;
  /** Pairs of scenario and seed on which both succeeded or failed. */
  readonly pairs: number;
  /** Success of `one` minus that of `other`, -1 to 1, with equal weights for scenarios. */
  readonly difference: number;
  readonly interval: Interval | null;
  /** Success of each, over the same pairs. */
  readonly shares: readonly [number, number];
  /**
   * `both` if no scenario's seeds have an effect on either, `one` if in some scenario all runs of one of them
   * are identical.
   */
  readonly fixed: FixedPlayers;
  /**
   * From the paired randomisation test; null for one scenario whose seeds have no effect on either, because
   * there is nothing to test.
   */
  readonly p: number | null;
  /** The same with Holm's correction over all pairs of the table. */
  readonly corrected: number | null;
  /** Cohen's h of the two means. */
  readonly effect: number;
  /**
   * Additional seeds per scenario until such a difference is significant; null if no number of seeds would
   * help, 0 if it already is.
   */
  readonly moreSeeds: number | null;
  readonly verdict: PairVerdict;
}

export interface Overview {
  readonly scenarios: readonly string[];
  /** The scenarios that every row played; only these count in its mean. */
  readonly shared: readonly string[];
  readonly rows: readonly OverviewRow[];
  readonly pairs: readonly OverviewPair[];
}

export function overviewOf(runs: readonly RunMetrics[]): Overview {
  // Logs of a batch have its runs in order of arrival, and resampling must not depend on that.
  const decided = runs.filter(isDecided).toSorted(bySeedAndId);
  const { counted } = distinctRuns(decided);
  const scenarios = distinct(decided.map(({ scenario }) => scenario));
  const players = distinct(decided.map(playersOf)).toSorted(inPlayedOrder(runs));
  const runsOf = (list: readonly RunMetrics[], name: string): readonly RunMetrics[] =>
    list.filter((run) => playersOf(run) === name);
  const shared = scenarios.filter((scenario) =>
    players.every((name) => runsOf(counted, name).some((run) => run.scenario === scenario)),
  );
  const rows = players.map((name) => rowOf({ name, countedRuns: runsOf(counted, name), scenarios, shared }));
  const pairs = players.flatMap((one, i) =>
    players
      .slice(i + 1)
      .flatMap((other) => pairOf({ one, other }, runsOf(decided, one), runsOf(decided, other)) ?? []),
  );
  return { scenarios, shared, rows, pairs: withCorrection(pairs) };
}

function bySeedAndId(one: RunMetrics, other: RunMetrics): number {
  return compareText(one.seed, other.seed) || compareText(one.run, other.run);
}

function distinct(list: readonly string[]): readonly string[] {
  return [...new Set(list)].toSorted(compareText);
}

interface RowInput {
  readonly name: string;
  readonly countedRuns: readonly RunMetrics[];
  readonly scenarios: readonly string[];
  readonly shared: readonly string[];
}

function rowOf({ name, countedRuns, scenarios, shared }: RowInput): OverviewRow {
  const wins = (scenario: string): readonly number[] =>
    countedRuns.filter((run) => run.scenario === scenario).map((run) => (isWon(run) ? 1 : 0));
  const groups = shared.map(wins);
  const won = countedRuns.filter(isWon).length;
  const sum = (of: (run: RunMetrics) => number): number =>
    countedRuns.reduce((total, run) => total + of(run), 0);
  const tokens = sum((run) => run.promptTokens + run.replyTokens);
  const cost = sum((run) => run.cost);
  return {
    players: name,
    temperature: distinct(countedRuns.flatMap(({ temperature }) => temperature || [])).join(', '),
    cells: scenarios.map((scenario) => {
      const values = wins(scenario);
      const [runs, hits] = [values.length, values.filter((value) => value === 1).length];
      return {
        scenario,
        runs,
        success: runs === 0 ? null : hits / runs,
        interval: runs < 2 ? null : wilson(hits, runs),
      };
    }),
    runs: countedRuns.length,
    mean: meanOfMeans(groups),
    interval: shareInterval(groups, name),
    tokensPerRun: tokens / countedRuns.length,
    tokensPerSuccess: won === 0 ? null : tokens / won,
    costPerRun: cost / countedRuns.length,
    costPerSuccess: won === 0 ? null : cost / won,
  };
}

interface UncorrectedPair extends Omit<OverviewPair, 'corrected' | 'verdict' | 'moreSeeds'> {
  /** For scenarios whose seeds have an effect. */
  readonly varied: ValueGroups;
}

interface SeedPairs {
  readonly pairs: readonly PairedValues[];
  readonly fixed: FixedPlayers;
}

/** Null if they share no seed. */
function pairOf(
  { one, other }: Pick<OverviewPair, 'one' | 'other'>,
  runsOfOne: readonly RunMetrics[],
  runsOfOther: readonly RunMetrics[],
): UncorrectedPair | null {
  const sharedScenarios = distinct(runsOfOne.map(({ scenario }) => scenario))
    .map((scenario) => seedPairs(ofScenario(runsOfOne, scenario), ofScenario(runsOfOther, scenario)))
    .filter(({ pairs }) => pairs.length > 0);
  const groups = sharedScenarios.map(({ pairs }) => pairs);
  const differences = sharedScenarios.map(differencesOf);
  const difference = meanOfMeans(differences);
  if (difference === null) return null;
  const mean = (side: 0 | 1): number =>
    meanOfMeans(groups.map((pairs) => pairs.map((pair) => pair[side]))) ?? 0;
  const shares = [mean(0), mean(1)] as const;
  const varied = sharedScenarios.filter(({ fixed }) => fixed !== 'both');
  const isConstant = varied.length === 0;
  return {
    one,
    other,
    scenarios: groups.length,
    pairs: groups.reduce((sum, { length }) => sum + length, 0),
    difference,
    interval: differenceInterval(groups, `${one}/${other}`),
    shares,
    fixed: isConstant ? 'both' : varied.some(({ fixed }) => fixed === 'one') ? 'one' : 'neither',
    p: isConstant && groups.length === 1 ? null : signFlipTest(differences, `${one}/${other}`),
    effect: cohensH(...shares),
    varied: varied.map(differencesOf),
  };
}

function differencesOf({ pairs }: SeedPairs): readonly number[] {
  return pairs.map(([one, other]) => one - other);
}

function ofScenario(runs: readonly RunMetrics[], scenario: string): readonly RunMetrics[] {
  return runs.filter((run) => run.scenario === scenario);
}

/**
 * Success of both by seed, the mean if a seed was played several times; one pair if both played identically
 * on all seeds.
 */
function seedPairs(runsOfOne: readonly RunMetrics[], runsOfOther: readonly RunMetrics[]): SeedPairs {
  const trajectories: (readonly [string, string])[] = [];
  const pairs = distinct(runsOfOne.map(({ seed }) => seed)).flatMap((seed) => {
    const both = [runsOfOne, runsOfOther].map((runs) => runs.filter((run) => run.seed === seed));
    const [a = [], b = []] = both;
    if (a.length === 0 || b.length === 0) return [];
    trajectories.push([trajectoriesOf(a), trajectoriesOf(b)]);
    return [[shareWon(a), shareWon(b)] as const];
  });
  const fixed = fixedAmong(trajectories);
  return { pairs: fixed === 'both' ? pairs.slice(0, 1) : pairs, fixed };
}

function trajectoriesOf(runs: readonly RunMetrics[]): string {
  return distinct(runs.map(({ trajectory, seed }) => trajectory ?? seed)).join();
}

function shareWon(runs: readonly RunMetrics[]): number {
  return runs.filter(isWon).length / runs.length;
}

function withCorrection(pairs: readonly UncorrectedPair[]): readonly OverviewPair[] {
  const pValues = pairs.flatMap(({ p }) => p ?? []);
  const correctedValues = holm(pValues);
  return pairs.map(({ varied, ...pair }) => {
    const { p } = pair;
    const corrected = p === null ? null : (correctedValues[pValues.indexOf(p)] ?? 1);
    // The factor of Holm's correction for this one.
    const rank = pValues.filter((other) => p !== null && other >= p).length;
    const better = pair.difference > 0 ? 'one' : 'other';
    const neededSeeds = (): number | null => moreSeeds(varied, SIGNIFICANT_BELOW / rank);
    return { ...pair, corrected, ...conclusion(corrected, better, neededSeeds) };
  });
}
