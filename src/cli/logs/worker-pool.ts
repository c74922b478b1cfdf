/**
 * Worker processes of this machine that read logs. Results come in the order of the items. If a process dies
 * while it reads an item, that is an error of this item, and another process continues with the next.
 */
import { join } from 'node:path';
import { recordedError } from '../../base/error-record.js';
import { StorageError } from '../../base/errors.js';
import { WorkerProcess } from '../../batch/workers/worker-process.js';
import { NoRunError } from '../../log/no-run.js';
import { PROGRAM_FOLDER } from '../../package/folders.js';
import type { FromLogWorker, ToLogWorker, WorkerItem, WorkerJob } from './worker-messages.js';

const PROGRAM = join(PROGRAM_FOLDER, 'cli', 'log-worker.js');

/** The number of items that each process may read in advance. */
const AHEAD = 16;

/** A part of an item, or what ended the reading of it. */
export type PooledPart =
  Exclude<FromLogWorker, { kind: 'failed' | 'done' }> | { kind: 'failed'; error: unknown };

type LogReaderProcess = WorkerProcess<ToLogWorker, FromLogWorker>;

export interface PoolOptions<Item> {
  job: WorkerJob;
  items: readonly Item[];
  /** The log of an item, for error messages. */
  logOf: (item: Item) => string;
  workers: number;
  /** Ends all processes. */
  signal?: AbortSignal;
}

/** The processes end with the generator. */
export async function* readInPool<Item extends WorkerItem>({
  job,
  items,
  logOf,
  workers,
  signal,
}: PoolOptions<Item>): AsyncGenerator<{ item: Item; part: PooledPart }> {
  const readings = items.map((item) => ({
    item,
    parts: [] as { part: PooledPart; reader: LogReaderProcess }[],
    isDone: false,
  }));
  const unread = readings.entries();
  const readers = new Set<LogReaderProcess>();
  const waiting: (() => void)[] = [];
  let requested = 0;
  let isClosed = false;
  const isTooFarAhead = (number: number): boolean => !isClosed && number > requested + workers * AHEAD;
  const untilWoken = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  const wake = (): void => {
    for (const one of waiting.splice(0)) one();
  };
  const close = (): void => {
    isClosed = true;
    for (const reader of readers) reader.kill('SIGTERM');
    wake();
  };

  /** One item after another in one process, or in another if it dies. */
  const readOn = async (): Promise<void> => {
    let receive: (message: FromLogWorker) => void = () => undefined;
    const start = (): LogReaderProcess => {
      const reader: LogReaderProcess = new WorkerProcess(PROGRAM, null, (message) => receive(message));
      reader.send({ kind: 'job', job });
      readers.add(reader);
      return reader;
    };
    let reader: LogReaderProcess | null = null;
    for (const [number, reading] of unread) {
      while (isTooFarAhead(number)) await untilWoken();
      let ending: string | null = null;
      do {
        if (isClosed) return;
        const current: LogReaderProcess = reader === null || reader.isGone ? start() : reader;
        reader = current;
        const done = new Promise<null>((resolve) => {
          receive = (message) => {
            if (message.kind === 'done') return resolve(null);
            const part = message.kind === 'failed' ? failedPart(message) : message;
            reading.parts.push({ part, reader: current });
            wake();
          };
        });
        current.send({ kind: 'read', item: reading.item });
        ending = await Promise.race([done, current.ended]);
        // Ctrl-C reached the process before it could ignore the signal, so it has read nothing. The program
        // itself decides whether to stop.
      } while (ending?.startsWith('was killed by SIGINT') === true);
      if (ending !== null && reader !== null) {
        const error = new StorageError(`the process that read ${logOf(reading.item)} ${ending}`);
        reading.parts.push({ part: { kind: 'failed', error }, reader });
      }
      reading.isDone = true;
      wake();
    }
  };

  signal?.addEventListener('abort', close);
  try {
    for (let i = 0; i < Math.min(workers, items.length); i++) void readOn();
    for (const [number, reading] of readings.entries()) {
      requested = number;
      wake();
      for (;;) {
        signal?.throwIfAborted();
        const next = reading.parts.shift();
        if (next !== undefined) {
          yield { item: reading.item, part: next.part };
          if (next.part.kind === 'rows') next.reader.send({ kind: 'taken' });
        } else if (reading.isDone) break;
        else await untilWoken();
      }
    }
  } finally {
    signal?.removeEventListener('abort', close);
    close();
  }
}

function failedPart({ error, isNoRun }: Extract<FromLogWorker, { kind: 'failed' }>): PooledPart {
  return {
    kind: 'failed',
    error: isNoRun ? new NoRunError(error.message, error.hints) : recordedError(error),
  };
}
