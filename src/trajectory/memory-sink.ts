/**
 * A sink that keeps everything in memory, for tests and for programs that need no file. It keeps records in
 * order of arrival and reports steps at the same moments as `log/writer.ts`; both pass the same tests.
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
import type { RunSink } from './sink.js';

export type SinkEntry =
  | { kind: 'begin'; run: RunRecord; initialState: unknown }
  | { kind: 'resume'; run: RunRecord; firstStep: number }
  | { kind: 'request'; call: CallRequest; durable: boolean }
  | { kind: 'reply'; runId: string; call: number; end: CallEnd }
  | { kind: 'probe'; record: ProbeRecord }
  | { kind: 'outside'; record: OutsideRecord }
  | { kind: 'step'; record: StepRecord }
  | { kind: 'end'; runId: string; end: RunEnd };

/** Keeps a run in memory, in the order in which its records arrived. */
export class MemorySink implements RunSink {
  readonly entries: SinkEntry[] = [];
  readonly #listeners: ((step: StepRecord) => void)[] = [];
  #staged: StepRecord[] = [];

  get steps(): readonly StepRecord[] {
    return this.entries.flatMap((entry) => (entry.kind === 'step' ? [entry.record] : []));
  }

  begin(run: RunRecord, initialState: unknown): void {
    this.entries.push({ kind: 'begin', run, initialState });
    this.flush();
  }

  resume(run: RunRecord, firstStep: number): void {
    this.entries.push({ kind: 'resume', run, firstStep });
    this.flush();
  }

  request(call: CallRequest, durable: boolean): void {
    if (!durable) this.flush();
    this.entries.push({ kind: 'request', call, durable });
    if (durable) this.flush();
  }

  reply(runId: string, call: number, end: CallEnd, durable: boolean): void {
    this.entries.push({ kind: 'reply', runId, call, end });
    if (durable) this.flush();
  }

  probe(record: ProbeRecord): void {
    this.entries.push({ kind: 'probe', record });
  }

  outside(record: OutsideRecord): void {
    this.entries.push({ kind: 'outside', record });
    this.flush();
  }

  step(record: StepRecord): void {
    this.entries.push({ kind: 'step', record });
    this.#staged.push(record);
  }

  flush(): void {
    const steps = this.#staged;
    this.#staged = [];
    for (const step of steps) for (const listener of this.#listeners) listener(step);
  }

  end(runId: string, end: RunEnd): void {
    this.entries.push({ kind: 'end', runId, end });
    this.flush();
  }

  onDurable(listener: (step: StepRecord) => void): void {
    this.#listeners.push(listener);
  }
}
