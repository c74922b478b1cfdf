/** Reasons for which runs could not be played, each told once: one server's words are those of all runs that it failed. In: errors; out: words. */
import { ModelError } from '../../base/errors.js';

const AGAIN = 'see above';

export class ToldFailures {
  readonly #told = new Set<string>();

  /** What is said of a reason: its words, and later that they were told. */
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
