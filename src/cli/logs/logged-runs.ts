/**
 * The runs that log addresses mean, for commands that take many: `file.sqlite` is each of its runs,
 * `file.sqlite#run` one. Unreadable files and files without a run are reported, and the others are read.
 */
import { existsSync, realpathSync } from 'node:fs';
import type { ExitCode } from '../../base/errors.js';
import { NoRunError } from '../../log/no-run.js';
import { LogReader } from '../../log/reader.js';
import { RunConflict, SeenRuns } from '../../log/seen-runs.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import { printError, printWarning } from '../text/error-text.js';
import type { Io } from '../terminal/io.js';
import { fromCwd } from '../options/paths.js';
import { logPlaces } from './log-places.js';
import { chooseRun, splitAddress } from './run-address.js';

export interface ListedRun {
  /** Open only until the next run is asked for. */
  readonly reader: LogReader;
  readonly run: RunSummary;
}

/**
 * Does something with each run of each address, by address; what it throws ends that address. The worst exit code of all. Throws UsageError where two
 * logs tell one run differently.
 */
export async function eachLoggedRun(
  places: readonly string[],
  io: Io,
  work: (address: string) => (one: ListedRun) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  const addresses = logPlaces(places, io);
  const without: NoRunError[] = [];
  const seen = new SeenRuns();
  let worst: ExitCode = 0;
  for (const address of addresses) {
    let code: ExitCode = 0;
    try {
      const withRun = work(address);
      for (const one of loggedRuns(address, io)) {
        seen.isCopy(one.run, { file: realpathSync(one.reader.path), name: address });
        code = await withRun(one);
        if (code > worst) worst = code;
      }
    } catch (error) {
      if (error instanceof RunConflict) throw error;
      if (error instanceof NoRunError) without.push(error);
      else code = printError(error, io);
    }
    if (code > worst) worst = code;
  }
  const code = tellWithout(without, { isAll: without.length === addresses.length }, io);
  return code > worst ? code : worst;
}

/** Reports files without a run: as an error if there are no others, otherwise as a warning. */
export function tellWithout(
  without: readonly NoRunError[],
  { isAll }: { readonly isAll: boolean },
  io: Io,
): ExitCode {
  let worst: ExitCode = 0;
  for (const error of without) {
    if (isAll) worst = printError(error, io);
    else printWarning(error.message, io);
  }
  return worst;
}

/**
 * The results for each file with a run, in order; if there are none, the first error is thrown. Other errors
 * are reported.
 */
export function fromLogs<T>(
  addresses: readonly string[],
  io: Io,
  open: (address: string) => T,
): readonly T[] {
  const without: NoRunError[] = [];
  const found = addresses.flatMap((address) => {
    try {
      return [open(address)];
    } catch (error) {
      if (!(error instanceof NoRunError)) throw error;
      without.push(error);
      return [];
    }
  });
  const [first] = without;
  if (found.length === 0 && first !== undefined) throw first;
  tellWithout(without, { isAll: false }, io);
  return found;
}

/** Throws UsageError where there is no such log or run, StorageError where it can't be read. */
function* loggedRuns(address: string, io: Io): Generator<ListedRun> {
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
