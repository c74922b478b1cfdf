/**
 * When a program that has ended is started again: after a delay that doubles, at most a given number of times
 * within a window; then it is given up. Every start counts, however long the program ran before. Pure: in:
 * the time; out: what to do; in milliseconds of one monotonic clock.
 */

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
/** Restarts within the window; the first start does not count. */
export const RESTARTS = 10;
export const WINDOW_MS = 600_000;

export type NextStart = { readonly kind: 'start'; readonly afterMs: number } | { readonly kind: 'given-up' };

export class Restarts {
  /** The times of its restarts, newest last. */
  #restarts: readonly number[] = [];

  /** The program has ended: whether and when to start it again. A returned start counts as made. */
  ended(now: number): NextStart {
    this.#restarts = this.#restarts.filter((at) => at > now - WINDOW_MS);
    if (this.#restarts.length >= RESTARTS) return { kind: 'given-up' };
    const afterMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#restarts.length);
    this.#restarts = [...this.#restarts, now + afterMs];
    return { kind: 'start', afterMs };
  }

  get count(): number {
    return this.#restarts.length;
  }
}
