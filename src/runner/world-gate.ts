/**
 * Whether the served world answers, for everything in the runner that depends on it: while it is gone, all wait for it together. In: a way to
 * ask; out: answers, and an event when the world goes and when it is back.
 */
import { setTimeout as wait } from 'node:timers/promises';

export type WorldEvent =
  { readonly kind: 'world-gone'; readonly waitMs: number } | { readonly kind: 'world-back' };

export interface WorldGateOptions {
  /** Rejects where the world does not answer. */
  readonly ask: () => Promise<void>;
  readonly happened: (event: WorldEvent) => void;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
  /** How long the world may be gone. */
  readonly waitMs?: number;
}

const RECONNECT_MS = 500;
const GIVEN_UP_MS = 60_000;

export class WorldGate {
  readonly #options: WorldGateOptions;
  #waiting: Promise<void> | null = null;

  constructor(options: WorldGateOptions) {
    this.#options = options;
  }

  /** Asks once; false also while others wait. */
  async answers(): Promise<boolean> {
    if (this.#waiting !== null) return false;
    try {
      await this.#options.ask();
      return true;
    } catch {
      return false;
    }
  }

  /** Resolves once the world answers again. Rejects with what was wrong last where it does not in time. */
  back(): Promise<void> {
    this.#waiting ??= this.#wait().finally(() => {
      this.#waiting = null;
    });
    return this.#waiting;
  }

  async #wait(): Promise<void> {
    const { ask, happened, signal, waitMs = GIVEN_UP_MS } = this.#options;
    const givenUp = performance.now() + waitMs;
    happened({ kind: 'world-gone', waitMs });
    for (;;) {
      await wait(RECONNECT_MS, undefined, { signal });
      try {
        await ask();
        break;
      } catch (error) {
        if (signal.aborted || performance.now() > givenUp) throw error;
      }
    }
    happened({ kind: 'world-back' });
  }
}
