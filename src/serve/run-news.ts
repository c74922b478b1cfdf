/**
 * The news of a served run for its streams: ticks, finished steps, and changes of control. Each reader has a
 * bounded feed, so that a slow reader costs the others nothing.
 */
import type { StepRecord } from '../trajectory/records.js';
import type { TickTiming } from '../trajectory/record-values.js';
import type { TickTimes } from './schedule.js';
import { BoundedReader, StreamReaders } from './streams.js';

/** A tick begins, is settled, or was the last. */
export interface TickNews {
  tick: number;
  phase: 'open' | 'settled' | 'run-ended';
  times: TickTimes | null;
  /** The agents whose turn it is; empty unless the tick is open. */
  asked: readonly string[];
  /** The stored timing of a settled tick; otherwise null. */
  timing: TickTiming | null;
}

export class RunNews {
  readonly #ticks = new StreamReaders<BoundedReader<TickNews>>();
  readonly #steps = new StreamReaders<BoundedReader<StepRecord>>();
  readonly #entities = new StreamReaders<BoundedReader<string>>();

  /** `open`: the open tick, which a new reader gets at once; null before the first. */
  ticks(open: TickNews | null, signal: AbortSignal): BoundedReader<TickNews> {
    const reader = this.#ticks.add(new BoundedReader<TickNews>(QUEUED_TICKS), signal);
    if (open !== null) reader.push(open);
    return reader;
  }

  steps(signal: AbortSignal): BoundedReader<StepRecord> {
    return this.#steps.add(new BoundedReader<StepRecord>(QUEUED_STEPS), signal);
  }

  /** Ids of entities whose control changed. */
  entityChanges(signal: AbortSignal): BoundedReader<string> {
    return this.#entities.add(new BoundedReader<string>(QUEUED_STEPS), signal);
  }

  tick(news: TickNews): void {
    this.#ticks.each((reader) => reader.push(news));
  }

  step(step: StepRecord): void {
    this.#steps.each((reader) => reader.push(step));
  }

  entity(id: string): void {
    this.#entities.each((reader) => reader.push(id));
  }

  /** Null: the run ended by itself. */
  end(error: unknown): void {
    this.#ticks.end(error);
    this.#steps.end(error);
    this.#entities.end(error);
  }
}

/** The maximum number of waiting items for a slow reader. */
const QUEUED_TICKS = 64;
const QUEUED_STEPS = 256;
