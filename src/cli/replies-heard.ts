/**
 * The replies of a run's open steps, as they pass on their way into the log, for whoever shows what agents thought. A sink before
 * the log that changes nothing; a reply is held until its step is shown, so memory stays flat.
 */
import type { StepRecord } from '../log/records.js';
import { passingTo } from '../log/passing-sink.js';
import type { RunSink } from '../log/sink.js';
import type { ReplyWords } from './thought.js';

export class RepliesHeard {
  readonly #words = new Map<number, ReplyWords>();
  /** Calls that decide an act and are not answered yet. */
  readonly #deciding = new Set<number>();

  /** The same sink, overheard. */
  hearing(sink: RunSink): RunSink {
    return {
      ...passingTo(sink),
      request: (call, durable) => {
        if (call.purpose === 'act' || call.purpose === 'repair') this.#deciding.add(call.call);
        sink.request(call, durable);
      },
      reply: (runId, call, end, durable) => {
        if (this.#deciding.delete(call) && end.kind === 'replied') this.#words.set(call, end.reply);
        sink.reply(runId, call, end, durable);
      },
    };
  }

  /** The replies to a step's calls, by call; they are let go. */
  take({ calls }: Pick<StepRecord, 'calls'>): ReadonlyMap<number, ReplyWords> {
    const heard = calls.flatMap((call) => {
      const words = this.#words.get(call);
      this.#words.delete(call);
      return words === undefined ? [] : [[call, words] as const];
    });
    return new Map(heard);
  }
}
