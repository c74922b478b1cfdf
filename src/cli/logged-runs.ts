/** The runs that an address of a log means, for commands that take many: `file.sqlite` is each run of it, `file.sqlite#run` one. */
import { existsSync } from 'node:fs';
import { LogReader } from '../log/reader.js';
import type { RunSummary } from '../log/run-summary.js';
import type { Io } from './io.js';
import { fromCwd } from './paths.js';
import { chooseRun, splitAddress } from './show.js';

export interface LoggedRun {
  /** Open only until the next run is asked for. */
  readonly reader: LogReader;
  readonly run: RunSummary;
}

/** Throws UsageError where there is no such log or run, StorageError where it can't be read. */
export function* loggedRuns(address: string, io: Io): Generator<LoggedRun> {
  const { path, runId } = splitAddress(address, (name) => existsSync(fromCwd(io, name)));
  const reader = new LogReader(fromCwd(io, path));
  try {
    const runs = reader.runs();
    const chosen = runId === null && runs.length > 0 ? runs : [chooseRun(runs, runId, address)];
    for (const run of chosen) yield { reader, run };
  } finally {
    reader.close();
  }
}
