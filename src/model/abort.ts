/**
 * Waiting that ends on request: controllers and effect handlers are external, and one that ignores its signal
 * must not keep the run from stopping. Its later results are dropped.
 */

/** The promise's value; rejects with the signal's reason as soon as it is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let give: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    give = () => reject(signal.reason as Error);
    signal.addEventListener('abort', give, { once: true });
    if (signal.aborted) give();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', give);
  }
}

/** Whether the wait was cancelled, as opposed to a failure. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
