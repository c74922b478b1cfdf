/**
 * Worker processes of this machine that read logs, over Node's IPC. Results come in the order of the items. If
 * a process dies while it reads an item, that is an error of this item, and another process continues with the
 * next.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { recordedError } from '../../base/error-record.js';
import { StorageError } from '../../base/errors.js';
import { NoRunError } from '../../log/no-run.js';
import { PROGRAM_FOLDER } from '../../package/folders.js';
import type { FromLogWorker, ToLogWorker, WorkerItem, WorkerJob } from './worker-messages.js';

const PROGRAM = join(PROGRAM_FOLDER, 'cli', 'log-worker.js');

/** The number of items that each process may read in advance. */
const AHEAD = 16;

export type PooledPart = Exclude<FromLogWorker, { kind: 'failed' | 'done' }> | FailedItem;

/** What ended the reading of an item. */
export interface FailedItem {
  readonly kind: 'failed';
  readonly error: unknown;
}

/** The parts of one item as they arrive. */
interface ItemQueue {
  /** Each with the process that sent it; null if the process has ended. */
  readonly parts: { readonly part: PooledPart; readonly sender: LogWorker | null }[];
  isDone: boolean;
}

/** A process and the number of the item that it reads; null for none. */
interface LogWorker {
  readonly child: ChildProcess;
  item: number | null;
}

export interface PoolOptions<Item> {
  readonly job: WorkerJob;
  readonly items: readonly Item[];
  /** The log of an item, for error messages. */
  readonly logOf: (item: Item) => string;
  readonly workers: number;
}

export class WorkerPool<Item extends WorkerItem> {
  readonly #options: PoolOptions<Item>;
  readonly #maxAhead: number;
  readonly #queues = new Map<number, ItemQueue>();
  readonly #workers = new Set<LogWorker>();
  #nextItem = 0;
  #requestedItem = 0;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(options: PoolOptions<Item>) {
    this.#options = options;
    this.#maxAhead = options.workers * AHEAD;
    for (let i = 0; i < Math.min(options.workers, options.items.length); i++) this.#start();
  }

  /** For the item with this number; items are requested in order. Ends early if the pool is closed. */
  async *partsOf(item: number): AsyncGenerator<PooledPart> {
    this.#requestedItem = item;
    for (const worker of this.#workers) if (worker.item === null) this.#assign(worker);
    const queue = this.#queueOf(item);
    while (!this.#isClosed) {
      const next = queue.parts.shift();
      if (next !== undefined) {
        yield next.part;
        if (next.part.kind === 'rows' && next.sender !== null) post(next.sender, { kind: 'taken' });
      } else if (queue.isDone) break;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
    this.#queues.delete(item);
  }

  /** Ends all processes. */
  close(): void {
    this.#isClosed = true;
    for (const { child } of this.#workers) child.kill();
    this.#workers.clear();
    this.#wake();
  }

  /** `item`: the number of an item that it reads first; null for the next one. */
  #start(item: number | null = null): void {
    // Its output is not for the user: it reports by messages.
    const child = fork(PROGRAM, [], { serialization: 'advanced', silent: true });
    child.stdout?.resume();
    child.stderr?.resume();
    const worker: LogWorker = { child, item: null };
    this.#workers.add(worker);
    child.on('message', (message) => this.#handleMessage(worker, message as FromLogWorker));
    child.on('exit', (code, signal) => this.#handleExit(worker, signal ?? `exit code ${String(code)}`));
    post(worker, { kind: 'job', job: this.#options.job });
    if (item === null) this.#assign(worker);
    else this.#read(worker, item);
  }

  /** Assigns the next item, unless it is too far ahead of the requested one. */
  #assign(worker: LogWorker): void {
    if (this.#nextItem >= this.#options.items.length) return;
    if (this.#nextItem <= this.#requestedItem + this.#maxAhead) this.#read(worker, this.#nextItem++);
  }

  #read(worker: LogWorker, number: number): void {
    worker.item = number;
    const item = this.#options.items[number];
    if (item !== undefined) post(worker, { kind: 'read', item });
  }

  #handleMessage(worker: LogWorker, message: FromLogWorker): void {
    if (this.#isClosed || worker.item === null) return;
    const queue = this.#queueOf(worker.item);
    if (message.kind === 'done') {
      queue.isDone = true;
      worker.item = null;
      this.#assign(worker);
    } else
      queue.parts.push({ part: message.kind === 'failed' ? failedItem(message) : message, sender: worker });
    this.#wake();
  }

  #handleExit(worker: LogWorker, ending: string): void {
    if (!this.#workers.delete(worker)) return;
    // Ctrl-C reached the process before it could ignore the signal, so it has read nothing. The program itself
    // decides whether to stop.
    if (ending === 'SIGINT') return this.#start(worker.item);
    const item = worker.item === null ? undefined : this.#options.items[worker.item];
    if (worker.item !== null && item !== undefined) {
      const queue = this.#queueOf(worker.item);
      const error = new StorageError(`the process that read ${this.#options.logOf(item)} ended: ${ending}`);
      queue.parts.push({ part: { kind: 'failed', error }, sender: null });
      queue.isDone = true;
      this.#wake();
    }
    if (this.#nextItem < this.#options.items.length) this.#start();
  }

  #queueOf(item: number): ItemQueue {
    const queue = this.#queues.get(item) ?? { parts: [], isDone: false };
    this.#queues.set(item, queue);
    return queue;
  }
}

/** A message that can't be sent is no error: the exit of the process is reported anyway. */
function post({ child }: LogWorker, message: ToLogWorker): void {
  if (child.connected) child.send(message, () => undefined);
}

function failedItem({ error, isNoRun }: Extract<FromLogWorker, { kind: 'failed' }>): FailedItem {
  return {
    kind: 'failed',
    error: isNoRun ? new NoRunError(error.message, error.hints) : recordedError(error),
  };
}
