/**
 * Compiles an action's grammar into regular expressions that recognise what may follow the verb. A grammar is
 * expanded into its flat forms, each a sequence of leaves, and each form becomes an anchored pattern with one
 * capture per slot. Names are free text here; binding decides later whether such a thing exists. No
 * quantifier is nested in another one over the same characters, and a line is split into names in at most two
 * ways, so matching is linear.
 */
import { assertNever } from '../base/assert.js';
import type { Grammar, Slot } from '../environment/grammar.js';
import type { Direction } from '../environment/space.js';
import { DIRECTIONS } from '../environment/space.js';
import type { GrammarLeaf } from '../forms/layouts.js';
import { isPlainWord, layOut } from '../forms/layouts.js';

/** One way to say an action. */
export interface GrammarForm {
  leaves: readonly GrammarLeaf[];
  /** Slots in the order of the captures. */
  slots: readonly Slot[];
  /** The first pattern prefers the shortest first name, the second (if there is one) the longest. */
  patterns: readonly RegExp[];
  /** The number of slots that accept any text; 0 if a match is unambiguous. */
  freeSlotCount: number;
  /** Without the fixed word that the grammar wants before the first name: `GO lantern`. */
  isShort: boolean;
}

const formsByGrammar = new WeakMap<Grammar, readonly GrammarForm[]>();

/** The forms of a grammar, the most specific first, then the short ones. None if nothing may follow the verb. */
export function formsOf(grammar: Grammar | null): readonly GrammarForm[] {
  if (grammar === null) return [];
  const known = formsByGrammar.get(grammar);
  if (known !== undefined) return known;
  const layouts = layOut(grammar);
  const shortLayouts = layouts
    .filter(([first, second]) => first !== undefined && isPlainWord(first) && second?.kind === 'name')
    .map((leaves) => leaves.slice(1))
    .filter((leaves) => !layouts.some((one) => JSON.stringify(one) === JSON.stringify(leaves)));
  const forms = [
    ...layouts.map((leaves) => formOf(leaves, false)).toSorted((a, b) => rank(a) - rank(b)),
    ...shortLayouts.map((leaves) => formOf(leaves, true)),
  ];
  formsByGrammar.set(grammar, forms);
  return forms;
}

/**
 * Forms without names first, then those with more fixed words, so that USE a ON b is never parsed as one long
 * name.
 */
function rank(form: GrammarForm): number {
  const fixed = form.leaves.filter((leaf) => leaf.kind !== 'name' && leaf.kind !== 'text').length;
  return (form.freeSlotCount === 0 ? 0 : 1000) - fixed;
}

function formOf(leaves: readonly GrammarLeaf[], isShort: boolean): GrammarForm {
  const slots = leaves.filter((leaf): leaf is Slot => leaf.slot !== undefined);
  const freeSlotCount = slots.filter((slot) => slot.kind === 'name' || slot.kind === 'text').length;
  const names = leaves.filter((leaf) => leaf.kind === 'name').length;
  const lazy = new RegExp(patternSource(leaves, freeSlotCount), 'id');
  const patterns =
    names > 1
      ? [lazy, new RegExp(patternSource(leaves, freeSlotCount).replace('(.+?)', '(.+)'), 'id')]
      : [lazy];
  return { leaves, slots, patterns, freeSlotCount, isShort };
}

function patternSource(leaves: readonly GrammarLeaf[], freeSlotCount: number): string {
  const parts = leaves.map((leaf, index) => {
    const isLast = index === leaves.length - 1;
    const separator = index === 0 ? '' : leaf.kind === 'text' ? '(?:[:,] ?| )' : ' ';
    return separator + leafPattern(leaf, isLast, freeSlotCount);
  });
  return `^${parts.join('')}$`;
}

function leafPattern(leaf: GrammarLeaf, isLast: boolean, freeSlotCount: number): string {
  switch (leaf.kind) {
    case 'word':
      return leaf.slot === undefined ? wordPattern(leaf.word) : `(${wordPattern(leaf.word)})`;
    case 'direction':
      return `(?:(?:to|towards?) )?(?:the )?[<\\[*_\`]{0,3}(${DIRECTION_WORDS.join('|')})[>\\]*_\`]{0,3}`;
    case 'name':
      return isLast ? '(.+)' : '(.+?)';
    case 'integer':
      return '([+-]?\\d{1,9})';
    case 'text':
      if (!isLast) return `("(?:[^"\\\\]|\\\\.)*"|'[^']*')`;
      // Next to a name, only a quotation mark shows where the text begins.
      return freeSlotCount > 1 ? `(["'].*)` : '(.+)';
    default:
      return assertNever(leaf, 'leaf of a grammar');
  }
}

/** Small words that models interchange without changing the meaning. */
const SYNONYMS: Readonly<Record<string, string>> = {
  TO: '(?:towards?|to)',
  ON: '(?:onto|upon|on)',
};

function wordPattern(word: string): string {
  return SYNONYMS[word.toUpperCase()] ?? word.replace(/[^A-Za-z0-9 ]/g, (c) => `\\${c}`);
}

const DIRECTION_SPELLINGS: readonly (readonly [string, Direction])[] = DIRECTIONS.flatMap((direction) => {
  const spellings = direction.includes('-')
    ? [direction, direction.replace('-', ' '), direction.replace('-', '')]
    : [direction, `${direction}ward`, `${direction}wards`];
  return [...spellings, abbreviation(direction)].map((spelling) => [spelling, direction] as const);
});

function abbreviation(direction: Direction): string {
  return direction
    .split('-')
    .map((part) => part.charAt(0))
    .join('');
}

const BY_SPELLING: ReadonlyMap<string, Direction> = new Map(DIRECTION_SPELLINGS);
/** Longest first, so that `north-east` is not parsed as `north` followed by something else. */
const DIRECTION_WORDS = [...BY_SPELLING.keys()].toSorted((a, b) => b.length - a.length);

/** The direction that a word means (`N`, `North`, `northward`, `north east`), or null. */
export function directionOf(word: string): Direction | null {
  return BY_SPELLING.get(word.toLowerCase()) ?? null;
}
