/**
 * The runs of many logs, each listed once: a copy of a log contains the same runs, and of two logs with
 * different versions of a run, one must be wrong, which is a UsageError that names both files.
 */
import { UsageError } from '../base/errors.js';
import type { RunSummary } from '../trajectory/run-summary.js';

interface SeenRun {
  /** The file itself, whatever it is called. */
  file: string;
  /** The path as the user gave it, for messages. */
  name: string;
  chain: string;
}

export class SeenRuns {
  readonly #runs = new Map<string, SeenRun>();

  /** Whether another log contains it. */
  isCopy({ runId, chain }: RunSummary, { file, name }: Omit<SeenRun, 'chain'>): boolean {
    const seen = this.#runs.get(runId);
    if (seen === undefined) this.#runs.set(runId, { file, name, chain });
    // A run in progress may grow between two reads of one file.
    if (seen === undefined || seen.file === file) return false;
    if (seen.chain !== chain) throw new RunConflict(runId, seen.name, name);
    return true;
  }
}

/** Figures from such logs could not be attributed to one of the two runs. */
class RunConflict extends UsageError {
  constructor(runId: string, one: string, other: string) {
    super(`run ${runId} differs between ${one} and ${other}`, [
      "one is an older copy, or both were continued from the same log: leave out the one that you don't want",
    ]);
  }
}
