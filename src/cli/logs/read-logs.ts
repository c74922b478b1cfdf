/**
 * Reads many logs for one command, in this process or in several. Runs, and errors of logs, come in the order
 * of the addresses, however many processes read. Only results ahead of their turn are held in memory.
 */
import { realpathSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { RunSummary } from '../../trajectory/run-summary.js';
import type { Io } from '../terminal/io.js';
import { listedRuns } from './listed-runs.js';
import type { LogReading } from './log-readings.js';

/** One run of a log, or the error that ended the reading of this log. */
export type ReadPart<T> =
  { kind: 'run'; file: string; run: RunSummary; value: T } | { kind: 'failed'; error: unknown };

export type AddressedPart<T> = ReadPart<T> & { address: string };

/** The parts of one log; an error ends it and is its last part. */
export async function* readLog<T>(
  address: string,
  reading: LogReading<T>,
  io: Io,
): AsyncGenerator<ReadPart<T>> {
  try {
    const read = reading(address);
    for (const listed of listedRuns(address, io)) {
      const file = realpathSync(listed.reader.path);
      yield { kind: 'run', file, run: listed.run, value: await read(listed) };
    }
  } catch (error) {
    yield { kind: 'failed', error };
  }
}

/** Reads in this process, one log after the other. Between two runs, signals and clients are served. */
export async function* readHere<T>(
  addresses: readonly string[],
  reading: LogReading<T>,
  io: Io,
): AsyncGenerator<AddressedPart<T>> {
  for (const address of addresses)
    for await (const part of readLog(address, reading, io)) {
      yield { ...part, address };
      await setImmediate();
    }
}
