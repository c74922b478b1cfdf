/**
 * A report: figures of runs, grouped by scenario and players, and players compared on the seeds that both
 * played. It is one document, which `--json` prints, and from which tables, page and plots are made.
 */
import { compareText } from '../base/ids.js';
import type { BatchRecord } from '../scenario/batch-record.js';
import type { BatchOrigin } from '../log/provenance.js';
import { countAlike, distinctRuns } from './distinct-runs.js';
import type { RepeatedRun } from './distinct-runs.js';
import { grouped } from '../base/grouped.js';
import { notPlayedRuns } from './not-played.js';
import type { NotPlayedRun } from './not-played.js';
import { overviewOf } from './overview.js';
import type { Overview } from './overview.js';
import { moreSeeds } from './power.js';
import type { AgentFigures, RunMetrics } from './run-metrics.js';
import { spendingPer } from './spending-per.js';
import { OVER_RUNS } from './report-cell.js';
import type { Estimate, OverRuns, ReportCell } from './report-cell.js';
import { sumCounts } from '../trajectory/agent-figures.js';
import { sumByName } from '../trajectory/named-counts.js';
import type { NamedCounts } from '../trajectory/named-counts.js';
import {
  cellKey,
  endingOf,
  inPlayedOrder,
  isDecided,
  isEnded,
  isHarmed,
  isWon,
  playersOf,
  score,
  temperatureText,
} from './run-labels.js';
import { mean } from '../base/mean.js';
import { bootstrapMean, isWide, mcnemar, wilson } from './statistics.js';
import { fixedAmong, withVerdicts } from './verdict.js';
import type { FixedPlayers, PairVerdict } from './verdict.js';

/** Two players on the same scenario and the same seeds. */
export interface PlayerPair {
  scenario: string;
  one: string;
  other: string;
  /** Seeds on which both succeeded or failed; of several runs of a seed, the first counts. */
  seeds: number;
  both: number;
  onlyOne: number;
  onlyOther: number;
  neither: number;
  /** Players whose runs are identical on all seeds; if this applies to both, they give one pair. */
  fixed: FixedPlayers;
  /** How many runs of each lost turns to a model's server. */
  harmed: readonly [number, number];
  /**
   * From the exact McNemar test; null if there is nothing to test: neither player depends on the seed, or both
   * won the same seeds.
   */
  p: number | null;
  /** The same with Holm's correction over all pairs of all scenarios, which are shown together. */
  corrected: number | null;
  /** Turns of `one` minus those of `other`, on seeds on which both succeeded; null if there are none. */
  turns: Estimate | null;
  /**
   * Additional seeds until a difference like this one is significant (`power.ts`); null if there was no
   * difference, or too few seeds differ to tell a number, 0 if it already is.
   */
  moreSeeds: number | null;
  verdict: PairVerdict;
}

export interface RunReport {
  runs: readonly RunMetrics[];
  /** By scenario, then players in the order of `inPlayedOrder`. */
  cells: readonly ReportCell[];
  pairings: readonly PlayerPair[];
  /** All scenarios in one table. */
  overview: Overview;
  /** Runs that are identical to another one, which count once. */
  repeated: readonly RepeatedRun[];
  notPlayed: readonly NotPlayedRun[];
  /** The batches whose logs were read; `planned`: the number of runs that belong in these logs. */
  batches: readonly BatchOrigin[];
}

/** `batches`: the plans of the batches whose logs were read. */
export function reportOf(runs: readonly RunMetrics[], batches: readonly BatchRecord[] = []): RunReport {
  // Logs of a batch have its runs in order of arrival, and nothing here may depend on that.
  const ordered = runs.toSorted((a, b) => compareText(a.seed, b.seed) || compareText(a.run, b.run));
  const { counted, repeated } = distinctRuns(ordered);
  const notPlayed = notPlayedRuns(runs, batches);
  const inOrder = inPlayedOrder(runs, batches);
  const isCounted = new Set(counted);
  const played = new Map(grouped(ordered, cellKey).map((group) => [cellKey(group[0]), group]));
  const missing = new Map(grouped(notPlayed, cellKey).map((group) => [cellKey(group[0]), group]));
  const cells = [...new Set([...played.keys(), ...missing.keys()])]
    .map((key) => cellOf(played.get(key) ?? [], isCounted, missing.get(key) ?? []))
    .toSorted((a, b) => compareText(a.scenario, b.scenario) || inOrder(a.players, b.players));
  return {
    runs,
    cells,
    pairings: pairings(ordered, cells),
    overview: overviewOf(ordered, counted, { cells, notPlayed, inOrder }),
    repeated,
    notPlayed,
    batches: batches.map(({ title, plan, runs: { length } }) => ({ title, plan, planned: length })),
  };
}

function cellOf(
  all: readonly RunMetrics[],
  isCounted: ReadonlySet<RunMetrics>,
  notPlayed: readonly NotPlayedRun[],
): ReportCell {
  const runs = all.filter((run) => isCounted.has(run));
  const ended = runs.filter(isEnded);
  // The cell of the first run does not matter: repeats have the same players.
  const ignoresSeed = ended.length === 1 && new Set(all.filter(isEnded).map(({ seed }) => seed)).size > 1;
  const decided = ended.filter(isDecided);
  const won = decided.filter(isWon);
  const [first = notPlayed[0]] = runs;
  const scenario = first?.scenario ?? '';
  const players = first === undefined ? '' : playersOf(first);
  const interval = decided.length === 0 || ignoresSeed ? null : wilson(won.length, decided.length);
  const turns = won.map((run) => run.turns);
  const rewards = ended.flatMap((run) => run.return ?? []);
  const regrets = ended.flatMap((run) => run.regret ?? []);
  return {
    scenario,
    players,
    settings: first?.settings ?? '',
    runs: ended.length,
    harmed: ended.filter(isHarmed).length,
    open: runs.length - ended.length,
    decided: decided.length,
    successes: won.length,
    alike: countAlike(ended),
    repeats: all.length - runs.length,
    missing: notPlayed.map(({ seed }) => seed),
    decidedAtStart: decided.flatMap(({ turns: played, seed }) => (played === 0 ? [seed] : [])),
    ignoresSeed,
    success: decided.length === 0 ? null : { share: won.length / decided.length, interval },
    endings: countsOf(ended.map(endingOf)),
    unfinished: countsOf(runs.filter((run) => !isEnded(run)).map(endingOf)),
    seats: runs[0]?.names.seats ?? {},
    temperature: temperatureText(runs.map((run) => run.temperature)),
    isTooSmall: decided.length > 0 && (interval === null || isWide(interval)),
    turns: estimate(turns, `${scenario}/${players}`),
    return: estimate(rewards, `${scenario}/${players}/return`),
    regret: estimate(regrets, `${scenario}/${players}/regret`),
    ...overRuns(runs),
    ...spendingPer(runs),
  };
}

function overRuns(runs: readonly RunMetrics[]): OverRuns {
  const over = {
    sum: (values: readonly (number | null)[]) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0),
    most: (values: readonly number[]) => Math.max(0, ...values),
    'sum by name': sumByName,
    'sum by agent': sumByAgent,
  };
  const figures = Object.entries(OVER_RUNS).map(([name, how]) => {
    const values = runs.map((run) => run[name as keyof OverRuns]);
    return [name, (over[how] as (values: readonly unknown[]) => unknown)(values)];
  });
  return Object.fromEntries(figures) as OverRuns;
}

function sumByAgent(all: readonly (readonly AgentFigures[])[]): readonly AgentFigures[] {
  const costs = new Map<string, number>();
  for (const { agent, cost } of all.flat()) costs.set(agent, (costs.get(agent) ?? 0) + cost);
  return sumCounts(all).map((counts) => ({ ...counts, cost: costs.get(counts.agent) ?? 0 }));
}

/** A mean over runs. */
export function estimate(values: readonly number[], seed: string): Estimate | null {
  const average = mean(values);
  if (average === null) return null;
  const isOneValue = new Set(values).size === 1;
  return {
    mean: average,
    of: values.length,
    isOneValue,
    interval: bootstrapMean(
      values.toSorted((a, b) => a - b),
      seed,
    ),
  };
}

function countsOf(words: readonly string[]): NamedCounts {
  return sumByName(words.map((word) => ({ [word]: 1 })));
}

function pairings(runs: readonly RunMetrics[], cells: readonly ReportCell[]): readonly PlayerPair[] {
  const pairs = cells.flatMap((one, i) =>
    cells.slice(i + 1).flatMap((other) => {
      if (other.scenario !== one.scenario || !isComparable(one, other)) return [];
      const pairing = pairingOf(one, other, runs);
      return pairing.seeds === 0 ? [] : [pairing];
    }),
  );
  return withVerdicts(
    pairs,
    ({ onlyOne, onlyOther }) => (onlyOne > onlyOther ? 'one' : 'other'),
    ({ differences }, level) => moreSeeds([differences], level),
  ).map(({ differences: _differences, ...pair }) => pair);
}

/**
 * The same players with different settings, or different players with the same settings: if both differ, the
 * cause is unknown.
 */
function isComparable(one: ReportCell, other: ReportCell): boolean {
  const playersWithoutSettings = ({ players, settings }: ReportCell): string =>
    settings === '' ? players : players.slice(0, -settings.length);
  return one.settings === other.settings || playersWithoutSettings(one) === playersWithoutSettings(other);
}

interface UncorrectedPairing extends Omit<PlayerPair, 'corrected' | 'moreSeeds' | 'verdict'> {
  differences: readonly number[];
}

function pairingOf(one: ReportCell, other: ReportCell, runs: readonly RunMetrics[]): UncorrectedPairing {
  const [runsOfOne, runsOfOther] = [bySeed(runs, one), bySeed(runs, other)];
  const all = [...runsOfOne].flatMap(([seed, run]) => {
    const otherRun = runsOfOther.get(seed);
    return otherRun === undefined ? [] : [{ run, twin: otherRun }];
  });
  const fixed = fixedAmong(all.map(({ run, twin }) => [trajectoryOf(run), trajectoryOf(twin)]));
  const pairs = fixed === 'both' ? all.slice(0, 1) : all;
  const wins = (hasOne: boolean, hasOther: boolean) =>
    pairs.filter(({ run, twin }) => isWon(run) === hasOne && isWon(twin) === hasOther);
  const [both, onlyOne, onlyOther] = [wins(true, true), wins(true, false).length, wins(false, true).length];
  return {
    scenario: one.scenario,
    one: one.players,
    other: other.players,
    seeds: pairs.length,
    both: both.length,
    onlyOne,
    onlyOther,
    neither: wins(false, false).length,
    fixed,
    harmed: [
      pairs.filter(({ run }) => isHarmed(run)).length,
      pairs.filter(({ twin }) => isHarmed(twin)).length,
    ],
    p: fixed === 'both' || onlyOne + onlyOther === 0 ? null : mcnemar(onlyOne, onlyOther),
    turns: estimate(
      both.map(({ run, twin }) => run.turns - twin.turns),
      `${one.scenario}/${one.players}/${other.players}`,
    ),
    differences: pairs.map(({ run, twin }) => score(run) - score(twin)),
  };
}

function trajectoryOf({ trajectory, seed }: RunMetrics): string {
  return trajectory ?? seed;
}

function bySeed(
  runs: readonly RunMetrics[],
  { scenario, players }: Pick<ReportCell, 'scenario' | 'players'>,
): ReadonlyMap<string, RunMetrics> {
  const decidedRuns = runs.filter(
    (run) => run.scenario === scenario && playersOf(run) === players && isDecided(run),
  );
  return new Map(decidedRuns.toReversed().map((run) => [run.seed, run]));
}
