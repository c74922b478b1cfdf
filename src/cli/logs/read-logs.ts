/**
 * Many logs read for one command, in this process or in several. In: addresses and a reading; out: what each run gave and what went wrong with a log, in the
 * order of the addresses, however many processes read. Only what is ahead of its turn is held.
 */
import { realpathSync } from 'node:fs';
import type { RunSummary } from '../../trajectory/run-summary.js';
import type { Io } from '../terminal/io.js';
import { listedRuns } from './listed-runs.js';
import type { LogReading } from './log-readings.js';

/** One run of a log, or what ended the reading of it. */
export type ReadPart<T> =
  | { readonly kind: 'run'; readonly file: string; readonly run: RunSummary; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown };

export type AddressedPart<T> = ReadPart<T> & { readonly address: string };

/** The parts of one log; what fails ends it, and is the last one. */
export async function* readLog<T>(
  address: string,
  reading: LogReading<T>,
  io: Io,
): AsyncGenerator<ReadPart<T>> {
  try {
    const read = reading(address);
    for (const one of listedRuns(address, io)) {
      const file = realpathSync(one.reader.path);
      yield { kind: 'run', file, run: one.run, value: await read(one) };
    }
  } catch (error) {
    yield { kind: 'failed', error };
  }
}

/** In this process, one log after the other. */
export async function* readHere<T>(
  addresses: readonly string[],
  reading: LogReading<T>,
  io: Io,
): AsyncGenerator<AddressedPart<T>> {
  for (const address of addresses)
    for await (const part of readLog(address, reading, io)) yield { ...part, address };
}
