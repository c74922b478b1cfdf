/**
 * Counts what a run's calls cost: their number, their tokens if the server reports them, and the time waited.
 * It is a sink in front of the log.
 */
import { passThroughSink } from './passing-sink.js';
import type { RunSink } from './sink.js';
import type { Usage } from '../model/chat.js';

export class UsageCount {
  #calls = 0;
  #latencyMs = 0;
  /** Calls that were made ahead of their turn and that no step has listed yet. */
  readonly #speculative = new Set<number>();
  readonly #tokens: Record<keyof Usage, number | null> = {
    promptTokens: null,
    completionTokens: null,
    cachedTokens: null,
    imageTokens: null,
    reasoningTokens: null,
  };

  countingSink(sink: RunSink): RunSink {
    return {
      ...passThroughSink(sink),
      request: (call, durable) => {
        if (call.purpose === 'speculation') this.#speculative.add(call.call);
        sink.request(call, durable);
      },
      step: (record) => {
        for (const call of record.calls) this.#speculative.delete(call);
        sink.step(record);
      },
      reply: (runId, call, end, durable) => {
        this.#calls += 1;
        if (end.kind === 'replied') this.#add(end.reply.usage, end.reply.latencyMs);
        sink.reply(runId, call, end, durable);
      },
    };
  }

  #add(usage: Usage, latencyMs: number): void {
    this.#latencyMs += latencyMs;
    for (const key of Object.keys(this.#tokens) as (keyof Usage)[]) {
      const value = usage[key];
      if (value !== null) this.#tokens[key] = (this.#tokens[key] ?? 0) + value;
    }
  }

  /** Discarded speculative calls. */
  get wasted(): number {
    return this.#speculative.size;
  }

  /** The counts as JSON for `--json`; a token count is null if no server reported it. */
  document(): object {
    return {
      calls: this.#calls,
      wasted_calls: this.wasted,
      latency_ms: Math.round(this.#latencyMs),
      prompt_tokens: this.#tokens.promptTokens,
      completion_tokens: this.#tokens.completionTokens,
      cached_tokens: this.#tokens.cachedTokens,
      image_tokens: this.#tokens.imageTokens,
      reasoning_tokens: this.#tokens.reasoningTokens,
    };
  }
}
