// @ts-check
/** What a server counts of itself, as Prometheus reads it and under the names that vLLM gives: in go requests as they come and end, out goes the text of `/metrics`. */

/** Upper bounds of a histogram, in seconds. */
const BOUNDS = [0.001, 0.01, 0.1, 1, 10, 60];

class Histogram {
  #counts = BOUNDS.map(() => 0);
  #sum = 0;
  #all = 0;

  /** @param {number} seconds */
  observe(seconds) {
    this.#sum += seconds;
    this.#all += 1;
    BOUNDS.forEach((bound, i) => {
      if (seconds <= bound) this.#counts[i] = (this.#counts[i] ?? 0) + 1;
    });
  }

  /** @param {string} name @param {string} labels */
  lines(name, labels) {
    return [
      `# TYPE ${name} histogram`,
      ...BOUNDS.map((bound, i) => `${name}_bucket{${labels},le="${bound}"} ${this.#counts[i]}`),
      `${name}_bucket{${labels},le="+Inf"} ${this.#all}`,
      `${name}_sum{${labels}} ${this.#sum}`,
      `${name}_count{${labels}} ${this.#all}`,
    ];
  }
}

export class Metrics {
  /** @type {Map<string, number>} */ #finished = new Map();
  #counters = {
    prefix_cache_queries: 0,
    prefix_cache_hits: 0,
    mm_cache_queries: 0,
    mm_cache_hits: 0,
    prompt_tokens: 0,
    prompt_tokens_cached: 0,
    generation_tokens: 0,
  };
  #latency = new Histogram();
  #queued = new Histogram();
  /** Hashes of images that were read before. @type {Set<string>} */ #images = new Set();

  /** @param {import('./tokens.mjs').Prompt} prompt @param {number} cachedTokens */
  asked({ tokens, images }, cachedTokens) {
    const counters = this.#counters;
    counters.prompt_tokens += tokens.length;
    counters.prefix_cache_queries += tokens.length;
    counters.prefix_cache_hits += cachedTokens;
    counters.prompt_tokens_cached += cachedTokens;
    for (const { hash } of images) {
      counters.mm_cache_queries += 1;
      if (this.#images.has(hash)) counters.mm_cache_hits += 1;
      this.#images.add(hash);
    }
  }

  /** @param {{ finishReason: string, tokens: number, queuedMs: number, tookMs: number }} answer */
  answered({ finishReason, tokens, queuedMs, tookMs }) {
    this.#finished.set(finishReason, (this.#finished.get(finishReason) ?? 0) + 1);
    this.#counters.generation_tokens += tokens;
    this.#queued.observe(queuedMs / 1000);
    this.#latency.observe(tookMs / 1000);
  }

  /** @param {{ model: string, running: number, waiting: number, cacheUsage: number }} now */
  text({ model, running, waiting, cacheUsage }) {
    const labels = `engine="0",model_name="${model.replaceAll(/[\\"\n]/g, '_')}"`;
    const gauges = Object.entries({
      num_requests_running: running,
      num_requests_waiting: waiting,
      kv_cache_usage_perc: cacheUsage,
    });
    const lines = [
      ...gauges.flatMap(([name, value]) => single(name, 'gauge', `{${labels}} ${value}`)),
      ...Object.entries(this.#counters).flatMap(([name, value]) =>
        single(`${name}_total`, 'counter', `{${labels}} ${value}`),
      ),
      '# TYPE vllm:request_success_total counter',
      ...[...this.#finished].map(
        ([reason, count]) => `vllm:request_success_total{${labels},finished_reason="${reason}"} ${count}`,
      ),
      ...this.#queued.lines('vllm:request_queue_time_seconds', labels),
      ...this.#latency.lines('vllm:e2e_request_latency_seconds', labels),
    ];
    return `${lines.join('\n')}\n`;
  }
}

/** @param {string} name @param {string} type @param {string} rest */
function single(name, type, rest) {
  return [`# TYPE vllm:${name} ${type}`, `vllm:${name}${rest}`];
}
