/**
 * The destination of the loop's records: SQLite (`log/writer.ts`), or memory in tests. Every method throws
 * StorageError if it can't store its input; nothing is announced before it is stored. Steps are staged and
 * become durable with the next durable `request` (one commit for both), before the next request that is not
 * durable, or with `flush` or `end`: one commit per step with built-in players, two with remote controllers.
 */
import type {
  CallEnd,
  CallRequest,
  OutsideRecord,
  ProbeRecord,
  RunEnd,
  RunRecord,
  StepRecord,
} from './records.js';

/**
 * Thrown by a sink to stop the run immediately, without an end: for a sink that compares instead of storing.
 */
export abstract class SinkStops extends Error {}

/**
 * The destination of a run's records. Every method throws StorageError if it can't store its input; nothing
 * is reported before it is stored.
 */
export interface RunSink {
  /** A fork's first state is not stored: it is its parent's. */
  begin(run: RunRecord, initialState: unknown): void;
  /**
   * The run already exists and continues with `firstStep`; versions, controllers and start time are those of
   * the new session.
   */
  resume(run: RunRecord, firstStep: number): void;
  /**
   * If `durable`, committed at once, together with the steps staged before it; otherwise staged until its own
   * step.
   */
  request(call: CallRequest, durable: boolean): void;
  reply(runId: string, call: number, end: CallEnd, durable: boolean): void;
  /** Stored durably with the next record. */
  probe(record: ProbeRecord): void;
  /** Committed at once, because it can't be repeated. */
  outside(record: OutsideRecord): void;
  step(record: StepRecord): void;
  flush(): void;
  end(runId: string, end: RunEnd): void;
  /** Called with each step once it is durable. */
  onDurable(listener: (step: StepRecord) => void): void;
}
