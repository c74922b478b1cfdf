/**
 * The numbers in an agent's picture (`render.marks`): what may bear one, and what one stands for. Doors are part of
 * the picture's ground, and their names tell them apart unless another noun has the same; so only then, a door bears
 * a number, and the facts of a world with space say where it is.
 */
import { recordsIn } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import type { Args } from './action.js';
import type { Grammar } from './grammar.js';
import { nameSlotsOf } from './grammar.js';
import { toldName } from './observation.js';
import type { Noun, Observation } from './observation.js';
import type { Point } from './space.js';

/** Something in the picture; `x` and `y` count from the window's top left tile. */
export interface Pictured extends Point {
  id: string;
  name: string;
}

/** What may bear a number, in this order: things, creatures and other agents, then doors of equal names by rows. */
export function pictured({ agent, facts, nouns, scene }: Observation): readonly Pictured[] {
  if (scene === null) return [];
  const { origin, width, height } = scene;
  // Another world's facts may hold anything.
  const places = ['doors', 'remembered'].flatMap((key) => recordsIn(lookUp(facts, key)));
  const doors = nouns.flatMap((noun): readonly Pictured[] => {
    const { id, name, kinds } = noun;
    const isNamesake = nouns.some((other) => other.id !== id && other.name === name);
    const place = places.find((fact) => fact['id'] === id);
    if (!kinds.includes('door') || !isNamesake || place === undefined) return [];
    const [x, y] = [Number(place['x']) - origin.x, Number(place['y']) - origin.y];
    const isInWindow = x >= 0 && y >= 0 && x < width && y < height;
    return isInWindow ? [{ id, name: toldName(noun), x, y }] : [];
  });
  return [
    ...scene.things.filter(({ id }) => id !== agent),
    ...doors.toSorted((a, b) => a.y - b.y || a.x - b.x),
  ];
}

/** The nouns on the tile that bears the number `written`; empty if it is none. A tile with several things has one number. */
export function markedNouns(
  written: string,
  nouns: readonly Noun[],
  observation: Observation,
): readonly Noun[] {
  const mark = /^\d+$/.test(written)
    ? observation.scene?.marks.find(({ text }) => text === written)
    : undefined;
  if (mark === undefined) return [];
  const ids = pictured(observation).flatMap(({ id, x, y }) => (x === mark.x && y === mark.y ? [id] : []));
  return nouns.filter(({ id }) => ids.includes(id));
}

/** The number that alone names a noun, because only the picture tells it from another of its name; undefined for none. */
export function soleNameOf(id: string | number, observation: Observation): string | undefined {
  const { nouns, refusals, scene } = observation;
  const noun = nouns.find((one) => one.id === id);
  const isNamesake = nouns.some((one) => one !== noun && one.name === noun?.name);
  if (refusals !== 'plain' || !isNamesake) return undefined;
  return scene?.marks.find(({ text }) => {
    const [first, second] = markedNouns(text, nouns, observation);
    return first === noun && second === undefined;
  })?.text;
}

/**
 * The arguments with what texts call a noun in place of its id, or the number that alone names it; the id where only a
 * picture could tell the nouns of a name apart.
 */
export function withToldNames(grammar: Grammar | null, args: Args, observation: Observation): Args {
  const { nouns, refusals } = observation;
  const nameSlots = nameSlotsOf(grammar);
  const toldNameOf = (id: string | number): string | undefined => {
    const noun = nouns.find((one) => one.id === id);
    if (noun?.distinctName !== undefined || refusals === 'plain') return noun && toldName(noun);
    // Some other thing may have its name, or this name for an id.
    return nouns.some((one) => one !== noun && [one.id, one.name].includes(noun?.name ?? ''))
      ? undefined
      : noun?.name;
  };
  return Object.fromEntries(
    Object.entries(args).map(([slot, value]) => [
      slot,
      nameSlots.has(slot) ? (soleNameOf(value, observation) ?? toldNameOf(value) ?? value) : value,
    ]),
  );
}
