/**
 * What the model client takes from outside: keys, clock, randomness and network. The command line passes the
 * real ones (`systemDependencies`), tests pass their own, so that no test waits or depends on chance.
 */
import type { RateLimiters } from './rate-limiter.js';
import { serverKeys } from './keys.js';
import type { KeyAddresses, ServerKeys } from './keys.js';
import type { Transport } from './transport.js';
import { nodeTransport } from './transport.js';

export interface ModelClock {
  /** The time in milliseconds since an arbitrary moment; never decreases. */
  monotonicMs(): number;
  /** Milliseconds since 1970; only used to read the dates of servers. */
  wallMs(): number;
  /** Resolves after the delay, or at once if the signal is aborted. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Calls the function once after the delay, unless cancelled by the returned function. */
  after(delayMs: number, call: () => void): () => void;
}

export interface Dependencies {
  /** The keys of servers; each is only for its own addresses. */
  keys: ServerKeys;
  clock: ModelClock;
  /** Returns a number from 0 to below 1; only used to spread waits, never for the content of requests. */
  random: () => number;
  transport: Transport;
  /** Limits requests to servers that several clients share; no limits if omitted. */
  admission?: RateLimiters;
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
 * The dependencies of `openChatModel`: the real clock, randomness and network, and keys, looked up in the
 * given environment variables. A key is sent only to the addresses that `keys` lists for its variable
 * (`OPENAI_API_KEY` also to `https://api.openai.com`, `OPENROUTER_API_KEY` to `https://openrouter.ai`).
 */
export function systemDependencies(
  env: (name: string) => string | undefined,
  keys: KeyAddresses = {},
): Dependencies {
  return { keys: serverKeys(env, keys), clock: systemClock, random: Math.random, transport: nodeTransport() };
}
