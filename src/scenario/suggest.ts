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
