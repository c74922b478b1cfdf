/**
 * The one retry layer: how often, how long to wait, and when to give up. Every try has its own time limit,
 * which covers the whole body, and all tries share a deadline, the sum of their limits. Our own waits, and a
 * try that does not count, move the deadline, so that no try gets less time because of them. If the server
 * requests a longer wait, the additional time is taken from the deadline, and a wait that would exceed it is
 * not begun.
 */
import { setMaxListeners } from 'node:events';
import { LIMITS } from '../base/limits.js';
import type { Reply } from './chat.js';
import { beforeDeadline } from './deadline.js';
import { fault, FaultError } from './fault.js';
import type { Fault } from './fault.js';
import type { RateLimiter } from './rate-limiter.js';
import type { ModelClock, Dependencies } from './dependencies.js';

export interface RetryPlan {
  /** The time for one try, from connecting to the last byte. */
  readonly timeoutMs: number;
  /** The number of tries after the first. */
  readonly retries: number;
  /** Whether a retry could succeed after this fault. */
  readonly isWorthAnother: (fault: Fault) => boolean;
  /**
   * May change what the next try sends; true: try again at once, without counting. It may return true only
   * once.
   */
  readonly adapt: (fault: Fault) => boolean;
  /**
   * Admission for each try; null for none. The wait for it is not the server's fault and does not count
   * towards the time limit.
   */
  readonly limiter: RateLimiter | null;
  /** Whether the call is still speculative. */
  readonly isAhead: () => boolean;
}

/** Every try failed. The last fault is the one that is reported. */
export interface GivenUp {
  readonly fault: Fault;
  readonly tries: Reply['tries'];
  /** True if the server requested a longer wait than the deadline allows. */
  readonly outOfTime: boolean;
}

export type RetryOutcome<T> =
  | { readonly ok: true; readonly value: T; readonly tries: Reply['tries'] }
  | { readonly ok: false; readonly givenUp: GivenUp };

const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 20_000;

/**
 * Tries until there is an answer, a fault that a retry can't fix, or no tries or time are left. Throws
 * AbortError on signal.
 */
export async function withRetry<T>(
  plan: RetryPlan,
  dependencies: Dependencies,
  signal: AbortSignal,
  tryOnce: (signal: AbortSignal) => Promise<T>,
): Promise<RetryOutcome<T>> {
  const { clock } = dependencies;
  // One signal is used for a whole run: as many calls listen to it as agents are thinking at once, and Node
  // would warn from eleven on.
  setMaxListeners(0, signal);
  const begunMs = clock.monotonicMs();
  let deadlineMs = begunMs + plan.timeoutMs * (plan.retries + 1);
  let wasAskedToWait = false;
  const tries: { problem: string; afterMs: number }[] = [];
  for (let counted = 0; ;) {
    const askedMs = clock.monotonicMs();
    const isFirst = tries.length === 0;
    const release = await plan.limiter?.enter({ signal, isFirst, isAhead: plan.isAhead });
    const triedMs = clock.monotonicMs();
    deadlineMs += triedMs - askedMs;
    const leftMs = deadlineMs - triedMs;
    const isShortened = wasAskedToWait && leftMs < plan.timeoutMs;
    const limit = { ms: Math.min(plan.timeoutMs, leftMs), isShortened };
    const outcome = await attempt(limit, clock, signal, tryOnce).finally(release);
    if (outcome.ok) return { ok: true, value: outcome.value, tries };
    const { fault: failed } = outcome;
    tries.push({ problem: describeFault(failed), afterMs: Math.round(clock.monotonicMs() - begunMs) });
    if (plan.adapt(failed)) {
      deadlineMs += clock.monotonicMs() - triedMs;
      continue;
    }
    if (!plan.isWorthAnother(failed) || counted >= plan.retries) return givenUp(failed, tries, false);
    const askedWaitMs = retryAfterMs(failed, clock.wallMs()) ?? 0;
    plan.limiter?.pause(askedWaitMs);
    const ownWaitMs = backoffMs(counted, dependencies.random());
    const waitMs = Math.max(ownWaitMs, askedWaitMs);
    deadlineMs += ownWaitMs;
    wasAskedToWait ||= waitMs > ownWaitMs;
    if (clock.monotonicMs() + waitMs >= deadlineMs) return givenUp(failed, tries, true);
    if (plan.limiter?.mayRetry() === false) return givenUp(failed, tries, false);
    counted += 1;
    await clock.sleep(waitMs, signal);
  }
}

function givenUp(failed: Fault, tries: Reply['tries'], outOfTime: boolean): RetryOutcome<never> {
  return { ok: false, givenUp: { fault: failed, tries, outOfTime } };
}

/** One line about a fault for logs and terminals. */
function describeFault(failed: Fault): string {
  const status = failed.status === null ? '' : `${failed.status} `;
  return failed.message === '' ? `${status}${failed.kind}` : `${status}${failed.message}`;
}

type AttemptResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault };

/** The time for a try, and whether waits that the server requested used up some of it. */
interface TimeLimit {
  readonly ms: number;
  readonly isShortened: boolean;
}

/** One try under its time limit. Results after the limit or a cancel are dropped. */
async function attempt<T>(
  limit: TimeLimit,
  clock: ModelClock,
  signal: AbortSignal,
  tryOnce: (signal: AbortSignal) => Promise<T>,
): Promise<AttemptResult<T>> {
  throwIfCancelled(signal);
  const outcome = await beforeDeadline({ limitMs: limit.ms, clock, signal }, tryOnce);
  throwIfCancelled(signal);
  if (outcome.kind === 'answered') return { ok: true, value: outcome.value };
  if (outcome.kind !== 'failed') return { ok: false, fault: fault('timeout', timeoutMessage(limit), true) };
  if (outcome.error instanceof FaultError) return { ok: false, fault: outcome.error.fault };
  throw outcome.error;
}

function timeoutMessage({ ms, isShortened }: TimeLimit): string {
  const note = isShortened ? ' (the waits that the server requested used up the remaining time)' : '';
  return `no complete answer within ${seconds(ms)}${note}`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
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
  const requestedMs = parseNumber(ms) ?? toMs(parseNumber(header)) ?? msUntil(header, wallMs);
  return requestedMs === null ? null : Math.min(LIMITS.retryAfterMs, Math.max(0, Math.round(requestedMs)));
}

function parseNumber(text: string | null): number | null {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(value) ? null : value;
}

function toMs(secondsAsked: number | null): number | null {
  return secondsAsked === null ? null : secondsAsked * 1000;
}

function msUntil(date: string | null, wallMs: number): number | null {
  const moment = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(moment) ? null : moment - wallMs;
}
