/**
 * A cache with the results for the last few keys, compared by identity: for values that are requested
 * repeatedly within a step and never after it. A WeakMap would keep all of them until a full garbage
 * collection; objects that survive the short collections before that are copied twice, which costs a run more
 * than the cache saves (docs/explanation/performance.md).
 */
export class RecentCache<K extends object, V> {
  readonly #size: number;
  /** In the order of their slots, which are reused in a cycle. */
  readonly #keys: K[] = [];
  readonly #values: V[] = [];
  #next = 0;

  /** `size`: the number of cached keys. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Undefined if the key is not among the last ones. */
  get(key: K): V | undefined {
    for (let i = 0; i < this.#keys.length; i++) if (this.#keys[i] === key) return this.#values[i];
    return undefined;
  }

  /** Adds a key that is not in the cache; the oldest one is dropped. */
  add(key: K, value: V): void {
    this.#keys[this.#next] = key;
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % this.#size;
  }
}
