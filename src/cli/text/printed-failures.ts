/**
 * Reasons why runs could not be played, each printed once, because an error of a server affects all its runs.
 * In: errors; out: texts.
 */
import { errorMessage, ModelError } from '../../base/errors.js';

const AGAIN = 'see above';

export class PrintedFailures {
  readonly #printed = new Set<string>();

  /** The text for a reason: its message the first time, and later a reference to it. */
  describe(reason: unknown): string {
    const summary = summaryOf(reason);
    if (this.#printed.has(summary)) return AGAIN;
    this.#printed.add(summary);
    return summary;
  }

  has(reason: unknown): boolean {
    return this.#printed.has(summaryOf(reason));
  }
}

function summaryOf(reason: unknown): string {
  if (reason instanceof ModelError) return reason.gist;
  return errorMessage(reason);
}
