/**
 * One table over all scenarios, as in a paper: a row for each player and setting, a column for each scenario,
 * the mean with equal weights for scenarios, and each pair of rows compared on the seeds that both played. Of
 * runs, each distinct one counts once (`distinct-runs.ts`). `figures.ts` has the columns.
 */
import { compareText } from '../base/ids.js';
import { isServerFault } from '../base/problem.js';
import { total } from '../trajectory/named-counts.js';
import { comparisonsOf } from './comparisons.js';
import type { OverviewPair } from './comparisons.js';
import { grouped } from '../base/grouped.js';
import { meanOfMeans, shareInterval } from './paired-statistics.js';
import type { ReportCell } from './report-cell.js';
import { addCounts, countsOf, hasLosses } from './run-counts.js';
import type { RunCounts } from './run-counts.js';
import type { NotPlayedRun } from './not-played.js';
import type { inPlayedOrder } from './run-labels.js';
import { isEnded, playersOf, score, temperatureText } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';
import { spendingPer } from './spending-per.js';
import type { SpendingPer } from './spending-per.js';
import { isWide } from './statistics.js';
import type { Interval } from './statistics.js';

export interface OverviewCell {
  scenario: string;
  /** Null if the row has nothing to do with the scenario: no run, and none that was planned. */
  counts: RunCounts | null;
  /** The share that succeeded; null if none succeeded or failed. */
  success: number | null;
  /** Wilson's interval; null if the seed has no effect. */
  interval: Interval | null;
  isTooSmall: boolean;
  /** All runs of several seeds are identical, so only one counts. */
  ignoresSeed: boolean;
  /** Requests for an action, and those of them to which the server gave no answer, whether a turn was lost or not. */
  requests: number;
  failedRequests: number;
}

export interface OverviewRow extends SpendingPer {
  /** Including settings, as in a cell of the report. */
  players: string;
  temperature: string;
  /** One for each of the table's scenarios, in its order. */
  cells: readonly OverviewCell[];
  /** Over the table's scenarios. */
  counts: RunCounts;
  /**
   * Whether every scenario was played, and every run of it to the end without losing turns to a server: otherwise,
   * the row is never the best.
   */
  isComplete: boolean;
  /** Over the scenarios that every row played, with equal weights; null if there are none. */
  mean: number | null;
  /** The same over all runs, if none of the unfinished and not played ones had succeeded. */
  leastMean: number | null;
  /**
   * By the hierarchical bootstrap over scenarios and seeds, or Wilson's if there is nothing to resample; null
   * for too few runs.
   */
  interval: Interval | null;
  /** There is no interval, or a wide one of shares that all rest on too few runs. */
  isMeanTooSmall: boolean;
  /** Requests whose tokens nobody knows: tokens and costs are at least so much. */
  unknownUsage: number;
  /** Turns lost per step, over the same scenarios with equal weights; null if it is known for none. */
  regret: number | null;
}

export interface Overview {
  scenarios: readonly string[];
  /** The scenarios that every row with a finished run played; only these count in its mean. */
  shared: readonly string[];
  rows: readonly OverviewRow[];
  /** By scenario, the seeds that are won or lost before anybody acts; only scenarios that have some. */
  decidedAtStart: readonly { scenario: string; seeds: readonly string[] }[];
  pairs: readonly OverviewPair[];
}

/** `counted`: the distinct ones of the runs. */
export function overviewOf(
  runs: readonly RunMetrics[],
  counted: readonly RunMetrics[],
  {
    cells,
    notPlayed,
    inOrder,
  }: {
    cells: readonly ReportCell[];
    notPlayed: readonly NotPlayedRun[];
    inOrder: ReturnType<typeof inPlayedOrder>;
  },
): Overview {
  // A scenario that nobody can win has no column; one in which every run was lost does.
  const shown = grouped(cells, ({ scenario }) => scenario).filter(
    (group) => group.some(({ decided }) => decided > 0) || group.every((cell) => cell.runs === 0),
  );
  const scenarios = shown.map(([{ scenario }]) => scenario).toSorted(compareText);
  const byPlayers = grouped(shown.flat(), ({ players }) => players);
  const shared = scenarios.filter((scenario) =>
    byPlayers.every(
      (group) =>
        group.every(({ decided }) => decided === 0) ||
        group.some((cell) => cell.scenario === scenario && cell.decided > 0),
    ),
  );
  const isCounted = new Set(counted);
  const rows = byPlayers
    .map((group) =>
      rowOf(group, {
        scenarios,
        shared,
        all: runs.filter((run) => playersOf(run) === group[0].players && scenarios.includes(run.scenario)),
        isCounted,
      }),
    )
    .toSorted((a, b) => inOrder(a.players, b.players));
  return {
    scenarios,
    shared,
    rows,
    decidedAtStart: shown.flatMap((group) => {
      const seeds = [...new Set(group.flatMap(({ decidedAtStart }) => decidedAtStart))];
      return seeds.length === 0 ? [] : [{ scenario: group[0].scenario, seeds }];
    }),
    pairs: comparisonsOf(
      runs.filter(({ scenario }) => scenarios.includes(scenario)),
      rows.map(({ players }) => players),
      notPlayed.filter(({ scenario }) => scenarios.includes(scenario)),
    ),
  };
}

interface RowInput {
  scenarios: readonly string[];
  shared: readonly string[];
  /** Of the row. */
  all: readonly RunMetrics[];
  isCounted: ReadonlySet<RunMetrics>;
}

function rowOf(
  cells: readonly [ReportCell, ...ReportCell[]],
  { scenarios, shared, all, isCounted }: RowInput,
): OverviewRow {
  const [{ players }] = cells;
  const sharedCells = cells.filter(({ scenario, decided }) => shared.includes(scenario) && decided > 0);
  const groups = sharedCells.map(({ successes, decided }) => [
    ...Array<number>(successes).fill(1),
    ...Array<number>(decided - successes).fill(0),
  ]);
  const mean = meanOfMeans(groups);
  const interval = shareInterval(groups, players);
  const counts = addCounts(cells.map(countsOf));
  return {
    players,
    temperature: temperatureText(cells.map((cell) => cell.temperature)),
    cells: scenarios.map((name): OverviewCell => {
      const cell = cells.find(({ scenario }) => scenario === name);
      return {
        scenario: name,
        counts: cell === undefined ? null : countsOf(cell),
        success: cell?.success?.share ?? null,
        interval: cell?.success?.interval ?? null,
        isTooSmall: cell?.isTooSmall ?? false,
        ignoresSeed: cell?.ignoresSeed ?? false,
        requests: cell?.replies ?? 0,
        failedRequests: Object.entries(cell?.unanswered ?? {}).reduce(
          (sum, [code, times]) => sum + (isServerFault(code) ? times : 0),
          0,
        ),
      };
    }),
    counts,
    isComplete: !hasLosses(counts) && counts.harmed === 0 && cells.length === scenarios.length,
    mean,
    leastMean: hasLosses(counts) ? leastMeanOf(sharedCells, all) : mean,
    interval,
    isMeanTooSmall:
      mean !== null &&
      (interval === null || (isWide(interval) && sharedCells.every(({ isTooSmall }) => isTooSmall))),
    unknownUsage: total(cells.map((cell) => cell.unknownUsage)),
    regret: regretIn(all.filter((run) => isCounted.has(run) && shared.includes(run.scenario))),
    ...spendingPer(all.filter((run) => isCounted.has(run))),
  };
}

function regretIn(runs: readonly RunMetrics[]): number | null {
  const byScenario = grouped(runs.filter(isEnded), ({ scenario }) => scenario);
  return meanOfMeans(byScenario.map((group) => group.flatMap(({ regret }) => regret ?? [])));
}

/** Repeated runs count here: with losses, nobody knows whether the seed has no effect. */
function leastMeanOf(cells: readonly ReportCell[], all: readonly RunMetrics[]): number | null {
  return meanOfMeans(
    cells.map(({ scenario, missing }) => [
      ...all.filter((run) => run.scenario === scenario).map(score),
      ...missing.map(() => 0),
    ]),
  );
}
