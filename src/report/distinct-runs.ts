/**
 * Runs that are the same count once: a log that was copied, a seed that was played again and went the same way to the last word, and all seeds of a
 * scenario that went one and the same way, for then the seed changes nothing. Where some seeds went otherwise, those that went alike were drawn alike and
 * count each: to drop them would count wins, which are alike, less often than losses, which are not. In: runs in figures; out: those that count, and the
 * others with the run that they repeat.
 */
import { isEnded, playersOf } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';

export interface RepeatedRun {
  readonly run: RunMetrics;
  /** The run that counts in its place. */
  readonly first: RunMetrics;
}

export interface DistinctRuns {
  readonly counted: readonly RunMetrics[];
  readonly repeated: readonly RepeatedRun[];
}

/** In the order given; of runs that are the same the first counts. */
export function distinctRuns(runs: readonly RunMetrics[]): DistinctRuns {
  const varied = cellsThatVary(runs);
  const known = new Map<string, RunMetrics>();
  const counted: RunMetrics[] = [];
  const repeated: RepeatedRun[] = [];
  for (const run of runs) {
    const { trajectory, status, seed } = run;
    const cell = cellOf(run);
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

/** How many of them went the same way as one before them. */
export function countAlike(runs: readonly RunMetrics[]): number {
  const ways = runs.flatMap(({ trajectory }) => trajectory ?? []);
  return ways.length - new Set(ways).size;
}

/** Scenario and players of which not all runs that came to an end went the same way. */
function cellsThatVary(runs: readonly RunMetrics[]): ReadonlySet<string> {
  const ways = new Map<string, string | null>();
  const varied = new Set<string>();
  for (const run of runs.filter(isEnded)) {
    const cell = cellOf(run);
    if ((ways.get(cell) ?? run.trajectory) !== run.trajectory) varied.add(cell);
    ways.set(cell, run.trajectory);
  }
  return varied;
}

function cellOf(run: RunMetrics): string {
  return JSON.stringify([run.scenario, playersOf(run)]);
}
