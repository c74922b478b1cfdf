/** What is worked out when it is first asked for, and kept. In: a function; out: one that calls it once. It touches nothing. */

/** Calls `make` at the first call alone, and not before; gives that result ever after. What `make` throws is thrown, and it is called anew. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}
