/**
 * Earlier steps: of a resumed run, or of the run that a fork begins with. The loop restores them
 * (`restore.ts`) instead of playing them; the caller decides where they come from (the log).
 */
import type { Environment } from '../environment/environment.js';
import type { CallOutline, LoggedCall, OutsideRecord, RunEnd, StepRecord } from '../trajectory/records.js';
import type { Scenario } from '../scenario/scenario.js';

/** The players of a step: a fork may continue with other players. */
export interface PlayedBy<S> {
  scenario: Scenario;
  environment: Environment<S>;
  genesisHash: string;
}

export interface PastStep<S> {
  record: StepRecord;
  /** The calls that the step lists, in order. */
  calls: readonly CallOutline[];
  /** Questions outside the step and discarded speculative calls, which cost tokens too. */
  sideCalls: readonly CallOutline[];
  playedBy: PlayedBy<S>;
}

/** The stored records of unfinished steps, and of questions after the end. */
export interface PendingStep {
  calls: readonly LoggedCall[];
  outside: readonly OutsideRecord[];
  /** Calls whose probes were stored. */
  probed: readonly number[];
}

export interface RunHistory<S> {
  /** True if the run already exists, so that it gets another session; false for a new fork. */
  isOwn: boolean;
  /** The hash from which the chain starts at its first step. */
  genesisHash: string;
  /** The newest state stored before the turn of the last step; step 0 is the state before the first step. */
  stored: { step: number; state: S };
  /** Number of calls so far, including cancelled ones: new calls are numbered from here. */
  calls: number;
  /** The duration of its sessions up to its last step, in milliseconds. */
  elapsedMs: number;
  /**
   * The time spent on unfinished steps; counted once one of these steps is continued, because its stored
   * calls are used.
   */
  pendingMs: number;
  /** How the run ended; null if it has not ended. After the end, only reflections remain. */
  end: RunEnd | null;
  pending: PendingStep;
  /** The steps in order, from the first. */
  steps(): Iterable<PastStep<S>>;
}
