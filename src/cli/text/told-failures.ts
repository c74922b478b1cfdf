/**
 * Reasons why runs could not be played, each printed once: one server's error is the same for all its runs.
 * In: errors; out: words.
 */
import { ModelError } from '../../base/errors.js';

const AGAIN = 'see above';

export class ToldFailures {
  readonly #told = new Set<string>();

  /** The text for a reason: its words the first time, and later a reference to them. */
  tell(reason: unknown): string {
    const gist = gistOf(reason);
    if (this.#told.has(gist)) return AGAIN;
    this.#told.add(gist);
    return gist;
  }

  has(reason: unknown): boolean {
    return this.#told.has(gistOf(reason));
  }
}

function gistOf(reason: unknown): string {
  if (reason instanceof ModelError) return reason.gist;
  return reason instanceof Error ? reason.message : String(reason);
}
