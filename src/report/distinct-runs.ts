/**
 * Runs that are the same count once: a log that was copied, and a run that was played again and went the same way to the last word, are no further
 * evidence. In: runs in figures; out: those that count, and the others with the run that they repeat.
 */
import { playersOf } from './run-kinds.js';
import type { RunFigures } from './run-figures.js';

export interface RepeatedRun {
  readonly run: RunFigures;
  /** The run that counts in its place. */
  readonly first: RunFigures;
}

export interface DistinctRuns {
  readonly counted: readonly RunFigures[];
  readonly repeated: readonly RepeatedRun[];
}

/** In the order given; of runs that are the same the first counts. */
export function distinctRuns(runs: readonly RunFigures[]): DistinctRuns {
  const known = new Map<string, RunFigures>();
  const counted: RunFigures[] = [];
  const repeated: RepeatedRun[] = [];
  for (const run of runs) {
    const key =
      run.trajectory === null
        ? null
        : JSON.stringify([run.scenario, playersOf(run), run.status, run.trajectory]);
    const first = key === null ? undefined : known.get(key);
    if (first !== undefined) repeated.push({ run, first });
    else {
      counted.push(run);
      if (key !== null) known.set(key, run);
    }
  }
  return { counted, repeated };
}
