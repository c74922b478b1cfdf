/**
 * The runs of one log that an address selects: `file.sqlite` selects each of its runs, `file.sqlite#run` one.
 * Each comes with its open log.
 */
import { existsSync } from 'node:fs';
import { LogReader } from '../../log/reader.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import type { Io } from '../terminal/io.js';
import { fromCwd } from '../options/paths.js';
import { chooseRun, splitAddress } from './run-address.js';

export interface ListedRun {
  /** Open only until the next run is requested. */
  reader: LogReader;
  run: RunSummary;
}

/** Throws UsageError if there is no such log or run, StorageError if it can't be read. */
export function* listedRuns(address: string, io: Io): Generator<ListedRun> {
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
