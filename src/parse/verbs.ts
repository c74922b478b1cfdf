/** The verbs of a vocabulary: every name and alias, upper-case, to the action that answers to it. */
import type { Vocabulary } from './protocol.js';

export type VocabularyAction = Vocabulary[number];

const remembered = new WeakMap<Vocabulary, ReadonlyMap<string, VocabularyAction>>();

/** Remembered by identity: a registry's list is the same object at every turn. */
export function verbsOf(vocabulary: Vocabulary): ReadonlyMap<string, VocabularyAction> {
  const known = remembered.get(vocabulary);
  if (known !== undefined) return known;
  const verbs = new Map(
    vocabulary.flatMap((action) => [action.name, ...action.aliases].map((verb) => [verb, action] as const)),
  );
  remembered.set(vocabulary, verbs);
  return verbs;
}
