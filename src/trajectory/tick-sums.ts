/** How punctual the ticks of a served run were, over all its steps. Pure. */
import type { StepRecord } from './records.js';

export interface TickFigures {
  /** Ticks whose timing is in the log; 0 for a run that was not served. */
  ticks: number;
  /** Ticks that began later than planned. */
  ticksLate: number;
  /** The longest delay at the start of a tick, in milliseconds. */
  overrunMs: number;
  /** The longest time from the end of a decision window until its tick was settled, in milliseconds. */
  settleMs: number;
}

export class TickSums {
  #figures: TickFigures = { ticks: 0, ticksLate: 0, overrunMs: 0, settleMs: 0 };

  add({ timing }: Pick<StepRecord, 'timing'>): void {
    if (timing === undefined) return;
    const { ticks, ticksLate, overrunMs, settleMs } = this.#figures;
    this.#figures = {
      ticks: ticks + 1,
      ticksLate: ticksLate + (timing.overrunMs > 0 ? 1 : 0),
      overrunMs: Math.max(overrunMs, timing.overrunMs),
      settleMs: Math.max(settleMs, timing.settleMs),
    };
  }

  figures(): TickFigures {
    return this.#figures;
  }
}
