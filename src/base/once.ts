/**
 * A value that is computed on first use and kept. Pure.
 */

/**
 * Calls `make` at the first call only, and returns that result from then on. If `make` throws, the error is
 * thrown, and the next call tries again.
 */
export function once<T extends object>(make: () => T): () => T {
  let value: T | null = null;
  return () => (value ??= make());
}
