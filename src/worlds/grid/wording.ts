/** Small pieces of English about amounts and places that the grid's rules and perception share. */
import { counted } from '../../base/counted.js';
import type { Noun } from '../../environment/observation.js';
import type { Point } from '../../environment/space.js';
import { bearing, offsetWords } from '../../environment/space.js';
import { nameText } from '../../environment/wording.js';
import type { Hearing, Utterance } from '../../speech/utterance.js';
import { heardLine } from '../../speech/utterance.js';
import type { GridRules } from './definition.js';

/** A stack's name with its amount: "gold coin (3)"; a single one has only its name. */
export function countedName(name: string, amount: number): string {
  return amount === 1 ? name : `${name} (${amount})`;
}

/** "1 tile", "4 tiles". */
export function tiles(count: number): string {
  return counted(count, 'tile');
}

/** The name of a noun in the text: its own, or its distinct one. */
export type NameLabel = (named: { id: string; name: string }) => string;

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
  { speakRadius, refusals }: GridRules,
  { utterance, speakerName, distance }: { utterance: Utterance } & Omit<Hearing, 'reach'>,
): string {
  const reach = utterance.channel === 'announce' ? 'all in the room' : `all within ${tiles(speakRadius)}`;
  // How far away somebody is, the picture shows.
  const told = refusals === 'plain' ? null : distance;
  return heardLine(utterance, { speakerName: nameText(speakerName), distance: told, reach });
}
