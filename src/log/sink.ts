/**
 * Where the loop writes: SQLite (`writer.ts`), or memory in tests. Every method throws StorageError when it can't keep what
 * it was given; nothing is announced before it is kept.
 *
 * Steps are staged and become durable with the next `request` (one commit for both) or with `flush`.
 */
import type { CallEnd, CallRequest, OutsideRecord, RunEnd, RunRecord, StepRecord } from './records.js';

export interface RunSink {
  begin(run: RunRecord, initialState: unknown): void;
  /** Committed at once where `durable`, else staged with the step. */
  request(call: CallRequest, durable: boolean): void;
  reply(runId: string, call: number, end: CallEnd, durable: boolean): void;
  /** Committed at once: it can't be done again. */
  outside(record: OutsideRecord): void;
  step(record: StepRecord): void;
  flush(): void;
  end(runId: string, end: RunEnd): void;
  /** Called with each step once it is durable. */
  onDurable(listener: (step: StepRecord) => void): void;
}
