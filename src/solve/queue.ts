/**
 * A priority queue with one list per rank, an integer from 0 (a bucket queue). Of several items with the
 * lowest rank, the oldest comes first, so that the order is the same on every machine.
 */
export class RankedQueue<T> {
  readonly #ranks: { items: T[]; next: number }[] = [];
  #lowest = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(item: T, rank: number): void {
    while (this.#ranks.length <= rank) this.#ranks.push({ items: [], next: 0 });
    this.#ranks[rank]?.items.push(item);
    this.#lowest = Math.min(this.#lowest, rank);
    this.#size += 1;
  }

  /** Undefined if the queue is empty. */
  pop(): T | undefined {
    for (; this.#lowest < this.#ranks.length; this.#lowest++) {
      const rank = this.#ranks[this.#lowest];
      if (rank === undefined || rank.next === rank.items.length) continue;
      const item = rank.items[rank.next];
      rank.next += 1;
      if (rank.next === rank.items.length) this.#ranks[this.#lowest] = { items: [], next: 0 };
      this.#size -= 1;
      return item;
    }
    return undefined;
  }
}
