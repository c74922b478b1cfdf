/**
 * When a tick begins, and until when its intents count. With the pace `clock`, ticks begin at a fixed period;
 * a late one begins at once, none is skipped or shortened, and the schedule continues from it. With
 * `lockstep`, a tick begins when the previous one is settled, and is settled as soon as all have decided. It
 * also records how punctual each tick was, for the log. Pure. Times are milliseconds of one monotonic clock.
 */
import type { TickTiming } from '../trajectory/record-values.js';

export interface SchedulePace {
  kind: 'clock' | 'lockstep';
  /** The time from the beginning of a tick to the next; 0 for `lockstep`. */
  periodMs: number;
  /** How long after its beginning a tick accepts intents. */
  windowMs: number;
}

export interface TickTimes {
  startsAt: number;
  closesAt: number;
  /** The delay of its beginning. */
  overrunMs: number;
}

export class Schedule {
  readonly #pace: SchedulePace;
  #next: number | null = null;
  #isFirst = true;
  #overrunMs = 0;
  #settleMs = 0;
  /** The time since which no decisions are accepted and the world works; null while the tick is open. */
  #settlingSince: number | null = null;

  constructor(pace: SchedulePace) {
    this.#pace = pace;
  }

  /** The tick that opens now. */
  open(now: number): TickTimes {
    this.#addSettleTime(now);
    const { kind, periodMs, windowMs } = this.#pace;
    const planned = kind === 'clock' ? (this.#next ?? now) : now;
    const startsAt = Math.max(planned, now);
    // The first answers are slow, because nothing is compiled or cached yet.
    const windowOfTick = this.#isFirst && kind === 'clock' ? 2 * windowMs : windowMs;
    this.#isFirst = false;
    this.#next = startsAt + Math.max(periodMs, windowOfTick);
    this.#overrunMs += startsAt - planned;
    return { startsAt, closesAt: startsAt + windowOfTick, overrunMs: startsAt - planned };
  }

  /** All have decided, or the time is over. */
  closed(now: number): void {
    this.#settlingSince ??= now;
  }

  /** How punctual the tick was whose last step is being written; resets the counts. */
  timing(now: number): TickTiming {
    this.#addSettleTime(now);
    const timing = { overrunMs: Math.round(this.#overrunMs), settleMs: Math.round(this.#settleMs) };
    this.#overrunMs = 0;
    this.#settleMs = 0;
    return timing;
  }

  #addSettleTime(now: number): void {
    if (this.#settlingSince !== null) this.#settleMs += now - this.#settlingSince;
    this.#settlingSince = null;
  }

  /** The world was paused: the next tick begins when it opens, and is not late. */
  pause(): void {
    this.#next = null;
  }
}
