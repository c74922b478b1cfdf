/**
 * The limits of a server, kept once for all worker processes of a batch. In a worker every request asks the batch whether it may go out, and
 * reports when it is over; the batch asks its own limiter. A model call takes seconds, and the question a fraction of a millisecond.
 */
import { RetryBudget } from '../../model/rate-limiter.js';
import type { RateLimiter, RateLimiters, RateLimitRequest } from '../../model/rate-limiter.js';
import type { LimitMessage } from './messages.js';

/** In a worker. Retries are counted by each worker: what is a small share for each is one for all. */
export class RemoteLimiters implements RateLimiters {
  readonly #send: (message: LimitMessage) => void;
  readonly #doors = new Map<string, RateLimiter>();
  /** Requests that wait, by number. */
  readonly #waiting = new Map<number, () => void>();
  #requests = 0;

  constructor(send: (message: LimitMessage) => void) {
    this.#send = send;
  }

  at(baseUrl: string): RateLimiter {
    const door = this.#doors.get(baseUrl) ?? this.#door(baseUrl);
    this.#doors.set(baseUrl, door);
    return door;
  }

  /** The batch's answer. */
  admitted(request: number): void {
    this.#waiting.get(request)?.();
  }

  #door(baseUrl: string): RateLimiter {
    const retries = new RetryBudget();
    return {
      enter: async (asking) => {
        const leave = await this.#enter(baseUrl, asking);
        if (leave === null) return () => undefined;
        if (asking.isFirst) retries.called();
        return leave;
      },
      mayRetry: () => retries.mayRetry(),
      hold: (waitMs) => this.#send({ kind: 'hold', baseUrl, waitMs }),
    };
  }

  /** How to leave again; null where the signal was aborted first. */
  #enter(baseUrl: string, { signal, isFirst, isAhead }: RateLimitRequest): Promise<(() => void) | null> {
    if (signal.aborted) return Promise.resolve(null);
    const request = ++this.#requests;
    const leave = (): void => this.#send({ kind: 'left', request });
    return new Promise((resolve) => {
      const wasAhead = isAhead();
      const needed = wasAhead ? setInterval(() => this.#tellNeeded(request, isAhead, needed), LOOK_MS) : null;
      const done = (result: (() => void) | null): void => {
        if (needed !== null) clearInterval(needed);
        signal.removeEventListener('abort', giveUp);
        this.#waiting.delete(request);
        resolve(result);
      };
      const giveUp = (): void => {
        leave();
        done(null);
      };
      this.#waiting.set(request, () => done(leave));
      signal.addEventListener('abort', giveUp);
      this.#send({ kind: 'enter', request, baseUrl, isFirst, isAhead: wasAhead });
    });
  }

  #tellNeeded(request: number, isAhead: () => boolean, timer: ReturnType<typeof setInterval> | null): void {
    if (isAhead()) return;
    if (timer !== null) clearInterval(timer);
    this.#send({ kind: 'needed', request });
  }
}

/** How often a worker looks whether a request that waits is still speculative. */
const LOOK_MS = 50;

/** One request of a worker, as the batch knows it. */
interface WorkerRequest {
  readonly giveUp: AbortController;
  isAhead: boolean;
  /** Null while it waits. */
  leave: (() => void) | null;
}

/** In the batch: the requests of one worker. */
export class WorkerRequests {
  readonly #limiters: RateLimiters;
  readonly #admit: (request: number) => void;
  readonly #requests = new Map<number, WorkerRequest>();

  constructor(limiters: RateLimiters, admit: (request: number) => void) {
    this.#limiters = limiters;
    this.#admit = admit;
  }

  hear(message: LimitMessage): void {
    if (message.kind === 'enter') void this.#enter(message);
    else if (message.kind === 'hold') this.#limiters.at(message.baseUrl).hold(message.waitMs);
    else if (message.kind === 'left') this.#leave(message.request);
    else this.#need(message.request);
  }

  /** The worker is gone, and with it all that it asked. */
  close(): void {
    for (const request of this.#requests.keys()) this.#leave(request);
  }

  async #enter({
    request,
    baseUrl,
    isFirst,
    isAhead,
  }: Extract<LimitMessage, { kind: 'enter' }>): Promise<void> {
    const entry: WorkerRequest = { giveUp: new AbortController(), isAhead, leave: null };
    this.#requests.set(request, entry);
    const asking = { signal: entry.giveUp.signal, isFirst, isAhead: () => entry.isAhead };
    const leave = await this.#limiters.at(baseUrl).enter(asking);
    if (entry.giveUp.signal.aborted) return leave();
    entry.leave = leave;
    this.#admit(request);
  }

  #leave(request: number): void {
    const entry = this.#requests.get(request);
    this.#requests.delete(request);
    if (entry?.leave != null) entry.leave();
    else entry?.giveUp.abort();
  }

  #need(request: number): void {
    const entry = this.#requests.get(request);
    if (entry !== undefined) entry.isAhead = false;
  }
}
