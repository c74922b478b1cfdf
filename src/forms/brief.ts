/**
 * Shortens the help in the system text for scenarios in which every turn lists the legal actions. It leaves
 * out situational parts (`situational` in `environment/grammar.ts`), which a turn shows only when something
 * fits them. What is omitted depends only on the actions, so the help reveals nothing about a world.
 */
import type { Grammar } from '../environment/grammar.js';
import type { Vocabulary } from './vocabulary.js';

export function briefVocabulary(vocabulary: Vocabulary): Vocabulary {
  return vocabulary.map((action) => ({
    ...action,
    grammar: action.grammar === null ? null : briefGrammar(action.grammar),
  }));
}

/** Null if nothing of it is left. */
function briefGrammar(grammar: Grammar): Grammar | null {
  if (grammar.kind === 'optional') {
    if (grammar.told === 'when-it-fits') return null;
    const part = briefGrammar(grammar.part);
    return part === null ? null : { ...grammar, part };
  }
  if (grammar.kind !== 'sequence' && grammar.kind !== 'choice') return grammar;
  return { ...grammar, parts: grammar.parts.flatMap((part) => briefGrammar(part) ?? []) };
}
