/**
 * Which server plays a run, and which servers are unreachable: these get no new runs, and are probed
 * regularly.
 */
import { ModelError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { ModelClock } from '../model/dependencies.js';
import type { BatchServer } from '../scenario/batch.js';
import type { ModelSpec } from '../scenario/scenario.js';

export interface ServerOptions {
  /** Whether a model's server answers its questions again, within `limitMs`; never throws. */
  answers: (model: ModelSpec, limitMs: number, signal: AbortSignal) => Promise<boolean>;
  clock: ModelClock;
  /** How long a server may be unreachable before the batch stops waiting. */
  patienceMs: number;
  onGone: (baseUrl: string, reason: string) => void;
  onBack: (baseUrl: string, goneMs: number) => void;
}

interface WatchedServer {
  baseUrl: string;
  /** The number of runs played on it. */
  active: number;
  gone: { sinceMs: number; reason: string } | null;
}

const FIRST_PROBE_MS = 500;
const PROBE_MAX_MS = 15_000;

export class Servers {
  readonly #options: ServerOptions;
  readonly #servers = new Map<string, WatchedServer>();
  readonly #closing = new AbortController();
  #changed: () => void = () => undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Called whenever a server is back, or was probed without success. */
  onChange(listener: () => void): void {
    this.#changed = listener;
  }

  /** Stops probing. */
  close(): void {
    this.#closing.abort();
  }

  /** Whether one of them is reachable, as far as is known. */
  isReachable(choice: readonly BatchServer[]): boolean {
    return choice.some(({ baseUrl }) => this.#serverAt(baseUrl).gone === null);
  }

  /** The reachable server with the lowest load for its weight; null if none is reachable. */
  acquire(choice: readonly BatchServer[]): string | null {
    const servers = choice.map(({ baseUrl, weight }) => ({ server: this.#serverAt(baseUrl), weight }));
    const reachable = servers.filter(({ server }) => server.gone === null);
    const [best] = reachable.toSorted((a, b) => a.server.active / a.weight - b.server.active / b.weight);
    if (best === undefined) return null;
    best.server.active += 1;
    return best.server.baseUrl;
  }

  /** A run on the server has ended. */
  release(baseUrl: string): void {
    this.#serverAt(baseUrl).active -= 1;
  }

  /** Marks the server of a model as unreachable, and probes it until it answers that model's questions. */
  markGone(model: ModelSpec, reason: string): void {
    const { baseUrl } = model;
    const server = this.#serverAt(baseUrl);
    if (server.gone !== null) return;
    server.gone = { sinceMs: this.#options.clock.monotonicMs(), reason };
    this.#options.onGone(baseUrl, reason);
    void this.#probeUntilBack(server, model, server.gone.sinceMs);
  }

  /**
   * Why the batch stopped waiting: all servers have been unreachable for too long; null while one may be
   * waited for.
   */
  goneError(choice: readonly BatchServer[]): ModelError | null {
    const { clock, patienceMs } = this.#options;
    const gone = choice.flatMap(({ baseUrl }) => this.#serverAt(baseUrl).gone ?? []);
    const [firstGone] = gone;
    if (firstGone === undefined || gone.length < choice.length) return null;
    const latestMs = Math.max(...gone.map(({ sinceMs }) => sinceMs));
    if (clock.monotonicMs() - latestMs < patienceMs) return null;
    const seconds = Math.round(patienceMs / 1000);
    const hints = [
      `the server answered nobody for ${seconds} s: run the batch again with --resume when it is back`,
    ];
    return new ModelError(firstGone.reason, { isRetryable: false, hints });
  }

  async #probeUntilBack(server: WatchedServer, model: ModelSpec, sinceMs: number): Promise<void> {
    const { answers, clock, patienceMs } = this.#options;
    const { signal } = this.#closing;
    for (let waitMs = FIRST_PROBE_MS; ; waitMs = Math.min(PROBE_MAX_MS, waitMs * 2)) {
      const leftMs = (): number => sinceMs + patienceMs - clock.monotonicMs();
      await clock.sleep(leftMs() > 0 ? Math.min(waitMs, leftMs()) : waitMs, signal);
      if (signal.aborted) return;
      const isBack = await answers(model, Math.max(leftMs(), LIMITS.probeTimeoutMs), signal);
      if (isBack) server.gone = null;
      if (isBack) this.#options.onBack(server.baseUrl, clock.monotonicMs() - sinceMs);
      this.#changed();
      if (isBack) return;
    }
  }

  #serverAt(baseUrl: string): WatchedServer {
    const server = this.#servers.get(baseUrl) ?? { baseUrl, active: 0, gone: null };
    this.#servers.set(baseUrl, server);
    return server;
  }
}
