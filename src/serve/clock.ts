/**
 * Time as the served world knows it: one monotonic clock and one way to wait. No other file of `serve` may ask for the time, so a
 * test drives every schedule, lease and deadline with a clock of its own, and a jump of the wall clock changes nothing.
 */

export interface ServeClock {
  /** Milliseconds from any fixed moment; never goes back. */
  monotonicMs(): number;
  /** Milliseconds since 1970, to tell people and programs; decides nothing. */
  wallMs(): number;
  /** Resolves after the delay, or at once when the signal is aborted. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
}

/** Why a wait that is not needed any more is aborted: without a reason, each would make an exception with its stack. */
export const OVER = 'over';
