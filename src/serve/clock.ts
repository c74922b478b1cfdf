/**
 * The served world's time: one monotonic clock and one way to wait. No other file of `serve` may read the
 * time, so a test drives every schedule, lease and deadline with its own clock, and a jump of the wall clock
 * changes nothing.
 */

export interface ServeClock {
  /** Milliseconds since any fixed moment; never decreases. */
  monotonicMs(): number;
  /** Milliseconds since 1970, to be shown to people and programs; it decides nothing. */
  wallMs(): number;
  /** Resolves after the delay, or at once if the signal is aborted. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
}

/**
 * The reason with which an unneeded wait is aborted: without a reason, each abort would create an exception
 * with its stack.
 */
export const OVER = 'over';

/**
 * Calls `onAlarm` at the earliest of the times that it was set to. It sleeps on when it is set to a later
 * one, so a world whose ticks are settled early needs no timer for each of them.
 */
export class Alarm {
  readonly #clock: ServeClock;
  readonly #onAlarm: () => void;
  #at = Infinity;
  #sleep = new AbortController();

  constructor(clock: ServeClock, onAlarm: () => void) {
    this.#clock = clock;
    this.#onAlarm = onAlarm;
  }

  /** In monotonic milliseconds. */
  set(at: number): void {
    if (this.#at <= at) return;
    this.stop();
    this.#at = at;
    const { signal } = (this.#sleep = new AbortController());
    void this.#clock.sleep(Math.max(1, at - this.#clock.monotonicMs()), signal).then(() => {
      if (signal.aborted) return;
      this.#at = Infinity;
      this.#onAlarm();
    });
  }

  stop(): void {
    this.#at = Infinity;
    this.#sleep.abort(OVER);
  }
}
