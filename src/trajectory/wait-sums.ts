/**
 * Why agents had to wait, and how many intents came at the wrong time, counted by reason from a run's steps in
 * order. In a served run, a step without an answer does not say whether the answer came too late or never: a
 * late intent usually arrives after the step, so the step counts as missing until an intent for its tick is
 * found. Pure.
 */
import { count, namedCounts } from './named-counts.js';
import type { NamedCounts } from './named-counts.js';
import { MISSED_TICKS } from './records.js';
import type { StepRecord } from './records.js';
import { UNCONTROLLED } from './uncontrolled.js';

/** Why agents had to wait, and how many intents came at the wrong time. */
export interface WaitFigures {
  /**
   * Steps with a forced wait, by reason. In a served run: `missing` if no intent came, `late` if one came
   * after its time, `late-or-missing` if the log does not count untimely intents (before version 4).
   * Otherwise the code of the last problem.
   */
  waits: NamedCounts;
  /** Intents for served entities that came at the wrong time, by reason. */
  untimely: NamedCounts;
}

/** A live sum. */
export class WaitSums {
  readonly #waits = new Map<string, number>();
  readonly #untimely = new Map<string, number>();
  /** By agent, the newest turns that count as missing. */
  readonly #missing = new Map<string, Set<number>>();
  /** By agent, the newest turn for which an intent came too late before the agent's step was written. */
  readonly #lateBeforeStep = new Map<string, number>();

  add(step: Pick<StepRecord, 'turn' | 'agent' | 'acts' | 'untimely'>): void {
    const { turn, agent, untimely } = step;
    for (const intents of untimely ?? []) {
      count(this.#untimely, intents.reason, intents.count);
      if (intents.missed !== undefined) this.#late(intents.entity, intents.missed, turn);
    }
    for (const { insteadOf } of step.acts) {
      if (insteadOf === null || insteadOf.code === UNCONTROLLED) continue;
      if (insteadOf.code !== NO_ANSWER) count(this.#waits, insteadOf.code);
      else if (untimely === undefined) count(this.#waits, UNKNOWN);
      else if (this.#lateBeforeStep.get(agent) === turn) count(this.#waits, LATE);
      else this.#missed(agent, turn);
    }
  }

  figures(): WaitFigures {
    return { waits: namedCounts(this.#waits), untimely: namedCounts(this.#untimely) };
  }

  /** An intent for a turn that the agent has missed, found during the turn `now`. */
  #late(agent: string, missed: number, now: number): void {
    if (this.#missing.get(agent)?.delete(missed) === true) {
      count(this.#waits, MISSING, -1);
      count(this.#waits, LATE);
    } else if (missed === now) this.#lateBeforeStep.set(agent, missed);
  }

  #missed(agent: string, turn: number): void {
    count(this.#waits, MISSING);
    const turns = this.#missing.get(agent) ?? new Set();
    this.#missing.set(agent, turns.add(turn));
    if (turns.size > MISSED_TICKS) turns.delete(Math.min(...turns));
  }
}

/** The code of the problem of a wait because no answer came in time; only served runs have it. */
const NO_ANSWER = 'late';

/** Reasons of waits in the figures. */
const LATE = 'late';
const MISSING = 'missing';
const UNKNOWN = 'late-or-missing';
