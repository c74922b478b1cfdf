/**
 * What a batch planned to play, as it is stored next to the batch's logs: logs contain only what began, and a
 * report must also count what was never played.
 */

/** A run that was planned, whether it was played or not. */
export interface PlannedRecord {
  readonly run: string;
  /** The scenario's name. */
  readonly scenario: string;
  /** The players' name in the batch; '' for the scenario's own. */
  readonly players: string;
  /** Position by switch. */
  readonly switches: Readonly<Record<string, string>>;
  readonly seed: string;
}

export interface BatchRecord {
  readonly title: string;
  /** The hash of all planned runs, including those of other shards: equal for equal plans. */
  readonly plan: string;
  /** The runs that belong in this folder. */
  readonly runs: readonly PlannedRecord[];
}
