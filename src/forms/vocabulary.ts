/** The actions that an environment registers, as forms and parsers need them, and their names. */
import type { Action } from '../environment/action.js';

/**
 * All actions that the environment registers. With them, an illegal action is never mistaken for an
 * unreadable one.
 */
export type Vocabulary = readonly Pick<
  Action<never>,
  'name' | 'aliases' | 'description' | 'grammar' | 'cost' | 'examples' | 'terminal'
>[];

export type VocabularyAction = Vocabulary[number];

const verbsByVocabulary = new WeakMap<Vocabulary, ReadonlyMap<string, VocabularyAction>>();

/**
 * Every name and alias, in upper case, with its action. Cached by identity, because a registry's list is the
 * same object in every turn.
 */
export function verbsOf(vocabulary: Vocabulary): ReadonlyMap<string, VocabularyAction> {
  const known = verbsByVocabulary.get(vocabulary);
  if (known !== undefined) return known;
  const verbs = new Map(
    vocabulary.flatMap((action) => [action.name, ...action.aliases].map((verb) => [verb, action] as const)),
  );
  verbsByVocabulary.set(vocabulary, verbs);
  return verbs;
}
