/**
 * The workers of a queue as the batch knows them: which ones are alive, and which of their requests are at a
 * server. In: their messages; out: answers from the batch's one limiter. If a worker is silent for too long,
 * its requests are dropped.
 */
import type { RateLimiters } from '../../model/rate-limiter.js';
import { WorkerRequests } from '../workers/limits.js';
import type { ToBatch, ToWorkers } from './relay.js';

interface KnownWorker {
  readonly requests: WorkerRequests;
  seenMs: number;
}

/** How often a worker reports that it is alive. */
export const ALIVE_REPORT_MS = 2000;
/** After this time without a message, a worker counts as gone. */
const SILENT_MS = 15_000;

export class KnownWorkers {
  readonly #limiters: RateLimiters;
  readonly #say: (message: ToWorkers) => void;
  readonly #workers = new Map<string, KnownWorker>();

  constructor(limiters: RateLimiters, say: (message: ToWorkers) => void) {
    this.#limiters = limiters;
    this.#say = say;
  }

  get count(): number {
    return this.#workers.size;
  }

  hear(message: ToBatch): void {
    const { kind, worker: id } = message;
    if (kind === 'gone') return this.#drop(id);
    const worker = this.#workers.get(id) ?? this.#meet(id);
    worker.seenMs = performance.now();
    if (kind === 'limit') worker.requests.hear(message.message);
    if (kind === 'here') worker.requests.keepOnly(message.requests);
  }

  /** Forgets workers that have been silent for too long. */
  sweep(): void {
    const since = performance.now() - SILENT_MS;
    for (const [id, { seenMs }] of this.#workers) if (seenMs < since) this.#drop(id);
  }

  /** While Redis is down, no request is admitted; workers repeat those that wait. */
  forgetWaiting(): void {
    for (const { requests } of this.#workers.values()) requests.forgetWaiting();
  }

  close(): void {
    for (const id of this.#workers.keys()) this.#drop(id);
  }

  #meet(id: string): KnownWorker {
    const admit = (request: number): void => this.#say({ kind: 'admitted', worker: id, request });
    const worker = { requests: new WorkerRequests(this.#limiters, admit), seenMs: 0 };
    this.#workers.set(id, worker);
    return worker;
  }

  #drop(id: string): void {
    this.#workers.get(id)?.requests.close();
    this.#workers.delete(id);
  }
}
