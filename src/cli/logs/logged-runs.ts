/**
 * The runs selected by log addresses, for commands that take many: `file.sqlite` selects each of its runs,
 * `file.sqlite#run` one. Unreadable files and files without a run are reported, and the others are read.
 */
import type { ExitCode } from '../../base/errors.js';
import { NoRunError } from '../../log/no-run.js';
import { SeenRuns } from '../../log/seen-runs.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { printError, printWarning } from '../text/error-text.js';
import type { Io } from '../terminal/io.js';
import type { ListedRun } from './listed-runs.js';
import { logPlaces } from './log-places.js';
import { readingOf } from './log-readings.js';
import type { ReadingSpec, ReadValue } from './log-readings.js';
import { readInWorkers } from './log-workers.js';
import { readHere } from './read-logs.js';
import type { AddressedPart } from './read-logs.js';

/** One run of one of the logs, with what was read from it. */
export interface ReadRun<T> {
  address: string;
  run: RunSummary;
  value: T;
}

/**
 * Processes each run of each log; an exception ends the processing of its log. Returns the worst exit code.
 * Throws UsageError if two logs contain the same run with different chains.
 */
export async function eachLoggedRun(
  places: readonly string[],
  io: Io,
  work: (address: string) => (one: ListedRun) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  const addresses = logPlaces(places, io);
  return handleParts(addresses, readHere(addresses, work, io), io, ({ value }) => value);
}

export interface ReadOptions<Spec extends ReadingSpec> {
  spec: Spec;
  /** The number of processes that read; 1 means this one. */
  workers: number;
  modules: readonly EnvironmentModule[];
}

/** The same with one of the readings that several processes can share. */
export async function eachReadRun<Spec extends ReadingSpec>(
  places: readonly string[],
  io: Io,
  { spec, workers, modules }: ReadOptions<Spec>,
  handle: (one: ReadRun<ReadValue<Spec>>) => ExitCode,
): Promise<ExitCode> {
  const addresses = logPlaces(places, io);
  // Before any process starts, so that a module that can't be loaded is reported once.
  const reading = await readingOf(spec, io, modules);
  const parts =
    workers > 1 && addresses.length > 1
      ? readInWorkers(addresses, spec, workers)
      : readHere(addresses, reading, io);
  return handleParts(addresses, parts, io, handle);
}

async function handleParts<T>(
  addresses: readonly string[],
  parts: AsyncIterable<AddressedPart<T>>,
  io: Io,
  handle: (one: ReadRun<T>) => ExitCode,
): Promise<ExitCode> {
  const emptyLogs: NoRunError[] = [];
  const seen = new SeenRuns();
  let worst: ExitCode = 0;
  for await (const part of parts) {
    let code: ExitCode = 0;
    if (part.kind === 'run') {
      const { address, run, value } = part;
      seen.isCopy(run, { file: part.file, name: address });
      code = handle({ address, run, value });
    } else if (part.error instanceof NoRunError) emptyLogs.push(part.error);
    else code = printError(part.error, io);
    if (code > worst) worst = code;
  }
  const code = reportEmptyLogs(emptyLogs, { isAll: emptyLogs.length === addresses.length }, io);
  return code > worst ? code : worst;
}

/** Reports files without a run: as an error if there are no others, otherwise as a warning. */
function reportEmptyLogs(emptyLogs: readonly NoRunError[], { isAll }: { isAll: boolean }, io: Io): ExitCode {
  let worst: ExitCode = 0;
  for (const error of emptyLogs) {
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
  const emptyLogs: NoRunError[] = [];
  const results = addresses.flatMap((address) => {
    try {
      return [open(address)];
    } catch (error) {
      if (!(error instanceof NoRunError)) throw error;
      emptyLogs.push(error);
      return [];
    }
  });
  const [first] = emptyLogs;
  if (results.length === 0 && first !== undefined) throw first;
  reportEmptyLogs(emptyLogs, { isAll: false }, io);
  return results;
}
