/**
 * Which server a run is played on, and what happens while one is gone: nothing new is begun there, it is asked now and then whether it is back, and whoever
 * waits goes on then. In: addresses with weights, and news of failures; out: an address, or the end of patience.
 */
import { ModelError } from '../base/errors.js';
import type { Clock } from '../model/dependencies.js';
import type { BatchServer } from '../scenario/batch.js';

export interface ServerOptions {
  /** Whether a server answers; never throws. */
  readonly answers: (baseUrl: string, signal: AbortSignal) => Promise<boolean>;
  readonly clock: Clock;
  /** How long one may be gone before whoever waits for it gives up. */
  readonly patienceMs: number;
  /** Ends every wait. */
  readonly signal: AbortSignal;
  readonly onGone: (baseUrl: string, words: string) => void;
  readonly onBack: (baseUrl: string, goneMs: number) => void;
}

interface Server {
  readonly baseUrl: string;
  /** Runs that are played on it. */
  active: number;
  gone: { readonly sinceMs: number; readonly words: string } | null;
}

const ASK_FIRST_MS = 500;
const ASK_MAX_MS = 15_000;

export class Servers {
  readonly #options: ServerOptions;
  readonly #servers = new Map<string, Server>();
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  #waiting: (() => void)[] = [];

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#closing.signal]);
    this.#signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  /** Nobody waits for one any more. */
  close(): void {
    this.#closing.abort();
  }

  /** The least busy for its weight of those that answer. Waits while none does; null once the signal is aborted. Throws ModelError at the end of patience. */
  async take(choice: readonly BatchServer[]): Promise<string | null> {
    for (;;) {
      if (this.#signal.aborted) return null;
      const servers = choice.map(({ baseUrl, weight }) => ({ server: this.#of(baseUrl), weight }));
      const here = servers.filter(({ server }) => server.gone === null);
      const [best] = here.toSorted((a, b) => a.server.active / a.weight - b.server.active / b.weight);
      if (best !== undefined) {
        best.server.active += 1;
        return best.server.baseUrl;
      }
      this.#refuseImpatient(servers.map(({ server }) => server));
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** A run has left it. */
  leave(baseUrl: string): void {
    this.#of(baseUrl).active -= 1;
  }

  /** It did not answer. */
  failed(baseUrl: string, words: string): void {
    const server = this.#of(baseUrl);
    if (server.gone !== null) return;
    server.gone = { sinceMs: this.#options.clock.monotonicMs(), words };
    this.#options.onGone(baseUrl, words);
    void this.#askAgain(server, server.gone.sinceMs);
  }

  async #askAgain(server: Server, sinceMs: number): Promise<void> {
    const { answers, clock, patienceMs } = this.#options;
    const signal = this.#signal;
    for (let waitMs = ASK_FIRST_MS; !signal.aborted; waitMs = Math.min(ASK_MAX_MS, waitMs * 2)) {
      const leftMs = sinceMs + patienceMs - clock.monotonicMs();
      await clock.sleep(Math.max(1, leftMs > 0 ? Math.min(waitMs, leftMs) : waitMs), signal);
      if (signal.aborted) return;
      if (await answers(server.baseUrl, signal)) {
        server.gone = null;
        this.#options.onBack(server.baseUrl, clock.monotonicMs() - sinceMs);
        this.#wake();
        return;
      }
      // Whoever waits looks at the time.
      this.#wake();
    }
  }

  #refuseImpatient(servers: readonly Server[]): void {
    const { clock, patienceMs } = this.#options;
    const gone = servers.flatMap((server) => (server.gone === null ? [] : [server.gone]));
    const latest = Math.max(...gone.map(({ sinceMs }) => sinceMs));
    if (clock.monotonicMs() - latest < patienceMs) return;
    const [first] = gone;
    throw new ModelError(first?.words ?? 'no server answers', {
      isRetryable: false,
      hints: [`it was gone for ${Math.round(patienceMs / 1000)} s; go on with --resume when it is back`],
    });
  }

  #of(baseUrl: string): Server {
    const server = this.#servers.get(baseUrl) ?? { baseUrl, active: 0, gone: null };
    this.#servers.set(baseUrl, server);
    return server;
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
