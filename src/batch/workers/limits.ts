/**
 * The limits of a server, kept once for all worker processes of a batch. In a worker every request asks the batch whether it may go out, and
 * reports when it is over; the batch asks its own limiter. A model call takes seconds, and the question a fraction of a millisecond.
 */
import { RetryBudget } from '../../model/rate-limiter.js';
import type { RateLimiter, RateLimiters, RateLimitRequest } from '../../model/rate-limiter.js';

/** A worker's requests to servers, each with a number of its own; see `RateLimiter`. */
export type LimitMessage =
  | {
      readonly kind: 'enter';
      readonly request: number;
      readonly baseUrl: string;
      readonly isFirst: boolean;
      readonly isAhead: boolean;
    }
  /** It is not speculative any more. */
  | { readonly kind: 'needed'; readonly request: number }
  /** It is over, or does not wait any longer. */
  | { readonly kind: 'left'; readonly request: number }
  | { readonly kind: 'hold'; readonly baseUrl: string; readonly waitMs: number };

/** A request that was not answered yet. */
interface WaitingEntry {
  readonly message: LimitMessage;
  readonly go: () => void;
}

/** In a worker. Retries are counted by each worker: what is a small share for each is one for all. */
export class RemoteLimiters implements RateLimiters {
  readonly #send: (message: LimitMessage) => void;
  readonly #doors = new Map<string, RateLimiter>();
  /** Requests that wait, by number. */
  readonly #waiting = new Map<number, WaitingEntry>();
  /** Those that wait or are at a server. */
  readonly #open = new Set<number>();
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
    this.#waiting.get(request)?.go();
  }

  /** Numbers of the requests that wait or are at a server. */
  get open(): readonly number[] {
    return [...this.#open];
  }

  /** Asks once more for all that wait, where messages may be lost. */
  askAgain(): void {
    for (const { message } of this.#waiting.values()) this.#send(message);
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

  /** How to leave again; null if the signal was aborted first. */
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
      const message = { kind: 'enter', request, baseUrl, isFirst, isAhead: wasAhead } as const;
      this.#waiting.set(request, { message, go: () => done(leave) });
      signal.addEventListener('abort', giveUp);
      this.#send(message);
    });
  }

  #tellNeeded(request: number, isAhead: () => boolean, timer: ReturnType<typeof setInterval> | null): void {
    if (isAhead()) return;
    if (timer !== null) clearInterval(timer);
    const entry = this.#waiting.get(request);
    if (entry?.message.kind === 'enter')
      this.#waiting.set(request, { ...entry, message: { ...entry.message, isAhead: false } });
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

  /** The worker says which are its own; others were lost on the way. */
  keepOnly(requests: readonly number[]): void {
    const kept = new Set(requests);
    for (const request of this.#requests.keys()) if (!kept.has(request)) this.#leave(request);
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
    const known = this.#requests.get(request);
    // Asked again by one that did not hear the answer.
    if (known !== undefined) return known.leave === null ? undefined : this.#admit(request);
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
