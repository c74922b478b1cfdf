/**
 * What the model client takes from outside: keys, clock, chance and network. The command line
 * wires the real ones in (`systemDependencies`), tests their own, so that no test waits and none depends on
 * luck.
 */
import type { RateLimiters } from './rate-limiter.js';
import { serverKeys } from './keys.js';
import type { KeyAddresses, ServerKeys } from './keys.js';
import type { Transport } from './transport.js';
import { nodeTransport } from './transport.js';

export interface ModelClock {
  /** Milliseconds from any fixed moment; never goes back. */
  monotonicMs(): number;
  /** Milliseconds since 1970; only to read a server's dates. */
  wallMs(): number;
  /** Resolves after the delay, or at once when the signal is aborted. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Calls back once after the delay unless cancelled by the function returned. */
  after(delayMs: number, call: () => void): () => void;
}

export interface Dependencies {
  /** The keys of servers, each for its own addresses only. */
  readonly keys: ServerKeys;
  readonly clock: ModelClock;
  /** 0 ≤ x < 1; only spreads waits, never shapes a reply. */
  readonly random: () => number;
  readonly transport: Transport;
  /** Who may ask a server now, where several clients share it; anybody at any time where left out. */
  readonly admission?: RateLimiters;
}

export const systemClock: ModelClock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, delayMs);
      signal.addEventListener('abort', done);
    }),
  after: (delayMs, call) => {
    const timer = setTimeout(call, delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * What `openChatModel` takes from outside: the real clock, chance and network, and keys, looked up in the environment variables given. A key goes
 * to no address but those that `keys` gives for its variable (`OPENAI_API_KEY` also to `https://api.openai.com`, `OPENROUTER_API_KEY` to `https://openrouter.ai`).
 */
export function systemDependencies(
  env: (name: string) => string | undefined,
  keys: KeyAddresses = {},
): Dependencies {
  return { keys: serverKeys(env, keys), clock: systemClock, random: Math.random, transport: nodeTransport() };
}
