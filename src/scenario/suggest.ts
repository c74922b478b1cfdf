/** Did you mean …? The sentence that a message about an unknown word ends with. */
import { compareText } from '../base/ids.js';
import { nearest } from '../base/nearest.js';
import { meantBy } from './other-words.js';
import { outerPaths } from './schema-walk.js';

/** "did you mean X?", by its letters or as another word for it, or the whole list where it is short and nothing is near; undefined if neither helps. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known) ?? meantBy(word, known);
  if (near !== undefined) return `did you mean '${near}'?`;
  if (known.length === 0 || known.length > 30) return undefined;
  return `known: ${known.toSorted(compareText).join(', ')}`;
}

/**
 * The same for a key; one that is known elsewhere near the top of a scenario is suggested with its path:
 * `turns.max`.
 */
export function suggestKey(key: string, known: readonly string[], schema: unknown): string | undefined {
  if (nearest(key, known) === undefined && meantBy(key, known) === undefined) {
    const paths = outerPaths(schema);
    const elsewhere = meantBy(
      key,
      paths.map((path) => path.at(-1) ?? ''),
    );
    const path = paths.find((one) => one.at(-1) === (elsewhere ?? key));
    if (path !== undefined) return `did you mean '${path.join('.')}'?`;
  }
  return suggest(key, known);
}

/** The same for a verb, whose module may be missing. */
export function suggestAction(verb: string, known: readonly string[]): string {
  const near = nearest(verb, known);
  const own = 'a custom action needs its module: --modules';
  return near === undefined ? own : `did you mean '${near}'? (${own})`;
}
