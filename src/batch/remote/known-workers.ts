/**
 * The workers of a queue as the batch knows them: which ones are alive, and which of their requests are at a
 * server. The batch's one limiter answers them. If a worker is silent for too long, its requests are dropped.
 */
import type { RateLimiters } from '../../model/rate-limiter.js';
import { WorkerRequests } from '../workers/limits.js';
import type { ToBatch, ToWorkers } from './relay.js';

interface KnownWorker {
  requests: WorkerRequests;
  seenMs: number;
}

/** How often a worker reports that it is alive. */
export const ALIVE_REPORT_MS = 2000;
/** After this time without a message, a worker counts as gone. */
const SILENT_MS = 15_000;

export class KnownWorkers {
  readonly #limiters: RateLimiters;
  readonly #send: (message: ToWorkers) => void;
  readonly #workers = new Map<string, KnownWorker>();

  constructor(limiters: RateLimiters, send: (message: ToWorkers) => void) {
    this.#limiters = limiters;
    this.#send = send;
  }

  get count(): number {
    return this.#workers.size;
  }

  receive(message: ToBatch): void {
    const { kind, worker: id } = message;
    if (kind === 'gone') return this.#drop(id);
    const worker = this.#workers.get(id) ?? this.#register(id);
    worker.seenMs = performance.now();
    if (kind === 'limit') worker.requests.receive(message.message);
    if (kind === 'here') worker.requests.keepOnly(message.requests);
  }

  /** Forgets workers that have been silent for too long. */
  sweep(): void {
    const cutoffMs = performance.now() - SILENT_MS;
    for (const [id, { seenMs }] of this.#workers) if (seenMs < cutoffMs) this.#drop(id);
  }

  /** While Redis is down, no request is admitted; workers repeat those that wait. */
  forgetWaiting(): void {
    for (const { requests } of this.#workers.values()) requests.forgetWaiting();
  }

  close(): void {
    for (const id of this.#workers.keys()) this.#drop(id);
  }

  #register(id: string): KnownWorker {
    const admit = (request: number): void => this.#send({ kind: 'admitted', worker: id, request });
    const worker = { requests: new WorkerRequests(this.#limiters, admit), seenMs: 0 };
    this.#workers.set(id, worker);
    return worker;
  }

  #drop(id: string): void {
    this.#workers.get(id)?.requests.close();
    this.#workers.delete(id);
  }
}
