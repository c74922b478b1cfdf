/**
 * Whether the served world can be reached, for everything in the runner that depends on it: while it can't,
 * all wait together.
 */

export type WorldEvent = { kind: 'world-gone'; waitMs: number } | { kind: 'world-back' };

export interface WorldGateOptions {
  /** Rejects if the world does not answer. */
  ping: () => Promise<void>;
  onEvent: (event: WorldEvent) => void;
  /** Ends all waiting. */
  signal: AbortSignal;
  clock: GateClock;
}

export interface GateClock {
  /** Milliseconds since any fixed moment; never decreases. */
  monotonicMs(): number;
  /** Resolves after the delay, or at once when the signal is aborted. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
}

const RECONNECT_MS = 500;
/** How long to wait for a world that can't be reached. */
const GIVEN_UP_MS = 60_000;

export class WorldGate {
  readonly #options: WorldGateOptions;
  #waiting: Promise<void> | null = null;

  constructor(options: WorldGateOptions) {
    this.#options = options;
  }

  /** Asks once; false if others are waiting already. */
  async answers(): Promise<boolean> {
    if (this.#waiting !== null) return false;
    try {
      await this.#options.ping();
      return true;
    } catch {
      return false;
    }
  }

  /** Resolves once the world answers again. Rejects with the last error if it does not answer in time. */
  back(): Promise<void> {
    this.#waiting ??= this.#wait().finally(() => {
      this.#waiting = null;
    });
    return this.#waiting;
  }

  async #wait(): Promise<void> {
    const { ping, onEvent, signal, clock } = this.#options;
    const giveUpAtMs = clock.monotonicMs() + GIVEN_UP_MS;
    onEvent({ kind: 'world-gone', waitMs: GIVEN_UP_MS });
    for (;;) {
      await clock.sleep(RECONNECT_MS, signal);
      signal.throwIfAborted();
      try {
        await ping();
        break;
      } catch (error) {
        if (signal.aborted || clock.monotonicMs() >= giveUpAtMs) throw error;
      }
    }
    onEvent({ kind: 'world-back' });
  }
}
