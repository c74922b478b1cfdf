/** A clock for served worlds that stands still until a test moves it on: however slow the machine is, nobody is late. */
import type { ServeClock } from '../../src/serve/clock.js';
import { VirtualClock } from './virtual-clock.js';

export class HeldClock implements ServeClock {
  readonly #clock = new VirtualClock();

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  wallMs(): number {
    return this.#clock.wallMs();
  }

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const over = (): void => {
        cancel();
        signal.removeEventListener('abort', over);
        resolve();
      };
      const cancel = this.#clock.after(delayMs, over);
      signal.addEventListener('abort', over);
    });
  }

  /** Lets so much time go by. */
  pass(delayMs: number): Promise<void> {
    return this.#clock.pass(delayMs);
  }
}
