/**
 * When a program that has ended is started again: after a delay that doubles, at most a given number of times
 * within a window; then it is given up. Every start counts, however long the program ran before. Pure: times
 * are milliseconds of one monotonic clock.
 */

import type { RestartPolicy } from '../scenario/runner.js';

export type NextStart = { kind: 'start'; afterMs: number } | { kind: 'given-up' };

export class Restarts {
  /** The times of its restarts, newest last. */
  #restarts: readonly number[] = [];
  readonly #policy: RestartPolicy;

  constructor(policy: RestartPolicy) {
    this.#policy = policy;
  }

  /** The program has ended: whether and when to start it again. A returned start counts as made. */
  ended(now: number): NextStart {
    const { firstWaitMs, longestWaitMs, max, windowMs } = this.#policy;
    this.#restarts = this.#restarts.filter((at) => at > now - windowMs);
    if (this.#restarts.length >= max) return { kind: 'given-up' };
    const afterMs = Math.min(longestWaitMs, firstWaitMs * 2 ** this.#restarts.length);
    this.#restarts = [...this.#restarts, now + afterMs];
    return { kind: 'start', afterMs };
  }

  get count(): number {
    return this.#restarts.length;
  }
}
