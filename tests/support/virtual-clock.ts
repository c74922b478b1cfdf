/**
 * Clocks for the faults of a server: time that passes only when somebody says so, with limits that run out on the way, and real time
 * that goes by faster than it says.
 */
import { systemClock } from '../../src/model/dependencies.js';
import type { ModelClock } from '../../src/model/dependencies.js';

interface Timer {
  dueMs: number;
  call: () => void;
}

export class VirtualClock implements ModelClock {
  #nowMs = 0;
  readonly #timers = new Set<Timer>();

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return Date.parse('2026-01-01T00:00:00Z') + this.#nowMs;
  }

  sleep(delayMs: number): Promise<void> {
    return this.pass(delayMs);
  }

  after(delayMs: number, call: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, call };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets so much time go by. */
  pass(delayMs: number): Promise<void> {
    const untilMs = this.#nowMs + delayMs;
    for (let next = this.#next(); next !== undefined && next.dueMs <= untilMs; next = this.#next())
      this.#run(next);
    this.#nowMs = untilMs;
    // What ran out is noticed by those who wait for it before anything else happens.
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Nothing more happens until the next limit is over. */
  runOut(): void {
    const next = this.#next();
    if (next !== undefined) this.#run(next);
  }

  get pending(): number {
    return this.#timers.size;
  }

  #next(): Timer | undefined {
    return [...this.#timers].toSorted((one, other) => one.dueMs - other.dueMs)[0];
  }

  #run(timer: Timer): void {
    this.#timers.delete(timer);
    this.#nowMs = Math.max(this.#nowMs, timer.dueMs);
    timer.call();
  }
}

/** The system's own time, which says that it goes `times` as fast. */
export function fastClock(times: number): ModelClock {
  return {
    monotonicMs: () => performance.now() * times,
    wallMs: () => Date.now(),
    sleep: (delayMs, signal) => systemClock.sleep(delayMs / times, signal),
    after: (delayMs, call) => systemClock.after(delayMs / times, call),
  };
}
