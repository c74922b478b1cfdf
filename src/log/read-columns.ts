/**
 * What the reader's queries (`queries.ts`) return: rows of the tables, with what was joined to them. Nothing
 * has been checked yet.
 */
import type { RowOf } from './table.js';
import type { CALLS, ENDS, OUTSIDE, PROBES, REPLIES, RUNS, SITTINGS, STEPS } from './tables.js';

export type SittingRow = RowOf<typeof SITTINGS>;
export type EndRow = RowOf<typeof ENDS>;
export type OutsideRow = RowOf<typeof OUTSIDE>;
export type ReplyRow = RowOf<typeof REPLIES>;
export type StepOutlineRow = RowOf<typeof STEPS>;

export interface StepRow extends StepOutlineRow {
  snapshot: number | null;
}

/** With what is known of it from other tables. */
export interface RunRow
  extends
    RowOf<typeof RUNS>,
    /** That of its first session. */
    SittingRow,
    Pick<EndRow, 'steps' | 'chain'> {
  parent: string | null;
  /** Null while the run is in progress. */
  status: EndRow['status'] | null;
}

export interface CallRow extends RowOf<typeof CALLS> {
  /** `act` for a speculative call that counted. */
  acted_as: RowOf<typeof CALLS>['purpose'];
  /** The hash of its observation as stored; null if it is missing. */
  observed: string | null;
  /** Null if there is none. */
  reply: ReplyRow | null;
}

export type ProbeRow = RowOf<typeof PROBES> & Pick<CallRow, 'step' | 'turn' | 'agent'>;

export interface SessionRow extends SittingRow {
  ended_at: number | null;
  /** Of its last step. */
  finished_at: number | null;
}
