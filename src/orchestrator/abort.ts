/**
 * Waiting that ends when it is told to: a controller or effect handler is not ours, and one that does not listen to its signal must not keep
 * the run from stopping. What it still does or answers afterwards counts for nothing.
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

/** Whether somebody gave up waiting, as against what broke. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
