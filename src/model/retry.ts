/**
 * The one retry layer: how often, how long to wait, and when to give up. Every try has its own time limit,
 * which covers the whole body; all of them share the sum of these limits. Only tries that count use it up, and
 * what a server asks to wait beyond our own wait; a wait that would take all that is left is not begun.
 */
import { setMaxListeners } from 'node:events';
import { LIMITS } from '../base/limits.js';
import type { Reply } from './chat.js';
import { beforeDeadline } from './deadline.js';
import { fault, FaultError } from './fault.js';
import type { Fault } from './fault.js';
import type { RateLimiter } from './rate-limiter.js';
import type { Dependencies } from './dependencies.js';

export interface RetryPlan {
  /** The time for one try, from connecting to the last byte. */
  timeoutMs: number;
  /** The number of tries after the first. */
  retries: number;
  /** Whether a retry could succeed after this fault. */
  isWorthAnother: (fault: Fault) => boolean;
  /**
   * May change what the next try sends; true: try again at once, without counting. It may return true only
   * once.
   */
  adapt: (fault: Fault) => boolean;
  /**
   * Admission for each try; null for none. The wait for it is not the server's fault and does not count
   * towards the time limit.
   */
  limiter: RateLimiter | null;
  /** Whether the call is still speculative. */
  isAhead: () => boolean;
}

/** Every try failed. The last fault is the one that is reported. */
export interface GivenUp {
  fault: Fault;
  tries: Reply['tries'];
  /** True if the server requested a longer wait than the time limits allow. */
  outOfTime: boolean;
}

export type RetryOutcome<T> = { ok: true; value: T; tries: Reply['tries'] } | { ok: false; givenUp: GivenUp };

const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 20_000;

/**
 * Tries until there is an answer, a fault that a retry can't fix, or no tries or time are left. Throws
 * AbortError on signal.
 */
export async function withRetry<T>(
  plan: RetryPlan,
  { clock, random }: Dependencies,
  signal: AbortSignal,
  tryOnce: (signal: AbortSignal) => Promise<T>,
): Promise<RetryOutcome<T>> {
  // One signal is used for a whole run: as many calls listen to it as agents are thinking at once, and Node
  // would warn from eleven on.
  setMaxListeners(0, signal);
  const begunMs = clock.monotonicMs();
  const tries: { problem: string; afterMs: number }[] = [];
  let leftMs = plan.timeoutMs * (plan.retries + 1);
  let wasAskedToWait = false;
  for (let retried = 0; ;) {
    const isFirst = tries.length === 0;
    const release = await plan.limiter?.enter({ signal, isFirst, isAhead: plan.isAhead });
    const limitMs = Math.min(plan.timeoutMs, leftMs);
    const triedMs = clock.monotonicMs();
    const outcome = await beforeDeadline({ limitMs, clock, signal }, tryOnce);
    const endedMs = clock.monotonicMs();
    release?.();
    throwIfCancelled(signal);
    if (outcome.kind === 'answered') return { ok: true, value: outcome.value, tries };

    let failed: Fault;
    if (outcome.kind !== 'failed') {
      const isShortened = wasAskedToWait && limitMs < plan.timeoutMs;
      const note = isShortened ? ' (the waits that the server requested used up the remaining time)' : '';
      const limit = `${Math.round(limitMs / 100) / 10} s`;
      failed = fault('timeout', `no complete answer within ${limit}${note}`, true);
    } else if (outcome.error instanceof FaultError) failed = outcome.error.fault;
    else throw outcome.error;
    const problem = [failed.status, failed.message || failed.kind].filter((part) => part !== null).join(' ');
    tries.push({ problem, afterMs: Math.round(endedMs - begunMs) });
    if (plan.adapt(failed)) continue;

    leftMs -= endedMs - triedMs;
    const givenUp = (outOfTime: boolean): RetryOutcome<T> => ({
      ok: false,
      givenUp: { fault: failed, tries, outOfTime },
    });
    if (!plan.isWorthAnother(failed) || retried >= plan.retries) return givenUp(false);
    const askedMs = retryAfterMs(failed, clock.wallMs()) ?? 0;
    plan.limiter?.pause(askedMs);
    const ownWaitMs = backoffMs(retried, random());
    const extraWaitMs = Math.max(0, askedMs - ownWaitMs);
    if (extraWaitMs >= leftMs) return givenUp(true);
    if (plan.limiter?.mayRetry() === false) return givenUp(false);
    leftMs -= extraWaitMs;
    wasAskedToWait ||= extraWaitMs > 0;
    retried += 1;
    await clock.sleep(ownWaitMs + extraWaitMs, signal);
  }
}

/** Throws an AbortError if the caller has cancelled. */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new DOMException('the call was cancelled', 'AbortError');
}

/**
 * The wait after failed try `count` (from 0): doubled each time, half of it random (0 ≤ `chance` < 1), so
 * that agents don't retry in step.
 */
export function backoffMs(count: number, chance: number): number {
  const full = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(count, 20));
  return Math.round(full / 2 + (full / 2) * chance);
}

/**
 * The wait that the server requested, within 0 … LIMITS.retryAfterMs; null if it requested none, or it can't
 * be parsed.
 */
export function retryAfterMs(failed: Fault, wallMs: number): number | null {
  const { ms, header } = failed.retryAfter;
  const number = (text: string | null): number => (text?.trim() ? Number(text) : Number.NaN);
  const requested = [number(ms), number(header) * 1000, Date.parse(header ?? '') - wallMs];
  const requestedMs = requested.find((one) => !Number.isNaN(one));
  if (requestedMs === undefined) return null;
  return Math.min(LIMITS.retryAfterMs, Math.max(0, Math.round(requestedMs)));
}
