/**
 * What a name means: finds the nouns of an observation that a written name fits. Full names and ids come before short
 * forms; the first level that fits anything decides, and only the caller says whether one is enough. Nothing is corrected:
 * a word that no noun has makes the name unknown.
 */
import { compareText } from '../base/ids.js';
import type { Noun } from '../environment/observation.js';
import { nearest } from './nearest.js';

const ARTICLES = /^(?:the|an?|my|that|this|some)\s/;
/** Where it lies, told with the name; it may only follow a full name. */
const WHEREABOUTS =
  / (?:(?:in|to|on) the (?:(?:north|south)-?(?:east|west)|north|south|east|west)|nearby|here|over there)$/;

/** The nouns that `written` fits, sorted by id; empty where none. */
export function nounsFor(written: string, nouns: readonly Noun[]): readonly Noun[] {
  const name = folded(written);
  const levels = [
    (noun: Noun) => noun.id === name,
    (noun: Noun) => hasName(noun, name),
    (noun: Noun) => hasNameAndId(noun, name),
    (noun: Noun) => namesOf(noun).some((full) => isShortOf(name, full)),
    (noun: Noun) => WHEREABOUTS.test(name) && hasName(noun, withoutArticle(name.replace(WHEREABOUTS, ''))),
  ];
  for (const fits of levels) {
    const found = nouns.filter(fits);
    if (found.length > 0) return [...found].sort((a, b) => compareText(a.id, b.id));
  }
  return [];
}

/** The name of the noun that a mistyped name is nearest to, for a message; null where none is near. */
export function nearestName(written: string, nouns: readonly Noun[]): string | null {
  return nearest(
    folded(written),
    nouns.flatMap((noun) => [noun.name, ...noun.aliases]),
  );
}

/** Lower case, one kind of space and dash, no accents, no article, no stop. Look-alike letters stay what they are. */
function folded(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const spelled = plain
    .replace(/[‘’‛′]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐‑‒–—―]/g, '-');
  return withoutArticle(spelled.replace(/[\s_]+/g, ' ').trim());
}

function withoutArticle(name: string): string {
  return name.replace(ARTICLES, '');
}

function namesOf(noun: Noun): readonly string[] {
  return [noun.name, ...noun.aliases].map(folded);
}

function hasName(noun: Noun, name: string): boolean {
  const spoken = noun.id.replace(/[_-]/g, ' ') === name.replace(/-/g, ' ');
  return spoken || namesOf(noun).some((full) => full === name || full.replace(/-/g, ' ') === name);
}

/** `brass key (key-1)`, `brass key [key-1]`, `brass key #key-1`: both must be the same noun's. */
function hasNameAndId(noun: Noun, name: string): boolean {
  const match = /^([^([#]{1,200}?) ?(?:\(([^()]{1,40})\)|\[([^[\]]{1,40})\]|#(\S{1,40}))$/.exec(name);
  if (match === null) return false;
  const id = (match[2] ?? match[3] ?? match[4] ?? '').replace(/^(?:id ?[:=]? ?|#)/, '');
  const head = match[1] ?? '';
  return (
    id.replace(/ /g, '_') === noun.id.replace(/ /g, '_') &&
    namesOf(noun).some((full) => full === head || isShortOf(head, full))
  );
}

/** Every word of the short name stands in the full one, in that order: `key` and `brass keys` are short for `brass key`. */
function isShortOf(short: string, full: string): boolean {
  const words = full.split(/[ -]/).map(singular);
  let from = 0;
  for (const word of short.split(/[ -]/).map(singular)) {
    const place = words.indexOf(word, from);
    if (place < 0) return false;
    from = place + 1;
  }
  return true;
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
