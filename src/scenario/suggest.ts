/** Did you mean …? The sentence that a message about an unknown word ends with. */
import { compareText } from '../base/ids.js';
import { nearest } from '../base/nearest.js';

/** "did you mean X?", or the whole list where it is short and nothing is near; undefined where neither helps. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known);
  if (near !== undefined) return `did you mean '${near}'?`;
  if (known.length === 0 || known.length > 24) return undefined;
  return `known: ${known.toSorted(compareText).join(', ')}`;
}

/** The same of a verb, which may be missing because nobody brought it. */
export function suggestAction(verb: string, known: readonly string[]): string {
  const near = nearest(verb, known);
  const own = 'an action of your own is brought by a module: --modules';
  return near === undefined ? own : `did you mean '${near}'? (${own})`;
}
