/**
 * Items for readers that may be slow. `LatestItemReader` keeps only the newest item for a reader that falls
 * behind, and counts what it missed; `BoundedReader` keeps a bounded queue. Neither ever waits for a reader, so
 * no reader can delay the world, and memory use is constant.
 */

/** An item with the number of items before it that the reader missed. */
export interface ReceivedItem<T> {
  item: T;
  skipped: number;
}

abstract class Reader<T> implements AsyncIterable<ReceivedItem<T>> {
  #wake: () => void = () => undefined;
  #end: { error: unknown } | null = null;

  protected abstract take(): ReceivedItem<T> | null;

  /**
   * No further item follows those that are waiting; after them, `error` is thrown to the reader, if there is
   * one.
   */
  end(error: unknown = null): void {
    this.#end ??= { error };
    this.#wake();
  }

  protected wake(): void {
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ReceivedItem<T>, void, undefined> {
    for (;;) {
      const next = this.take();
      if (next !== null) yield next;
      else if (this.#end === null)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      else if (this.#end.error === null) return;
      else throw this.#end.error;
    }
  }
}

/** A reader that falls behind gets the newest item and the number of items that it missed. */
export class LatestItemReader<T> extends Reader<T> {
  #waiting: { item: T } | null = null;
  #skipped = 0;

  push(item: T): void {
    if (this.#waiting !== null) this.#skipped += 1;
    this.#waiting = { item };
    this.wake();
  }

  protected take(): ReceivedItem<T> | null {
    const waiting = this.#waiting;
    if (waiting === null) return null;
    const skipped = this.#skipped;
    this.#waiting = null;
    this.#skipped = 0;
    return { item: waiting.item, skipped };
  }
}

/** A reader that falls behind by more than `limit` items loses the oldest, and gets their number. */
export class BoundedReader<T> extends Reader<T> {
  readonly #limit: number;
  readonly #waiting: T[] = [];
  #skipped = 0;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  push(item: T): void {
    this.#waiting.push(item);
    if (this.#waiting.length > this.#limit) {
      this.#waiting.shift();
      this.#skipped += 1;
    }
    this.wake();
  }

  protected take(): ReceivedItem<T> | null {
    const item = this.#waiting.shift();
    if (item === undefined) return null;
    const skipped = this.#skipped;
    this.#skipped = 0;
    return { item, skipped };
  }
}

/** The readers of one stream. */
export class StreamReaders<R extends { end(error?: unknown): void }> {
  readonly #readers = new Set<R>();
  #end: { error: unknown } | null = null;

  /**
   * The reader gets items until the signal is aborted. Clean up on the signal: a stalled reader never ends
   * its loop.
   */
  add(reader: R, signal: AbortSignal): R {
    if (signal.aborted || this.#end !== null) {
      reader.end(this.#end?.error);
      return reader;
    }
    this.#readers.add(reader);
    signal.addEventListener(
      'abort',
      () => {
        this.#readers.delete(reader);
        reader.end();
      },
      { once: true },
    );
    return reader;
  }

  each(use: (reader: R) => void): void {
    for (const reader of this.#readers) use(reader);
  }

  end(error: unknown = null): void {
    this.#end = { error };
    for (const reader of this.#readers) reader.end(error);
    this.#readers.clear();
  }
}
