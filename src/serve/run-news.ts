/**
 * What a served run tells its streams: ticks, finished steps, and changes of who controls whom. In: the news, as they come; out: a feed for each
 * reader, bounded, so that one who reads slowly costs nobody anything.
 */
import type { StepRecord, TickTiming } from '../trajectory/records.js';
import type { TickTimes } from './schedule.js';
import { Feed, Readers } from './streams.js';

/** A tick begins, is settled, or was the last. */
export interface TickNews {
  readonly tick: number;
  readonly phase: 'open' | 'settled' | 'run-ended';
  readonly times: TickTimes | null;
  /** Whose turn it is; empty but for an open tick. */
  readonly asked: readonly string[];
  /** As the log has it, of a settled tick; else null. */
  readonly timing: TickTiming | null;
}

export class RunNews {
  readonly #ticks = new Readers<Feed<TickNews>>();
  readonly #steps = new Readers<Feed<StepRecord>>();
  readonly #entities = new Readers<Feed<string>>();

  /** `open`: the tick that is open, which a new reader is told at once; null before the first. */
  ticks(open: TickNews | null, signal: AbortSignal): Feed<TickNews> {
    const reader = this.#ticks.add(new Feed<TickNews>(QUEUED_TICKS), signal);
    if (open !== null) reader.push(open);
    return reader;
  }

  steps(signal: AbortSignal): Feed<StepRecord> {
    return this.#steps.add(new Feed<StepRecord>(QUEUED_STEPS), signal);
  }

  /** Ids of entities whose control changed. */
  entityChanges(signal: AbortSignal): Feed<string> {
    return this.#entities.add(new Feed<string>(QUEUED_STEPS), signal);
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

  /** Null: the run came to its own end. */
  end(error: unknown): void {
    this.#ticks.end(error);
    this.#steps.end(error);
    this.#entities.end(error);
  }
}

/** What a slow reader may have waiting. */
const QUEUED_TICKS = 64;
const QUEUED_STEPS = 256;
