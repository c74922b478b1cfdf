/** Small pieces of English that rules and perception share, so that a thing has the same name everywhere. */
import { counted } from '../../base/counted.js';
import { LIMITS } from '../../base/limits.js';
import { breakControlTokens, cutText, oneLine } from '../../base/text.js';
import type { Noun } from '../../environment/observation.js';
import type { Point } from '../../environment/space.js';
import { bearing, offsetWords } from '../../environment/space.js';
import type { Hearing, Utterance } from '../../speech/utterance.js';
import { heardLine } from '../../speech/utterance.js';
import type { GridRules } from './definition.js';

/** Cache of cleaned names, because a step needs the same few many times. */
const cleanNames = new Map<string, string>();

/** A name in a form that is safe in a prompt without quotation marks. */
export function nameText(name: string): string {
  const cached = cleanNames.get(name);
  if (cached !== undefined) return cached;
  // Cutting comes last, so that cleaning a clean name changes nothing.
  const clean = cutText(breakControlTokens(oneLine(name)), LIMITS.nameCharacters);
  if (cleanNames.size >= LIMITS.things) cleanNames.clear();
  cleanNames.set(name, clean);
  return clean;
}

/** Prose of the scenario or the rules on one line. */
export function proseText(prose: string): string {
  return breakControlTokens(oneLine(prose));
}

/** "the brass key"; a capitalised name is a proper name, without article: "Mira". */
export function theName(name: string): string {
  return /^[A-Z]/.test(name) || /^the /i.test(name) ? name : `the ${name}`;
}

/** The sentence with a capital first letter. */
export function capitalised(sentence: string): string {
  const first = sentence.charAt(0);
  return first >= 'a' && first <= 'z' ? first.toUpperCase() + sentence.slice(1) : sentence;
}

/** A stack's name with its amount: "gold coin (3)"; a single one has only its name. */
export function countedName(name: string, amount: number): string {
  return amount === 1 ? name : `${name} (${amount})`;
}

/** "north and east", "north, east and south"; '' for nothing. */
export function joinList(words: readonly string[], conjunction = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** "1 tile", "4 tiles". */
export function tiles(count: number): string {
  return counted(count, 'tile');
}

/** The name of a noun in the text: its own, or its distinct one. */
export type NameLabel = (named: { readonly id: string; readonly name: string }) => string;

/** By the id of each noun that has one. */
export function distinctNamesOf(nouns: readonly Noun[]): ReadonlyMap<string, string> {
  return new Map(
    nouns.flatMap(({ id, distinctName }) => (distinctName === undefined ? [] : [[id, distinctName]])),
  );
}

/** The names of these nouns, no two of which are the same. */
export function labeller(nouns: readonly Noun[]): NameLabel {
  const distinctNames = distinctNamesOf(nouns);
  return distinctNames.size === 0 ? ({ name }) => name : ({ id, name }) => distinctNames.get(id) ?? name;
}

/** In lower case, as far as ASCII goes. */
export function lowerCased(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : name;
}

/**
 * The position of something as seen from a body: "here", "beside you to the north-east", "2 west, 1 north".
 * Within reach of hands it is "beside you".
 */
export function whereabouts(self: Point, there: Point): string {
  const direction = bearing(self, there);
  if (direction === null) return 'here';
  const isBeside = Math.max(Math.abs(there.x - self.x), Math.abs(there.y - self.y)) === 1;
  return isBeside ? `beside you to the ${direction}` : offsetWords(self, there);
}

/** "x 3, y 0". */
export function tileText({ x, y }: Point): string {
  return `x ${x}, y ${y}`;
}

/** The text for a hearer: SPEAK reaches agents nearby, ANNOUNCE the speaker's room. */
export function heardText(
  { speakRadius, refusals }: Pick<GridRules, 'speakRadius' | 'refusals'>,
  { utterance, speakerName, distance }: { readonly utterance: Utterance } & Omit<Hearing, 'reach'>,
): string {
  const reach = utterance.channel === 'announce' ? 'all in the room' : `all within ${tiles(speakRadius)}`;
  // How far away somebody is, the picture shows.
  const told = refusals === 'plain' ? null : distance;
  return heardLine(utterance, { speakerName: nameText(speakerName), distance: told, reach });
}
