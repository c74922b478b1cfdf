/**
 * The program of a process that reads logs for `report` or `verify` (`--workers N`), started over Node's IPC and ended with the command. It opens logs as
 * the command does and sends what it reads, log by log.
 */
import { errorRecord } from '../batch/workers/error-record.js';
import type { ErrorRecord } from '../batch/workers/error-record.js';
import { NoRunError } from '../log/no-run.js';
import { MODULES } from '../worlds/registry.js';
import { readingOf } from './logs/log-readings.js';
import type { LogReading, ReadingSpec } from './logs/log-readings.js';
import { readLog } from './logs/read-logs.js';
import type { ReadPart } from './logs/read-logs.js';
import { processIo } from './terminal/io.js';

export type ToLogWorker =
  | { readonly kind: 'reading'; readonly spec: ReadingSpec }
  | { readonly kind: 'read'; readonly address: string };

export type FromLogWorker =
  | Extract<ReadPart<unknown>, { kind: 'run' }>
  | { readonly kind: 'failed'; readonly error: ErrorRecord; readonly isNoRun: boolean }
  /** The log has been read to its end. */
  | { readonly kind: 'done' };

const io = processIo();

const send = (message: FromLogWorker): void => {
  if (process.connected) process.send?.(message);
};

let reading: Promise<LogReading<unknown>> | null = null;

async function hear(message: ToLogWorker): Promise<void> {
  if (message.kind === 'reading') {
    reading = readingOf(message.spec, io, MODULES);
    return;
  }
  if (reading === null) return;
  for await (const part of readLog(message.address, await reading, io)) {
    if (part.kind === 'run') send(part);
    else send({ kind: 'failed', error: errorRecord(part.error), isNoRun: part.error instanceof NoRunError });
  }
  send({ kind: 'done' });
}

process.on('message', (message) => void hear(message as ToLogWorker));
process.on('disconnect', () => process.exit(0));
