/**
 * Moves an amount of a thing. Stackable things of one kind are combined in hands, in a container or on a
 * tile; a part that is split off gets its own id. That id is derived from source, actor and turn, because a
 * sequential number would reveal how many stacks there are elsewhere.
 */
import { assert, known } from '../../base/assert.js';
import { sha256 } from '../../base/canonical.js';
import { addThing, placeThing, removeThing, setThing } from './change.js';
import type { ThingLocation } from './definition.js';
import type { GridState, ThingState } from './state.js';
import type { GridWorld } from './world.js';
import { bodyOf, thingDefinition, thingOf, thingsOn } from './world.js';

export interface Transfer {
  id: string;
  /** 1 to the available amount. */
  amount: number;
  to: ThingLocation;
  /** The agent that moves it. */
  by: string;
}

/** The state after the transfer, and the id of the moved amount at its new position. */
export function transfer(
  world: GridWorld,
  state: GridState,
  { id, amount, to, by }: Transfer,
): { state: GridState; id: string } {
  const item = known(thingOf(state, id), `thing ${id}`);
  assert(amount >= 1 && amount <= item.amount, `${amount} of ${item.amount} ${id}`);
  const stack = stackOfSameKind(world, state, item, to);
  if (stack !== undefined) {
    const enlarged = setThing(state, stack.id, { amount: stack.amount + amount });
    return { state: lessen(enlarged, id, amount), id: stack.id };
  }
  if (amount === item.amount) return { state: placeThing(state, id, to), id };
  const part = { ...item, id: partId(state, item, by), amount, place: to };
  return { state: addThing(lessen(state, id, amount), part), id: part.id };
}

/** Removes an amount of a thing from the world. */
export function lessen(state: GridState, id: string, amount: number): GridState {
  const item = known(thingOf(state, id), `thing ${id}`);
  return amount === item.amount
    ? removeThing(state, id)
    : setThing(state, id, { amount: item.amount - amount });
}

/** A stack at the place that the item would join; undefined if there is none. */
function stackOfSameKind(
  world: GridWorld,
  state: GridState,
  item: ThingState,
  place: ThingLocation,
): ThingState | undefined {
  const kind = thingDefinition(world, item).stack?.kind;
  if (kind === undefined) return undefined;
  return thingsAt(state, place).find(
    (other) => other.id !== item.id && thingDefinition(world, other).stack?.kind === kind,
  );
}

function thingsAt(state: GridState, place: ThingLocation): readonly ThingState[] {
  if (place.at === 'tile') return thingsOn(state, place);
  const ids =
    place.at === 'held' ? bodyOf(state, place.by)?.holds : thingOf(state, place.container)?.contents;
  return (ids ?? []).map((id) => known(thingOf(state, id), `thing ${id}`));
}

const BASE_LENGTH = 20;
const DIGITS = 10;

function partId(state: GridState, { id, definition }: ThingState, by: string): string {
  const base = definition.slice(0, BASE_LENGTH);
  for (let salt = 0; ; salt++) {
    const newId = `${base}-${sha256(`${id}\n${by}\n${state.turn}\n${salt}`).slice(0, DIGITS)}`;
    if (thingOf(state, newId) === undefined) return newId;
  }
}
