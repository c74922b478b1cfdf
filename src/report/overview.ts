/**
 * One table over all scenarios, as a paper shows it: a row for each player and setting, a column for each scenario, their mean with every scenario weighing
 * alike, and each pair of rows compared on the seeds that both played. In: runs in figures, of which rows count
 * each distinct one once (`distinct-runs.ts`); out: a readonly table
 * that text, page, LaTeX and Markdown are made from.
 */
import { compareText } from '../base/ids.js';
import { distinctRuns } from './distinct-runs.js';
import { isDecided, isWon, playersOf } from './run-kinds.js';
import type { RunMetrics } from './run-metrics.js';
import {
  cohensH,
  differenceInterval,
  holm,
  meanOfMeans,
  morePairs,
  shareInterval,
  signFlipTest,
} from './paired-statistics.js';
import type { PairedValues } from './paired-statistics.js';
import type { Interval } from './statistics.js';

export interface OverviewCell {
  readonly scenario: string;
  /** That were won or lost. */
  readonly runs: number;
  /** Share that succeeded; null where nothing was won or lost. */
  readonly success: number | null;
}

export interface OverviewRow {
  /** With settings, as in a cell of the report. */
  readonly players: string;
  readonly temperature: string;
  /** One for each of the table's scenarios, in its order. */
  readonly cells: readonly OverviewCell[];
  readonly runs: number;
  /** Of the scenarios that every row played, each weighing alike; null where there are none. */
  readonly mean: number | null;
  /** By the hierarchical bootstrap over scenarios and seeds, Wilson's where there is nothing to draw from; null for too few runs. */
  readonly interval: Interval | null;
  /** Prompt and reply; of all runs. */
  readonly tokensPerRun: number;
  /** Null where none succeeded. */
  readonly tokensPerSuccess: number | null;
  readonly costPerRun: number;
  readonly costPerSuccess: number | null;
}

export interface OverviewPair {
  readonly one: string;
  readonly other: string;
  readonly scenarios: number;
  /** Scenario and seed that both won or lost. */
  readonly pairs: number;
  /** Success of `one` less that of `other`, -1 to 1, each scenario weighing alike. */
  readonly difference: number;
  readonly interval: Interval | null;
  /** Of the paired randomisation test. */
  readonly p: number;
  /** The same by Holm, over all pairs of the table. */
  readonly corrected: number;
  /** Cohen's h of the two means. */
  readonly effect: number;
  /** Seeds a scenario, beside those that were played, until such a difference would be told; null where none was seen, 0 where it is told. */
  readonly moreSeeds: number | null;
  readonly verdict: 'one' | 'other' | 'too few to tell';
}

export interface Overview {
  readonly scenarios: readonly string[];
  /** Those that every row played, which alone its mean counts. */
  readonly shared: readonly string[];
  readonly rows: readonly OverviewRow[];
  readonly pairs: readonly OverviewPair[];
}

/** Below this chance a difference counts as told. */
const TOLD_BELOW = 0.05;

export function overviewOf(runs: readonly RunMetrics[]): Overview {
  // Logs of a batch hold its runs in the order in which they came: what is drawn from them must not follow from that.
  const decided = runs.filter(isDecided).toSorted(inOrder);
  const { counted } = distinctRuns(decided);
  const scenarios = distinct(decided.map(({ scenario }) => scenario));
  const players = distinct(decided.map(playersOf));
  const by = (list: readonly RunMetrics[], name: string): readonly RunMetrics[] =>
    list.filter((run) => playersOf(run) === name);
  const shared = scenarios.filter((scenario) =>
    players.every((name) => by(counted, name).some((run) => run.scenario === scenario)),
  );
  const rows = players.map((name) => rowOf({ name, own: by(counted, name), scenarios, shared }));
  const pairs = players.flatMap((one, i) =>
    players
      .slice(i + 1)
      .flatMap((other) => pairOf({ one, other }, by(decided, one), by(decided, other)) ?? []),
  );
  return { scenarios, shared, rows, pairs: corrected(pairs) };
}

function inOrder(one: RunMetrics, other: RunMetrics): number {
  return compareText(one.seed, other.seed) || compareText(one.run, other.run);
}

function distinct(list: readonly string[]): readonly string[] {
  return [...new Set(list)].toSorted(compareText);
}

interface RowInput {
  readonly name: string;
  readonly own: readonly RunMetrics[];
  readonly scenarios: readonly string[];
  readonly shared: readonly string[];
}

function rowOf({ name, own, scenarios, shared }: RowInput): OverviewRow {
  const wins = (scenario: string): readonly number[] =>
    own.filter((run) => run.scenario === scenario).map((run) => (isWon(run) ? 1 : 0));
  const groups = shared.map(wins);
  const won = own.filter(isWon).length;
  const sum = (of: (run: RunMetrics) => number): number => own.reduce((total, run) => total + of(run), 0);
  const tokens = sum((run) => run.promptTokens + run.replyTokens);
  const cost = sum((run) => run.cost);
  return {
    players: name,
    temperature: distinct(own.flatMap(({ temperature }) => temperature || [])).join(', '),
    cells: scenarios.map((scenario) => {
      const values = wins(scenario);
      return { scenario, runs: values.length, success: values.length === 0 ? null : meanOfMeans([values]) };
    }),
    runs: own.length,
    mean: meanOfMeans(groups),
    interval: shareInterval(groups, name),
    tokensPerRun: tokens / own.length,
    tokensPerSuccess: won === 0 ? null : tokens / won,
    costPerRun: cost / own.length,
    costPerSuccess: won === 0 ? null : cost / won,
  };
}

type UncorrectedPair = Omit<OverviewPair, 'corrected' | 'verdict' | 'moreSeeds'> & {
  readonly seeds: number | null;
};

/** Null where they share no seed. */
function pairOf(
  { one, other }: Pick<OverviewPair, 'one' | 'other'>,
  ones: readonly RunMetrics[],
  others: readonly RunMetrics[],
): UncorrectedPair | null {
  const groups = distinct(ones.map(({ scenario }) => scenario)).flatMap((scenario) => {
    const pairs = seedPairs(ofScenario(ones, scenario), ofScenario(others, scenario));
    return pairs.length === 0 ? [] : [pairs];
  });
  const differences = groups.map((pairs) => pairs.map(([a, b]) => a - b));
  const difference = meanOfMeans(differences);
  if (difference === null) return null;
  const mean = (side: 0 | 1): number =>
    meanOfMeans(groups.map((pairs) => pairs.map((pair) => pair[side]))) ?? 0;
  return {
    one,
    other,
    scenarios: groups.length,
    pairs: groups.reduce((sum, { length }) => sum + length, 0),
    difference,
    interval: differenceInterval(groups, `${one}/${other}`),
    p: signFlipTest(differences, `${one}/${other}`),
    effect: cohensH(mean(0), mean(1)),
    seeds: morePairs(differences),
  };
}

function ofScenario(runs: readonly RunMetrics[], scenario: string): readonly RunMetrics[] {
  return runs.filter((run) => run.scenario === scenario);
}

/** Success of both by seed, the mean where a seed was played several times; one pair where both went the same ways on all seeds. */
function seedPairs(ones: readonly RunMetrics[], others: readonly RunMetrics[]): readonly PairedValues[] {
  const ways = new Set<string>();
  const pairs = distinct(ones.map(({ seed }) => seed)).flatMap((seed) => {
    const both = [ones, others].map((runs) => runs.filter((run) => run.seed === seed));
    const [a = [], b = []] = both;
    if (a.length === 0 || b.length === 0) return [];
    ways.add(JSON.stringify(both.map((runs) => distinct(runs.map((run) => run.trajectory ?? seed)))));
    return [[shareWon(a), shareWon(b)] as const];
  });
  return ways.size === 1 ? pairs.slice(0, 1) : pairs;
}

function shareWon(runs: readonly RunMetrics[]): number {
  return runs.filter(isWon).length / runs.length;
}

function corrected(pairs: readonly UncorrectedPair[]): readonly OverviewPair[] {
  const all = holm(pairs.map(({ p }) => p));
  return pairs.map(({ seeds, ...pair }, i) => {
    const chance = all[i] ?? 1;
    const isTold = chance < TOLD_BELOW;
    const better = pair.difference > 0 ? 'one' : 'other';
    return {
      ...pair,
      corrected: chance,
      moreSeeds: isTold ? 0 : seeds === null ? null : Math.max(1, seeds),
      verdict: isTold ? better : 'too few to tell',
    };
  });
}
