/**
 * The deadline of calls to model servers and controller programs. The limit also applies to a call that ignores
 * its signal, whose connection closes without an error, or that never ends; later results are dropped.
 */

import type { ModelClock } from './dependencies.js';

/** The outcome of a call. */
export type CallOutcome<T> =
  | { kind: 'answered'; value: T }
  | { kind: 'failed'; error: unknown }
  /** It took longer than its time limit. */
  | { kind: 'late' }
  /** The caller has cancelled it. */
  | { kind: 'cancelled' };

/**
 * Makes the call and resolves once it is done, late or cancelled, whichever comes first; never rejects. The
 * signal passed to the call is aborted when the result is no longer needed: the call then has to close its
 * connection.
 */
export function beforeDeadline<T>(
  { limitMs, clock, signal }: { limitMs: number; clock: ModelClock; signal: AbortSignal },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<CallOutcome<T>> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const settle = (outcome: CallOutcome<T>): void => {
      cancelTimer();
      signal.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    const giveUp = (kind: 'late' | 'cancelled'): void => {
      settle({ kind });
      controller.abort();
    };
    const cancel = (): void => giveUp('cancelled');
    const cancelTimer = clock.after(Math.max(0, limitMs), () => giveUp('late'));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) return cancel();
    // An error that is thrown before there is a promise counts as the call's failure too.
    const answer = (async () => call(controller.signal))();
    answer.then(
      (value) => settle({ kind: 'answered', value }),
      (error: unknown) => settle({ kind: 'failed', error }),
    );
  });
}
