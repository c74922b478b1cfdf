/**
 * The data of one served page: parts in order, each made on first request and cached as the bytes that are
 * sent.
 */
import { LIMITS } from '../base/limits.js';

/** The next part of a page's data, which becomes JSON; null if nothing is new. */
export type NextPart = () => Promise<object | null>;

export class DataFeed {
  readonly #next: NextPart;
  /** As JSON. */
  readonly #parts: Buffer[] = [];
  /** Pending while a part is being made; resolves with whether there was one. */
  #making: Promise<boolean> | null = null;

  constructor(next: NextPart) {
    this.#next = next;
  }

  /** A list of the parts from this number on, as many as fit into one answer; empty if nothing is new. */
  async partsFrom(from: number): Promise<readonly Buffer[]> {
    if (from >= this.#parts.length) await (this.#making ??= this.#make());
    let [size, to] = [0, from];
    while (to < this.#parts.length && size < LIMITS.pageAnswerBytes) size += this.#parts[to++]?.length ?? 0;
    // A JSON list of items that are JSON already.
    const items = this.#parts.slice(from, to);
    return [OPENED, ...items.flatMap((item, i) => (i === 0 ? [item] : [COMMA, item])), CLOSED];
  }

  /** Makes one part, for all requests that arrive meanwhile. */
  async #make(): Promise<boolean> {
    try {
      const part = await this.#next();
      if (part !== null) this.#parts.push(Buffer.from(JSON.stringify(part)));
      return part !== null;
    } finally {
      this.#making = null;
    }
  }
}

const [OPENED, COMMA, CLOSED] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];
