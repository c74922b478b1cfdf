/** The actions that an environment registers, as forms and readers need them, and what each answers to. */
import type { Action } from '../environment/action.js';

/**
 * All actions that the environment registers. With them, an illegal action is never mistaken for an unreadable one.
 */
export type Vocabulary = readonly Pick<
  Action<never>,
  'name' | 'aliases' | 'description' | 'grammar' | 'cost' | 'examples' | 'terminal'
>[];

export type VocabularyAction = Vocabulary[number];

const remembered = new WeakMap<Vocabulary, ReadonlyMap<string, VocabularyAction>>();

/** Every name and alias, upper-case, to the action that answers to it. Remembered by identity: a registry's list is the same object at every turn. */
export function verbsOf(vocabulary: Vocabulary): ReadonlyMap<string, VocabularyAction> {
  const known = remembered.get(vocabulary);
  if (known !== undefined) return known;
  const verbs = new Map(
    vocabulary.flatMap((action) => [action.name, ...action.aliases].map((verb) => [verb, action] as const)),
  );
  remembered.set(vocabulary, verbs);
  return verbs;
}
