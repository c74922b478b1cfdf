/** Counts what a run cost: calls, tokens where the server tells them, time spent waiting. A sink of its own before the log. */
import { passingTo } from '../log/passing-sink.js';
import type { RunSink } from '../log/sink.js';
import type { Usage } from '../model/chat.js';

export class UsageCount {
  #calls = 0;
  #latencyMs = 0;
  readonly #tokens: Record<keyof Usage, number | null> = {
    promptTokens: null,
    completionTokens: null,
    cachedTokens: null,
    imageTokens: null,
    reasoningTokens: null,
  };

  counting(sink: RunSink): RunSink {
    return {
      ...passingTo(sink),
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

  /** Null where no server told. */
  document(): object {
    return {
      calls: this.#calls,
      latency_ms: Math.round(this.#latencyMs),
      prompt_tokens: this.#tokens.promptTokens,
      completion_tokens: this.#tokens.completionTokens,
      cached_tokens: this.#tokens.cachedTokens,
      image_tokens: this.#tokens.imageTokens,
      reasoning_tokens: this.#tokens.reasoningTokens,
    };
  }
}
