/**
 * What was worked out from the last few keys, by identity: for answers that are asked for again and again within a step and never after it.
 * A WeakMap would keep every one of them until the whole heap is collected; what outlives the short collections before that is copied
 * twice, which costs a run more than the answers save (docs/explanation/performance.md).
 */
export class Recent<K extends object, V> {
  readonly #size: number;
  /** In the order of their places, which are filled round and round. */
  readonly #keys: K[] = [];
  readonly #values: V[] = [];
  #next = 0;

  /** `size`: how many keys are kept. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Undefined if the key is none of the last ones. */
  get(key: K): V | undefined {
    for (let i = 0; i < this.#keys.length; i++) if (this.#keys[i] === key) return this.#values[i];
    return undefined;
  }

  /** Of a key that is not kept yet; the oldest is forgotten. */
  add(key: K, value: V): void {
    this.#keys[this.#next] = key;
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % this.#size;
  }
}
