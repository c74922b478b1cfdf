/** Values by a number, the smallest first: a binary heap, for simulations. */
export class EventHeap<T> {
  readonly #items: { readonly at: number; readonly value: T }[] = [];

  get first(): { readonly at: number; readonly value: T } | undefined {
    return this.#items[0];
  }

  push(at: number, value: T): void {
    const items = this.#items;
    let place = items.push({ at, value }) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (this.#at(above) <= this.#at(place)) return;
      this.#swap(place, above);
      place = above;
    }
  }

  pop(): void {
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return;
    this.#items[0] = last;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const least = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(least) >= this.#at(place)) return;
      this.#swap(place, least);
      place = least;
    }
  }

  #at(place: number): number {
    return this.#items[place]?.at ?? Infinity;
  }

  #swap(one: number, other: number): void {
    const items = this.#items;
    const [first, second] = [items[one], items[other]];
    if (first !== undefined) items[other] = first;
    if (second !== undefined) items[one] = second;
  }
}
