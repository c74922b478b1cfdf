/**
 * What follows an answer takes milliseconds: a step, its commits, the next request. Where a server answers sixty at once, all of that would be done in
 * one go, and no timer, no key and no other answer would be heard meanwhile. So one is let through in each round of the event loop: answers in the order
 * in which they came, and what can wait (a run that begins) when no answer does.
 */

/** So many answers in a row are let through before what can wait has its turn all the same. */
const PATIENCE_ROUNDS = 16;

export class FairQueue {
  readonly #answers: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #isTurning = false;
  /** The long work that is being done, or was last. */
  #long: Promise<unknown> = Promise.resolve();
  /** Answers that were let through because others wait. */
  #passedOver = 0;

  /** Resolves in a round of its own. */
  pass(): Promise<void> {
    return new Promise((resolve) => this.#join(this.#answers, resolve));
  }

  /** The same, after all who `pass`, or before them where they have been many. */
  passWhenQuiet(): Promise<void> {
    return new Promise((resolve) => this.#join(this.#others, resolve));
  }

  /**
   * For work as long as several steps: such work runs one after the other, each started when no run needs the
   * time. It runs in pieces, with `passWhenQuiet` between them, and never calls this itself. Throws what the
   * work throws.
   */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#long.then(async () => {
      await this.passWhenQuiet();
      return work();
    });
    this.#long = done.catch(() => undefined);
    return done;
  }

  #join(queue: (() => void)[], resolve: () => void): void {
    queue.push(resolve);
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    this.#next()?.();
    this.#isTurning = this.#answers.length + this.#others.length > 0;
    if (this.#isTurning) setImmediate(this.#turn);
  };

  #next(): (() => void) | undefined {
    const mustWait = this.#answers.length > 0 && this.#passedOver < PATIENCE_ROUNDS;
    if (mustWait && this.#others.length > 0) this.#passedOver += 1;
    else this.#passedOver = 0;
    return mustWait || this.#others.length === 0 ? this.#answers.shift() : this.#others.shift();
  }
}

/** The event loop is one for the whole process, and so is this. */
export const turnstile = new FairQueue();
