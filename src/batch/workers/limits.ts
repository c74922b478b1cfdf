/**
 * The limits of a server, kept in one place for all worker processes of a batch. For every request, a worker
 * asks the batch whether it may be sent, and reports when it is over; the batch asks its own limiter. A model
 * call takes seconds, and this question a fraction of a millisecond.
 */
import { RetryBudget } from '../../model/rate-limiter.js';
import type { RateLimiter, RateLimiters, RateLimitRequest } from '../../model/rate-limiter.js';

/** A worker's requests to servers, each with its own number; see `RateLimiter`. */
export type LimitMessage =
  | {
      kind: 'enter';
      request: number;
      baseUrl: string;
      isFirst: boolean;
      isAhead: boolean;
    }
  /** The request is no longer speculative. */
  | { kind: 'needed'; request: number }
  /** The request is over, or no longer waits. */
  | { kind: 'left'; request: number }
  | { kind: 'hold'; baseUrl: string; waitMs: number };

/** A request that has not been answered yet. */
interface WaitingEntry {
  message: LimitMessage;
  admit: () => void;
}

/**
 * Runs in a worker. Each worker counts its own retries: if they are a small share in each, they are a small
 * share in all.
 */
export class RemoteLimiters implements RateLimiters {
  readonly #send: (message: LimitMessage) => void;
  readonly #limiters = new Map<string, RateLimiter>();
  /** Waiting requests, by number. */
  readonly #waiting = new Map<number, WaitingEntry>();
  /** Requests that are waiting or at a server. */
  readonly #open = new Set<number>();
  #requests = 0;

  constructor(send: (message: LimitMessage) => void) {
    this.#send = send;
  }

  at(baseUrl: string): RateLimiter {
    const limiter = this.#limiters.get(baseUrl) ?? this.#limiterFor(baseUrl);
    this.#limiters.set(baseUrl, limiter);
    return limiter;
  }

  /** The batch's answer. */
  admitted(request: number): void {
    this.#waiting.get(request)?.admit();
  }

  /** Numbers of the requests that are waiting or at a server. */
  get open(): readonly number[] {
    return [...this.#open];
  }

  /** Repeats all waiting requests, for connections that may lose messages. */
  resendWaiting(): void {
    for (const { message } of this.#waiting.values()) this.#send(message);
  }

  #limiterFor(baseUrl: string): RateLimiter {
    const retries = new RetryBudget();
    return {
      answers: { answered: 0 },
      enter: async (rateRequest) => {
        const leave = await this.#enter(baseUrl, rateRequest);
        if (leave === null) return () => undefined;
        if (rateRequest.isFirst) retries.countCall();
        return leave;
      },
      mayRetry: () => retries.mayRetry(),
      pause: (waitMs) => this.#send({ kind: 'hold', baseUrl, waitMs }),
    };
  }

  /** Returns a function that ends the request; null if the signal was aborted first. */
  #enter(baseUrl: string, { signal, isFirst, isAhead }: RateLimitRequest): Promise<(() => void) | null> {
    if (signal.aborted) return Promise.resolve(null);
    const request = ++this.#requests;
    this.#open.add(request);
    const leave = (): void => {
      this.#open.delete(request);
      this.#send({ kind: 'left', request });
    };
    return new Promise((resolve) => {
      const wasAhead = isAhead();
      const timer = wasAhead ? setInterval(() => this.#reportNeeded(request, isAhead, timer), LOOK_MS) : null;
      const finish = (result: (() => void) | null): void => {
        if (timer !== null) clearInterval(timer);
        signal.removeEventListener('abort', cancel);
        this.#waiting.delete(request);
        resolve(result);
      };
      const cancel = (): void => {
        leave();
        finish(null);
      };
      const message = { kind: 'enter', request, baseUrl, isFirst, isAhead: wasAhead } as const;
      this.#waiting.set(request, { message, admit: () => finish(leave) });
      signal.addEventListener('abort', cancel);
      this.#send(message);
    });
  }

  #reportNeeded(request: number, isAhead: () => boolean, timer: ReturnType<typeof setInterval> | null): void {
    if (isAhead()) return;
    if (timer !== null) clearInterval(timer);
    const entry = this.#waiting.get(request);
    if (entry?.message.kind === 'enter')
      this.#waiting.set(request, { ...entry, message: { ...entry.message, isAhead: false } });
    this.#send({ kind: 'needed', request });
  }
}

/** How often a worker checks whether a waiting request is still speculative. */
const LOOK_MS = 50;

/** One request of a worker, as the batch knows it. */
interface WorkerRequest {
  controller: AbortController;
  isAhead: boolean;
  /** Null while it waits. */
  leave: (() => void) | null;
}

/** Runs in the batch: the requests of one worker. */
export class WorkerRequests {
  readonly #limiters: RateLimiters;
  readonly #admit: (request: number) => void;
  readonly #requests = new Map<number, WorkerRequest>();

  constructor(limiters: RateLimiters, admit: (request: number) => void) {
    this.#limiters = limiters;
    this.#admit = admit;
  }

  receive(message: LimitMessage): void {
    if (message.kind === 'enter') void this.#enter(message);
    else if (message.kind === 'hold') this.#limiters.at(message.baseUrl).pause(message.waitMs);
    else if (message.kind === 'left') this.#leave(message.request);
    else this.#markNeeded(message.request);
  }

  /** The worker lists its open requests; any others were lost on the way. */
  keepOnly(requests: readonly number[]): void {
    const openRequests = new Set(requests);
    for (const request of this.#requests.keys()) if (!openRequests.has(request)) this.#leave(request);
  }

  /**
   * The way to the worker is down: a request that still waits must not be admitted until it is asked for
   * again, or all that were admitted meanwhile would be sent together.
   */
  forgetWaiting(): void {
    for (const [request, { leave }] of this.#requests) if (leave === null) this.#leave(request);
  }

  /** The worker is gone, and so are all of its requests. */
  close(): void {
    for (const request of this.#requests.keys()) this.#leave(request);
  }

  async #enter({
    request,
    baseUrl,
    isFirst,
    isAhead,
  }: Extract<LimitMessage, { kind: 'enter' }>): Promise<void> {
    const existing = this.#requests.get(request);
    // Repeated by a worker that did not get the answer.
    if (existing !== undefined) return existing.leave === null ? undefined : this.#admit(request);
    const entry: WorkerRequest = { controller: new AbortController(), isAhead, leave: null };
    this.#requests.set(request, entry);
    const rateRequest = { signal: entry.controller.signal, isFirst, isAhead: () => entry.isAhead };
    const leave = await this.#limiters.at(baseUrl).enter(rateRequest);
    if (entry.controller.signal.aborted) return leave();
    entry.leave = leave;
    this.#admit(request);
  }

  #leave(request: number): void {
    const entry = this.#requests.get(request);
    this.#requests.delete(request);
    if (entry?.leave != null) entry.leave();
    else entry?.controller.abort();
  }

  #markNeeded(request: number): void {
    const entry = this.#requests.get(request);
    if (entry !== undefined) entry.isAhead = false;
  }
}
