/**
 * Collects the replies of a run's open steps on their way to the log, for the display of thoughts. It is a
 * sink in front of the log that changes nothing. A reply is kept until its step is shown, so memory use is
 * bounded.
 */
import type { StepRecord } from '../../trajectory/records.js';
import type { CallPurpose } from '../../trajectory/record-values.js';
import { passThroughSink } from '../../trajectory/passing-sink.js';
import type { RunSink } from '../../trajectory/sink.js';
import type { ReplyWords } from '../../replay/thought.js';

export class ReplyCollector {
  readonly #replies = new Map<number, { step: number; reply: ReplyWords }>();
  /** The steps of calls that decide an act and have not been answered yet. */
  readonly #deciding = new Map<number, number>();

  /** The same sink, which also records the replies. */
  collectFrom(sink: RunSink): RunSink {
    return {
      ...passThroughSink(sink),
      request: (call, durable) => {
        if (DECIDING.includes(call.purpose)) this.#deciding.set(call.call, call.step);
        sink.request(call, durable);
      },
      reply: (runId, call, end, durable) => {
        const step = this.#deciding.get(call);
        this.#deciding.delete(call);
        if (step !== undefined && end.kind === 'replied') this.#replies.set(call, { step, reply: end.reply });
        sink.reply(runId, call, end, durable);
      },
    };
  }

  /**
   * The replies to a step's calls, by call. They are forgotten here, together with the discarded speculative
   * ones.
   */
  take({ step, calls }: StepRecord): ReadonlyMap<number, ReplyWords> {
    const replies = calls.flatMap((call) => {
      const found = this.#replies.get(call);
      return found === undefined ? [] : [[call, found.reply] as const];
    });
    for (const [call, one] of this.#replies) if (one.step <= step) this.#replies.delete(call);
    return new Map(replies);
  }
}

const DECIDING: readonly CallPurpose[] = ['act', 'repair', 'speculation'];
