/**
 * Waiting that can be cancelled: controllers and effect handlers are external, and one that ignores its
 * signal must not prevent the run from stopping. Its later results are dropped.
 */

/** The promise's value; rejects with the signal's reason as soon as it is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => undefined;
  const cancelled = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([promise, cancelled]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * The result of the work, which gets a signal that is aborted as soon as one of these is. `AbortSignal.any`
 * is not used for repeated work, because it leaves a reference in each of the signals for as long as they
 * exist.
 */
export async function withEither<T>(
  signals: readonly AbortSignal[],
  operation: (either: AbortSignal) => Promise<T>,
): Promise<T> {
  const combined = new AbortController();
  const listeners = signals.map((signal) => {
    const listener = (): void => combined.abort(signal.reason);
    signal.addEventListener('abort', listener);
    if (signal.aborted) listener();
    return { signal, listener };
  });
  try {
    return await operation(combined.signal);
  } finally {
    for (const { signal, listener } of listeners) signal.removeEventListener('abort', listener);
  }
}

/** Resolves once the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Whether the wait was cancelled, as opposed to a failure. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
