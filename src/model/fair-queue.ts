/**
 * Shares the event loop fairly among runs. Every answer of a server causes some milliseconds of work: a step,
 * its commits, the next request. If sixty answers arrive at once, all of this work would be done in one go,
 * and no timer, key press or other answer would be handled meanwhile. So only one answer is passed on in each
 * round of the event loop, in the order of arrival. Deferrable work (such as starting a run) is done when no
 * answer is waiting.
 */

/** After this many answers in a row, deferrable work gets its turn anyway. */
const PATIENCE_ROUNDS = 16;

export class FairQueue {
  readonly #answers: (() => void)[] = [];
  readonly #deferred: (() => void)[] = [];
  #isTurning = false;
  /** The long work that is in progress, or was the last. */
  #longWork: Promise<unknown> = Promise.resolve();
  /** How many answers in a row were passed on before deferrable work that was waiting. */
  #passedOver = 0;

  /** Resolves in a round of the event loop of its own, in the order of the calls. */
  nextRound(): Promise<void> {
    return new Promise((resolve) => this.#join(this.#answers, resolve));
  }

  /** The same, but after all waiting calls of `nextRound`; if there have been many, before the rest. */
  quietRound(): Promise<void> {
    return new Promise((resolve) => this.#join(this.#deferred, resolve));
  }

  /**
   * For work as long as several steps: such work runs one after the other, each started when no run needs the
   * time. It runs in pieces, with `quietRound` between them, and never calls this itself. Throws what the
   * work throws.
   */
  oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#longWork.then(async () => {
      await this.quietRound();
      return work();
    });
    this.#longWork = done.catch(() => undefined);
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
    this.#isTurning = this.#answers.length + this.#deferred.length > 0;
    if (this.#isTurning) setImmediate(this.#turn);
  };

  #next(): (() => void) | undefined {
    const mustWait = this.#answers.length > 0 && this.#passedOver < PATIENCE_ROUNDS;
    if (mustWait && this.#deferred.length > 0) this.#passedOver += 1;
    else this.#passedOver = 0;
    return mustWait || this.#deferred.length === 0 ? this.#answers.shift() : this.#deferred.shift();
  }
}

/** The rounds of this process's event loop: there is only one loop, and so there is one queue for it. */
export const eventLoop = new FairQueue();
