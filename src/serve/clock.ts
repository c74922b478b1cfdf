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
