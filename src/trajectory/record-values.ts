/**
 * Values that fields of records have, or the JSON of their columns: `columns.ts` names them, so they stand
 * before the records that follow from it.
 */

/** The versions that a session was played with. */
export interface RunVersions {
  program: string;
  log: number;
  rules: number;
  parser: number;
  prompt: number;
  render: number;
  node: string;
}

/**
 * `speculation`: a speculative call that was discarded. While it is pending, its outcome is unknown; one that
 * was used is read as `act`.
 */
export type CallPurpose = 'act' | 'repair' | 'summary' | 'probe' | 'reflection' | 'interview' | 'speculation';

/** How a session of a run was served: `serve LOG --resume` uses the same options. */
export interface ServingRecord {
  pace: 'clock' | 'lockstep';
  /** The period of the clock; 0 for `lockstep`. */
  periodMs: number;
  windowMs: number;
  ttlMs: number;
  /** How many entities had to be held before the first tick. */
  waitFor: number;
  staleness: number;
  /** Agents that the server played itself. */
  own: readonly string[];
}

/** The timing of a tick of a served run, in milliseconds of a monotonic clock; outside the chain. */
export interface TickTiming {
  /** How much later than planned the tick began; for agents that act in turn, the sum over their windows. */
  overrunMs: number;
  /** The time from the end of the decision window until the tick's last step was written. */
  settleMs: number;
}

/** Why an intent for a served entity came at the wrong time and was ignored. */
export type UntimelyReason = 'late' | 'early' | 'decided' | 'other-attempt' | 'out-of-play' | 'stale';

/** How many intents for an entity came at the wrong time between two steps, for one reason; outside the chain. */
export interface UntimelyCount {
  entity: string;
  reason: UntimelyReason;
  /**
   * Only for the reason `late`: the tick that they answer, if the entity had to wait in it because no intent
   * came in time.
   */
  missed?: number;
  count: number;
}

/** What a reward is paid for: the keys of the scenario's `rewards`. */
export type RewardName = 'success' | 'failure' | 'step' | 'refused' | 'unreadable' | 'progress';

/** The rewards for a step. */
export interface StepRewards {
  /** The rewards by agent; absent for agents without a reward. */
  paid: Readonly<Record<string, number>>;
  /** The same by agent and name; absent if nothing was paid, and in logs of earlier programs. */
  byName?: Readonly<Record<string, Readonly<Partial<Record<RewardName, number>>>>>;
  /** Agents for which this step decided how the run ends; absent if there are none. */
  outcomes?: Readonly<Record<string, 'succeeded' | 'failed' | 'ended'>>;
  /**
   * After a turn, if progress is rewarded: turns until success in the plan that the solver found; `never` if
   * there is none; null if it gave up, so nothing was paid.
   */
  distance?: number | 'never' | null;
}
