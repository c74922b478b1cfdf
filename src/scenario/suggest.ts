/** "Did you mean …?": the sentence at the end of a message about an unknown word. */
import { compareText } from '../base/ids.js';
import { nearest } from '../base/nearest.js';
import { sectionKeyPaths } from './schema-walk.js';

/**
 * "did you mean X?", for a similar word, or the whole list if it is short and nothing is similar; undefined
 * if neither helps.
 */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known);
  if (near !== undefined) return `did you mean '${near}'?`;
  if (known.length === 0 || known.length > 30) return undefined;
  return `known: ${known.toSorted(compareText).join(', ')}`;
}

/**
 * The same for a key; if it exists elsewhere near the top of a scenario, it is suggested with its path:
 * `turns.max`.
 */
export function suggestKey(key: string, known: readonly string[], schema: unknown): string | undefined {
  const path =
    nearest(key, known) === undefined ? sectionKeyPaths(schema).find((one) => one.at(-1) === key) : undefined;
  return path === undefined ? suggest(key, known) : `did you mean '${path.join('.')}'?`;
}

/** The same for a verb, whose module may be missing. */
export function suggestAction(verb: string, known: readonly string[]): string {
  const near = nearest(verb, known);
  const moduleHint = 'a custom action needs its module: --modules';
  return near === undefined ? moduleHint : `did you mean '${near}'? (${moduleHint})`;
}
