/**
 * A grammar expanded into its flat forms, each a sequence of leaves, and whether something fits each leaf
 * now.
 */
import { assert } from '../base/assert.js';
import { lookUp } from '../base/look-up.js';
import type { Grammar } from '../environment/grammar.js';

export type GrammarLeaf = Exclude<Grammar, { kind: 'sequence' | 'choice' | 'optional' }>;

type LeafLayouts = readonly (readonly GrammarLeaf[])[];

/** More forms than any reasonable grammar has; grammars are written by us, so exceeding it is a bug. */
const FORMS_MAX = 64;

/** Cached, because a grammar is a constant of its action and is needed in every turn. */
const laidOutPlain = new WeakMap<Grammar, LeafLayouts>();
const laidOutWithWords = new WeakMap<Grammar, LeafLayouts>();

/**
 * Every sequence of leaves that a grammar allows. With `keepWords` (for help), optional plain words are
 * always included, and only the first of several synonyms.
 */
export function layOut(grammar: Grammar, keepWords = false): LeafLayouts {
  const cache = keepWords ? laidOutWithWords : laidOutPlain;
  const known = cache.get(grammar);
  if (known !== undefined) return known;
  const layouts = expand(grammar, keepWords);
  assert(layouts.length <= FORMS_MAX, `a grammar with more than ${FORMS_MAX} forms`);
  cache.set(grammar, layouts);
  return layouts;
}

function expand(grammar: Grammar, keepWords: boolean): LeafLayouts {
  if (grammar.kind === 'choice') {
    const parts = keepWords && grammar.parts.every(isPlainWord) ? grammar.parts.slice(0, 1) : grammar.parts;
    return parts.flatMap((part) => expand(part, keepWords));
  }
  if (grammar.kind === 'optional') {
    const inner = expand(grammar.part, keepWords);
    return keepWords && isPlainWord(grammar.part) ? inner : [...inner, []];
  }
  if (grammar.kind !== 'sequence') return [[grammar]];
  return grammar.parts.reduce<LeafLayouts>(
    (heads, part) => {
      const tails = expand(part, keepWords);
      return heads.flatMap((head) => tails.map((tail) => [...head, ...tail]));
    },
    [[]],
  );
}

/** A word that is not an argument. */
export function isPlainWord(grammar: Grammar): boolean {
  return grammar.kind === 'word' && grammar.slot === undefined;
}

/**
 * What would be accepted now, by slot. A slot without entry takes anything; an empty entry means that nothing
 * fits.
 */
export type SlotChoices = Readonly<Record<string, readonly string[]>>;

/** Whether something fits a slot now; always true for free text and numbers. */
export function canBeFilled(leaf: GrammarLeaf, choices: SlotChoices): boolean {
  if (leaf.slot === undefined || leaf.kind === 'text' || leaf.kind === 'integer') return true;
  if (leaf.kind === 'word') return lookUp(choices, leaf.slot)?.includes(leaf.word) !== false;
  return lookUp(choices, leaf.slot)?.length !== 0;
}
