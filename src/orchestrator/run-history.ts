/**
 * Steps that were played before: of a run that goes on after it was left, or of the run that a fork begins with. The loop takes them up
 * (`restore.ts`) instead of playing them; where they come from (the log) is whoever's that hands them in.
 */
import type { Environment } from '../environment/environment.js';
import type { CallOutline, LoggedCall, OutsideRecord, RunEnd, StepRecord } from '../trajectory/records.js';
import type { Scenario } from '../scenario/scenario.js';

/** By what a step was played: a fork may go on by something else. */
export interface PlayedBy<S> {
  readonly scenario: Scenario;
  readonly environment: Environment<S>;
  readonly genesisHash: string;
}

export interface PastStep<S> {
  readonly record: StepRecord;
  /** Those that the step lists, in order. */
  readonly calls: readonly CallOutline[];
  /** Questions beside the step, and calls that were made ahead of it in vain, which cost too. */
  readonly beside: readonly CallOutline[];
  readonly by: PlayedBy<S>;
}

/** What was stored of steps that were never finished, and of what was asked after the end. */
export interface PendingStep {
  readonly calls: readonly LoggedCall[];
  readonly outside: readonly OutsideRecord[];
  /** Calls whose probes were kept. */
  readonly probed: readonly number[];
}

export interface RunHistory<S> {
  /** True where the run itself was begun before: it gets a further session. False for a fork that begins. */
  readonly isOwn: boolean;
  /** The genesis that the chain of its first step stands on. */
  readonly genesisHash: string;
  /** The newest state that is stored before the turn which the last step belongs to; step 0: the state before the first. */
  readonly stored: { readonly step: number; readonly state: S };
  /** Calls made so far, those that were given up included: numbers go on from here. */
  readonly calls: number;
  /** How long its sessions took up to its last step, in milliseconds. */
  readonly elapsedMs: number;
  /** How long they took over steps that were never finished; counted once one of these is, since what is stored of it is used. */
  readonly begunMs: number;
  /** How it ended; null where it did not. After its end nothing is left but looking back. */
  readonly end: RunEnd | null;
  readonly begun: PendingStep;
  /** In order, from the first. */
  steps(): Iterable<PastStep<S>>;
}
