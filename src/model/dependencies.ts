/**
 * What the model client takes from outside: environment variables, clock, chance and network. The command line
 * wires the real ones in (`systemDependencies`), tests their own, so that no test waits and none depends on
 * luck.
 */
import type { Admission } from './admission.js';
import type { Transport } from './transport.js';
import { nodeTransport } from './transport.js';

export interface Clock {
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
  /** An environment variable by name. Keys are read through it at each call and kept nowhere. */
  readonly env: (name: string) => string | undefined;
  readonly clock: Clock;
  /** 0 ≤ x < 1; only spreads waits, never shapes a reply. */
  readonly random: () => number;
  readonly transport: Transport;
  /** Who may ask a server now, where several clients share it; anybody at any time where left out. */
  readonly admission?: Admission;
}

export const systemClock: Clock = {
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

/** What `openChatModel` takes from outside: the real clock, chance and network, and the environment variables given (for a key). */
export function systemDependencies(env: (name: string) => string | undefined): Dependencies {
  return { env, clock: systemClock, random: Math.random, transport: nodeTransport() };
}
