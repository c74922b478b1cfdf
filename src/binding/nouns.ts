/**
 * The meaning of a name: finds the nouns of an observation that a written name fits. Full names and ids come
 * before short forms, and the first level with a match decides; the caller checks whether there is only one.
 * Nothing is corrected: a word that no noun has makes the name unknown.
 */
import { compareText } from '../base/ids.js';
import { nearest } from '../base/nearest.js';
import type { Noun } from '../environment/observation.js';
import { directionOf } from '../parse/grammar-pattern.js';

const ARTICLES = /^(?:the|an?|my|that|this|some)\s/;
/** Its position, written with the name; it may only follow a full name. */
const WHEREABOUTS =
  / (?:(?:in|to|on) the (?:(?:north|south)-?(?:east|west)|north|south|east|west)|nearby|here|over there)$/;

/** The nouns that `written` fits, sorted by id; empty if none. */
export function nounsFor(written: string, nouns: readonly Noun[]): readonly Noun[] {
  const name = normalized(written);
  const isSpoken = (noun: Noun, spoken: string): boolean => isSpokenId(noun, spoken) || hasName(noun, spoken);
  return firstLevel(nouns, [
    ({ id }) => id === written,
    (noun) => isWritten(noun, written),
    (noun) => isId(noun, name),
    (noun) => isSpoken(noun, name),
    (noun) => hasNameAndId(noun, name),
    (noun) => hasShortName(noun, name),
    (noun) => WHEREABOUTS.test(name) && isSpoken(noun, withoutArticle(name.replace(WHEREABOUTS, ''))),
  ]);
}

/** Like `nounsFor`, but ids are no names: they stand in no picture. */
export function namedNouns(written: string, nouns: readonly Noun[]): readonly Noun[] {
  const name = normalized(written);
  return firstLevel(nouns, [
    (noun) => isWritten(noun, written),
    (noun) => hasName(noun, name),
    (noun) => hasShortName(noun, name),
    (noun) => WHEREABOUTS.test(name) && hasName(noun, withoutArticle(name.replace(WHEREABOUTS, ''))),
  ]);
}

function firstLevel(nouns: readonly Noun[], levels: readonly ((noun: Noun) => boolean)[]): readonly Noun[] {
  for (const fits of levels) {
    const matches = nouns.filter(fits);
    if (matches.length > 0) return matches.toSorted((a, b) => compareText(a.id, b.id));
  }
  return [];
}

/** The noun's name that is nearest to a mistyped name, for a message; undefined if none is near. */
export function nearestName(written: string, nouns: readonly Noun[]): string | undefined {
  return nearest(normalized(written), nouns.flatMap(spokenNamesOf));
}

/** ASCII words with one space between them: only case needs to be normalised. */
const PLAIN = /^[!-^`-~]+(?: [!-^`-~]+)*$/;

/**
 * Lower case, one kind of space and dash, no article, no full stop. Accents and look-alike letters are kept.
 */
function normalized(text: string): string {
  if (PLAIN.test(text)) return withoutArticle(text.toLowerCase());
  const plain = text.normalize('NFC').toLowerCase();
  const withPlainMarks = plain
    .replace(/[‘’‛′]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐‑‒–—―]/g, '-');
  return withoutArticle(withPlainMarks.replace(/[\s_]+/g, ' ').trim());
}

function withoutArticle(name: string): string {
  return name.replace(ARTICLES, '');
}

function namesOf(noun: Noun): readonly string[] {
  return spokenNamesOf(noun).map(normalized);
}

function spokenNamesOf({ name, distinctName, aliases }: Noun): readonly string[] {
  return distinctName === undefined ? [name, ...aliases] : [name, distinctName, ...aliases];
}

function isWritten(noun: Noun, written: string): boolean {
  return spokenNamesOf(noun).includes(written);
}

function hasName(noun: Noun, name: string): boolean {
  return namesOf(noun).some((full) => full === name || full.replace(/-/g, ' ') === name);
}

function hasShortName(noun: Noun, name: string): boolean {
  return namesOf(noun).some((full) => isShortOf(name, full));
}

function isSpokenId({ id }: Noun, name: string): boolean {
  return id.replace(/[_-]/g, ' ') === name.replace(/-/g, ' ');
}

/** `brass key (key-1)`, `brass key [key-1]`, `brass key #key-1`: name and id must belong to the same noun. */
function hasNameAndId(noun: Noun, name: string): boolean {
  const { head, id } = splitId(name);
  return isId(noun, id) && namesOf(noun).some((full) => full === head || isShortOf(head, full));
}

function isId({ id }: Noun, written: string): boolean {
  return id.length === written.length && id.replace(/_/g, ' ') === written;
}

function splitId(name: string): { head: string; id: string } {
  const match = /^([^([#]{1,200}?) ?(?:\(([^()]{1,40})\)|\[([^[\]]{1,40})\]|#(\S{1,40}))$/.exec(name);
  const id = match?.[2] ?? match?.[3] ?? match?.[4] ?? '';
  return { head: match?.[1] ?? name, id: id.replace(/^(?:id ?[:=]? ?|#)/, '') };
}

/** Whether a name is followed by the id of a noun that has another name: `brass key (torch-1)`. */
export function contradicts(written: string, nouns: readonly Noun[]): boolean {
  const { id } = splitId(normalized(written));
  return nouns.some((noun) => isId(noun, id)) && nounsFor(written, nouns).length === 0;
}

/**
 * Every word of the short name occurs in the full one: `key` and `spell book` qualify; `keys` does not. A
 * bare direction does not either, because `GO north` means the direction and never the north door, and no
 * word is repeated.
 */
function isShortOf(short: string, full: string): boolean {
  if (directionOf(short) !== null) return false;
  const words = full.split(/[ -]/).flatMap((word) => [word, singular(word)]);
  const shortWords = short.split(/[ -]/);
  return shortWords.every((word, index) => words.includes(word) && shortWords.indexOf(word) === index);
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
