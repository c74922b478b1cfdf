/**
 * Reads logs in worker processes of this machine (`--workers N`), over Node's IPC. In: addresses and the
 * reading; out: the same parts in the same order as `readHere`. If a process dies while it reads a log, that
 * is an error of this log, and another process continues with the next.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { recordedError } from '../../batch/workers/error-record.js';
import { StorageError } from '../../base/errors.js';
import { NoRunError } from '../../log/no-run.js';
import type { FromLogWorker, ToLogWorker } from '../log-worker.js';
import type { ReadingSpec, ReadValue } from './log-readings.js';
import type { AddressedPart, ReadPart } from './read-logs.js';

const PROGRAM = fileURLToPath(new URL('../log-worker.js', import.meta.url));

/** The number of logs that each process may read in advance. */
const AHEAD = 16;

/** The parts of one log as they arrive. */
interface LogQueue<T> {
  readonly parts: ReadPart<T>[];
  isDone: boolean;
}

export async function* readInWorkers<Spec extends ReadingSpec>(
  addresses: readonly string[],
  spec: Spec,
  workers: number,
): AsyncGenerator<AddressedPart<ReadValue<Spec>>> {
  const pool = new WorkerPool<ReadValue<Spec>>(addresses, spec, workers);
  try {
    for (const [i, address] of addresses.entries())
      for await (const part of pool.partsOf(i)) yield { ...part, address };
  } finally {
    pool.close();
  }
}

/** A process and the number of the log that it reads; null for none. */
interface LogWorker {
  readonly child: ChildProcess;
  log: number | null;
}

class WorkerPool<T> {
  readonly #addresses: readonly string[];
  readonly #spec: ReadingSpec;
  readonly #ahead: number;
  readonly #queues = new Map<number, LogQueue<T>>();
  readonly #workers = new Set<LogWorker>();
  #next = 0;
  #turn = 0;
  #news: () => void = () => undefined;

  constructor(addresses: readonly string[], spec: ReadingSpec, workers: number) {
    this.#addresses = addresses;
    this.#spec = spec;
    this.#ahead = workers * AHEAD;
    for (let i = 0; i < Math.min(workers, addresses.length); i++) this.#start();
  }

  /** For the log with this number; logs are requested in order. */
  async *partsOf(log: number): AsyncGenerator<ReadPart<T>> {
    this.#turn = log;
    for (const worker of this.#workers) if (worker.log === null) this.#give(worker);
    const queue = this.#queueOf(log);
    while (!queue.isDone || queue.parts.length > 0) {
      if (queue.parts.length === 0)
        await new Promise<void>((resolve) => {
          this.#news = resolve;
        });
      yield* queue.parts.splice(0);
    }
    this.#queues.delete(log);
  }

  close(): void {
    for (const { child } of this.#workers) child.kill();
    this.#workers.clear();
  }

  #start(): void {
    // Its output is not for the user: it reports by messages.
    const child = fork(PROGRAM, [], { serialization: 'advanced', silent: true });
    child.stdout?.resume();
    child.stderr?.resume();
    const worker: LogWorker = { child, log: null };
    this.#workers.add(worker);
    child.on('message', (message) => this.#hear(worker, message as FromLogWorker));
    child.on('exit', (code, signal) => this.#lost(worker, signal ?? `exit code ${String(code)}`));
    child.send({ kind: 'reading', spec: this.#spec } satisfies ToLogWorker);
    this.#give(worker);
  }

  /** The next log, if it is not too far ahead of its turn. */
  #give(worker: LogWorker): void {
    const address = this.#addresses[this.#next];
    if (address === undefined || this.#next > this.#turn + this.#ahead) return;
    worker.log = this.#next++;
    worker.child.send({ kind: 'read', address } satisfies ToLogWorker);
  }

  #hear(worker: LogWorker, message: FromLogWorker): void {
    if (worker.log === null) return;
    const queue = this.#queueOf(worker.log);
    if (message.kind === 'done') {
      queue.isDone = true;
      worker.log = null;
      this.#give(worker);
    } else queue.parts.push(message.kind === 'failed' ? failedPart(message) : (message as ReadPart<T>));
    this.#news();
  }

  #lost(worker: LogWorker, how: string): void {
    if (!this.#workers.delete(worker)) return;
    if (worker.log !== null) {
      const queue = this.#queueOf(worker.log);
      const error = new StorageError(
        `the process that read ${this.#addresses[worker.log] ?? ''} ended: ${how}`,
      );
      queue.parts.push({ kind: 'failed', error });
      queue.isDone = true;
      this.#news();
    }
    if (this.#next < this.#addresses.length) this.#start();
  }

  #queueOf(log: number): LogQueue<T> {
    const queue = this.#queues.get(log) ?? { parts: [], isDone: false };
    this.#queues.set(log, queue);
    return queue;
  }
}

function failedPart({ error, isNoRun }: Extract<FromLogWorker, { kind: 'failed' }>): ReadPart<never> {
  return {
    kind: 'failed',
    error: isNoRun ? new NoRunError(error.message, error.hints) : recordedError(error),
  };
}
