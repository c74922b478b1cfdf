/**
 * Who may ask a server now, for all clients that share it: so many requests at once, so many a minute, none while it asked to be left alone, and
 * failed ones again only while they are a small share. In: addresses; out: leave to send. It knows nothing of what is sent.
 */
/** The way to one server. */
export interface Door {
  /** Resolves once a request may go out, or at once when the signal is aborted; what it gives is called when the request is over. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Whether a request that failed may be sent again; it counts as sent then. */
  mayRetry(): boolean;
  /** The server asked to be left alone for so long: nothing goes out to it meanwhile. */
  hold(waitMs: number): void;
}

/** What is needed of a clock (`dependencies.ts`). */
interface Clock {
  monotonicMs(): number;
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
}

/** One door for each address. */
export interface Admission {
  at(baseUrl: string): Door;
}

/** For one server; null for no limit. */
export interface AdmissionLimits {
  readonly requestsPerMinute: number | null;
  readonly requestsAtOnce: number | null;
}

export function sharedAdmission(limits: AdmissionLimits, clock: Clock): Admission {
  const doors = new Map<string, SharedDoor>();
  return {
    at: (baseUrl) => {
      const door = doors.get(baseUrl) ?? new SharedDoor(limits, clock);
      doors.set(baseUrl, door);
      return door;
    },
  };
}

/** Failed requests may be sent again so often from the start, and so often for each that was sent. */
const RETRIES_FREE = 10;
const RETRIES_SHARE = 0.2;

class SharedDoor implements Door {
  readonly #limits: AdmissionLimits;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #inside = 0;
  #sent = 0;
  #retried = 0;
  /** When the next one may go out. */
  #nextMs = 0;
  #heldUntilMs = 0;

  constructor(limits: AdmissionLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  async enter(signal: AbortSignal): Promise<() => void> {
    await this.#room(signal);
    this.#inside += 1;
    this.#sent += 1;
    await this.#turn(signal);
    return () => this.#leave();
  }

  mayRetry(): boolean {
    if (this.#retried >= RETRIES_FREE + this.#sent * RETRIES_SHARE) return false;
    this.#retried += 1;
    return true;
  }

  hold(waitMs: number): void {
    this.#heldUntilMs = Math.max(this.#heldUntilMs, this.#clock.monotonicMs() + waitMs);
  }

  /** First come, first served. */
  async #room(signal: AbortSignal): Promise<void> {
    const most = this.#limits.requestsAtOnce ?? Number.POSITIVE_INFINITY;
    while (this.#inside >= most && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const go = (): void => {
          this.#waiting.delete(go);
          signal.removeEventListener('abort', go);
          resolve();
        };
        this.#waiting.add(go);
        signal.addEventListener('abort', go);
      });
    }
  }

  /** Evenly spread over the minute: a server that counts by the second is not offended either. */
  async #turn(signal: AbortSignal): Promise<void> {
    const { requestsPerMinute } = this.#limits;
    const due = Math.max(this.#clock.monotonicMs(), this.#nextMs);
    if (requestsPerMinute !== null) this.#nextMs = due + 60_000 / requestsPerMinute;
    while (!signal.aborted) {
      const waitMs = Math.max(due, this.#heldUntilMs) - this.#clock.monotonicMs();
      if (waitMs <= 0) return;
      await this.#clock.sleep(waitMs, signal);
    }
  }

  #leave(): void {
    this.#inside -= 1;
    const [first] = this.#waiting;
    first?.();
  }
}
