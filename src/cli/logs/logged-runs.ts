/**
 * The runs that addresses of logs mean, for commands that take many: `file.sqlite` is each run of it, `file.sqlite#run` one. What can't be read, or
 * holds no run, is told, and keeps nothing else from being read.
 */
import { existsSync } from 'node:fs';
import type { ExitCode } from '../../base/errors.js';
import { NoRunError } from '../../log/no-run.js';
import { LogReader } from '../../log/reader.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import { printError, printWarning } from '../text/error-text.js';
import type { Io } from '../terminal/io.js';
import { fromCwd } from '../options/paths.js';
import { chooseRun, splitAddress } from './run-address.js';

export interface ListedRun {
  /** Open only until the next run is asked for. */
  readonly reader: LogReader;
  readonly run: RunSummary;
}

/** Does something with each run of each address, by address; what it throws ends that address. The worst exit code of all. */
export async function eachLoggedRun(
  addresses: readonly string[],
  io: Io,
  work: (address: string) => (one: ListedRun) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  const without: NoRunError[] = [];
  let worst: ExitCode = 0;
  for (const address of addresses) {
    let code: ExitCode = 0;
    try {
      const withRun = work(address);
      for (const one of loggedRuns(address, io)) {
        code = await withRun(one);
        if (code > worst) worst = code;
      }
    } catch (error) {
      if (error instanceof NoRunError) without.push(error);
      else code = printError(error, io);
    }
    if (code > worst) worst = code;
  }
  const code = tellWithout(without, { isAll: without.length === addresses.length }, io);
  return code > worst ? code : worst;
}

/** Tells of files that hold no run: an error where there are no others, else in passing. */
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

/** What each file that holds a run gives, in order; where none does, the first one's error is thrown. Others are told. */
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
