/**
 * Identical runs count once: a copied log, a seed that was played again with an identical run, and all seeds
 * of a scenario if all of their runs are identical, because then the seed has no effect. If other seeds gave
 * different runs, seeds with identical runs each count: leaving them out would count wins, which are often
 * alike, less than losses, which are not.
 */
import type { BatchRecord } from '../scenario/batch-record.js';
import { grouped } from '../base/grouped.js';
import { cellKey, inPlayedOrder, isEnded, playersOf } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';

export interface RepeatedRun {
  run: RunMetrics;
  /** The run that counts instead. */
  first: RunMetrics;
}

export interface DistinctRuns {
  counted: readonly RunMetrics[];
  repeated: readonly RepeatedRun[];
}

/** In the given order; of identical runs, the first counts. */
export function distinctRuns(runs: readonly RunMetrics[]): DistinctRuns {
  const varied = cellsThatVary(runs);
  const known = new Map<string, RunMetrics>();
  const counted: RunMetrics[] = [];
  const repeated: RepeatedRun[] = [];
  for (const run of runs) {
    const { trajectory, status, seed } = run;
    const cell = cellKey(run);
    const key =
      trajectory === null ? null : JSON.stringify([cell, status, trajectory, varied.has(cell) ? seed : null]);
    const first = key === null ? undefined : known.get(key);
    if (first !== undefined) repeated.push({ run, first });
    else {
      counted.push(run);
      if (key !== null) known.set(key, run);
    }
  }
  return { counted, repeated };
}

/**
 * What was read of runs, those of one scenario and players together, without what repeats another one; `identityOf`
 * says what is told apart. Players are in the order of `inPlayedOrder`.
 */
export function distinctByPlayers<Read extends { run: RunMetrics }>(
  all: readonly Read[],
  identityOf: (one: Read) => readonly unknown[],
  batches: readonly BatchRecord[] = [],
): readonly (readonly [Read, ...Read[]])[] {
  const inOrder = inPlayedOrder(
    all.map(({ run }) => run),
    batches,
  );
  const alike = grouped(all, (one) => JSON.stringify([cellKey(one.run), ...identityOf(one)]));
  const distinct = alike.map(([first]) => first);
  return grouped(distinct, ({ run }) => run.scenario).flatMap((own) =>
    grouped(own, ({ run }) => playersOf(run)).toSorted(([a], [b]) =>
      inOrder(playersOf(a.run), playersOf(b.run)),
    ),
  );
}

/** How many of them are identical to an earlier one. */
export function countAlike(runs: readonly RunMetrics[]): number {
  const trajectories = runs.flatMap(({ trajectory }) => trajectory ?? []);
  return trajectories.length - new Set(trajectories).size;
}

function cellsThatVary(runs: readonly RunMetrics[]): ReadonlySet<string> {
  const trajectoryByCell = new Map<string, string | null>();
  const varied = new Set<string>();
  for (const run of runs.filter(isEnded)) {
    const cell = cellKey(run);
    if ((trajectoryByCell.get(cell) ?? run.trajectory) !== run.trajectory) varied.add(cell);
    trajectoryByCell.set(cell, run.trajectory);
  }
  return varied;
}
