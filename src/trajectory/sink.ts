/**
 * Where the loop writes: SQLite (`log/writer.ts`), or memory in tests. Every method throws StorageError when it can't keep what
 * it was given; nothing is announced before it is kept.
 *
 * Steps are staged and become durable with the next durable `request` (one commit for both), before the next one that
 * is not, or with `flush` or `end`: one commit per step with embedded controllers, two with remote ones.
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

/** Thrown by a sink that wants the run stopped as it stands, without an end: one that compares rather than keeps. */
export abstract class SinkStops extends Error {}

/**
 * Where a run is written. Every method throws StorageError where it can't keep what it is given; nothing is told before it is kept.
 */
export interface RunSink {
  /** Of a fork the state is not kept: it is its parent's. */
  begin(run: RunRecord, initialState: unknown): void;
  /** The run is there and goes on with `firstStep`: versions, controllers and start are those of the new session. */
  resume(run: RunRecord, firstStep: number): void;
  /** Committed at once, with the steps staged before it, where `durable`; else staged with its own step. */
  request(call: CallRequest, durable: boolean): void;
  reply(runId: string, call: number, end: CallEnd, durable: boolean): void;
  /** Becomes durable with what comes next. */
  probe(record: ProbeRecord): void;
  /** Committed at once: it can't be done again. */
  outside(record: OutsideRecord): void;
  step(record: StepRecord): void;
  flush(): void;
  end(runId: string, end: RunEnd): void;
  /** Called with each step once it is durable. */
  onDurable(listener: (step: StepRecord) => void): void;
}
