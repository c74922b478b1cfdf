/**
 * Rate limits that all clients of a server share: a maximum number of requests at once and per minute, none
 * during a pause that the server requested, speculative requests only when no other one is waiting, and
 * retries only while they are a small share of all requests.
 */

/** A request that is waiting to be sent. */
export interface RateLimitRequest {
  /** If aborted, it stops waiting. */
  signal: AbortSignal;
  /** Whether it is the first request of its call, and not a retry or a repetition without a refused field. */
  isFirst: boolean;
  /** Whether its call is still speculative; checked when a slot is free, because it may change meanwhile. */
  isAhead: () => boolean;
}

/** How many requests a server has answered, counted by its clients in this process. */
export interface AnswerCount {
  answered: number;
}

/** The limits of one server. */
export interface RateLimiter {
  /** Of all its clients. */
  answers: AnswerCount;
  /**
   * Resolves when a request may be sent, or at once if its signal is aborted; call the returned function when
   * the request is over.
   */
  enter(request: RateLimitRequest): Promise<() => void>;
  /** Whether a failed request may be sent again. */
  mayRetry(): boolean;
  /** Called when the server asks for a pause of this length, during which nothing is sent to it. */
  pause(waitMs: number): void;
}

/** The part of a clock that is needed (`dependencies.ts`). */
interface RateLimitClock {
  monotonicMs(): number;
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
}

/** One limiter for each address. */
export interface RateLimiters {
  at(baseUrl: string): RateLimiter;
}

/** For one server; null for no limit. */
export interface AdmissionLimits {
  requestsPerMinute: number | null;
  requestsAtOnce: number | null;
}

export function sharedAdmission(limits: AdmissionLimits, clock: RateLimitClock): RateLimiters {
  const limiters = new Map<string, SharedLimiter>();
  return {
    at: (baseUrl) => {
      const limiter = limiters.get(baseUrl) ?? new SharedLimiter(limits, clock);
      limiters.set(baseUrl, limiter);
      return limiter;
    },
  };
}

/** This many retries are always allowed, because a server may fail among its first calls too. */
const RETRIES_MIN = 10;
/**
 * Beyond that, one retry for this many calls: from 50 calls on, at most 1.2 times as many requests as calls
 * are sent.
 */
const CALLS_PER_RETRY = 5;

/** Counts calls, and allows retries while they are a small share of them. */
export class RetryBudget {
  #calls = 0;
  #retried = 0;

  /** A call was sent for the first time. */
  countCall(): void {
    this.#calls += 1;
  }

  /** Counts the retry if it is allowed. */
  mayRetry(): boolean {
    if (this.#retried >= Math.max(RETRIES_MIN, Math.floor(this.#calls / CALLS_PER_RETRY))) return false;
    this.#retried += 1;
    return true;
  }
}

interface WaitingRequest {
  isAhead: RateLimitRequest['isAhead'];
  admit: () => void;
}

class SharedLimiter implements RateLimiter {
  readonly answers: AnswerCount = { answered: 0 };
  readonly #limits: AdmissionLimits;
  readonly #clock: RateLimitClock;
  /** In order of arrival. */
  readonly #waiting = new Set<WaitingRequest>();
  readonly #retries = new RetryBudget();
  #inFlight = 0;
  /** When the next one may be sent. */
  #nextMs = 0;
  #pausedUntilMs = 0;
  /** Cancels the wait until the next request may be sent; null if no such wait is in progress. */
  #timer: AbortController | null = null;

  constructor(limits: AdmissionLimits, clock: RateLimitClock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  async enter({ signal, isFirst, isAhead }: RateLimitRequest): Promise<() => void> {
    const isAdmitted = await this.#waitForTurn(signal, isAhead);
    if (!isAdmitted) return () => undefined;
    if (isFirst) this.#retries.countCall();
    return () => {
      this.#inFlight -= 1;
      this.#admit();
    };
  }

  mayRetry(): boolean {
    return this.#retries.mayRetry();
  }

  pause(waitMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.monotonicMs() + waitMs);
  }

  /** Whether it was admitted, and had not stopped waiting. */
  #waitForTurn(signal: AbortSignal, isAhead: RateLimitRequest['isAhead']): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(false);
      const stopWaiting = (isIn: boolean): void => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', giveUp);
        resolve(isIn);
      };
      const giveUp = (): void => {
        stopWaiting(false);
        if (this.#waiting.size === 0) this.#timer?.abort();
      };
      const waiting = { isAhead, admit: () => stopWaiting(true) };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', giveUp);
      this.#admit();
    });
  }

  /** Admits every request that may be sent now. */
  #admit(): void {
    const maxInFlight = this.#limits.requestsAtOnce ?? Number.POSITIVE_INFINITY;
    while (this.#timer === null && this.#inFlight < maxInFlight) {
      const next = this.#next();
      if (next === undefined) return;
      const nowMs = this.#clock.monotonicMs();
      const waitMs = Math.max(this.#nextMs, this.#pausedUntilMs) - nowMs;
      if (waitMs > 0) return this.#admitLater(waitMs);
      this.#inFlight += 1;
      // Spread evenly over the minute, so that a server that counts by the second accepts them too.
      const { requestsPerMinute } = this.#limits;
      this.#nextMs = nowMs + (requestsPerMinute === null ? 0 : 60_000 / requestsPerMinute);
      next.admit();
    }
  }

  /** First come, first served; but speculative requests are admitted only if no other waits. */
  #next(): WaitingRequest | undefined {
    let first: WaitingRequest | undefined;
    for (const waiting of this.#waiting) {
      if (!waiting.isAhead()) return waiting;
      first ??= waiting;
    }
    return first;
  }

  #admitLater(waitMs: number): void {
    const timer = new AbortController();
    this.#timer = timer;
    void this.#clock.sleep(waitMs, timer.signal).then(() => {
      this.#timer = null;
      this.#admit();
    });
  }
}
