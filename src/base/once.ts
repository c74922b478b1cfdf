/** What is worked out when it is first asked for, and kept. In: a function; out: one that calls it once. It touches nothing. */

/**
 * Calls `make` at the first call only; returns that result ever after. If `make` throws, the error is thrown,
 * and the next call tries again.
 */
export function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}
