/**
 * Resolves an argument to what the actor perceives: a thing in its hands, on a tile that it sees, in an open
 * container there or in hands that it sees; a door or a body that it sees. Anything else is refused in the
 * same words as a nonexistent thing, so that a refusal reveals nothing hidden.
 */
import type { Problem } from '../../base/problem.js';
import { problem } from '../../base/problem.js';
import type { Point } from '../../environment/space.js';
import type { Door, ThingDefinition } from './definition.js';
import { rememberedThings } from './knowledge.js';
import { canSee } from './sight.js';
import type { BodyState, DoorState, GridState, RememberedThing, ThingState } from './state.js';
import { nameText, capitalised, theName } from '../../environment/wording.js';
import { whereabouts } from './wording.js';
import type { GridWorld } from './world.js';
import { bodyOf, doorOf, isWithinReach, appearanceOf, thingDefinition, thingOf } from './world.js';
import { known } from '../../base/assert.js';

export interface ThingTarget {
  kind: 'thing';
  id: string;
  name: string;
  at: Point;
  item: ThingState;
  definition: ThingDefinition;
  /** The body that holds it, directly or in a container; null if there is none. */
  holder: string | null;
}

export interface DoorTarget {
  kind: 'door';
  id: string;
  name: string;
  at: Point;
  state: DoorState;
  definition: Door;
}

export interface BodyTarget {
  kind: 'body';
  id: string;
  name: string;
  at: Point;
  body: BodyState;
}

export type ActionTarget = ThingTarget | DoorTarget | BodyTarget;

/** The target with an id; null if the agent does not perceive it now. */
export function perceivedTarget(
  world: GridWorld,
  state: GridState,
  agent: string,
  id: string,
): ActionTarget | null {
  const item = thingOf(state, id);
  if (item !== undefined) return perceivedThing(world, state, agent, item);
  const definition = world.doors.get(id);
  if (definition !== undefined) return perceivedDoor(world, state, agent, definition);
  const body = bodyOf(state, id);
  if (body === undefined || (id !== agent && !canSee(world, state, agent, body))) return null;
  const name = theName(nameText(known(world.bodies.get(id), id).name));
  return { kind: 'body', id, name, at: pointOf(body), body };
}

function perceivedDoor(
  world: GridWorld,
  state: GridState,
  agent: string,
  definition: Door,
): ActionTarget | null {
  if (!canSee(world, state, agent, definition)) return null;
  const { id, name } = definition;
  const door = known(doorOf(state, id), `door ${id}`);
  return {
    kind: 'door',
    id,
    name: theName(nameText(name)),
    at: pointOf(definition),
    state: door,
    definition,
  };
}

function perceivedThing(
  world: GridWorld,
  state: GridState,
  agent: string,
  item: ThingState,
): ThingTarget | null {
  const location = perceivedLocation(world, state, agent, item);
  if (location === null) return null;
  const name = theName(nameText(appearanceOf(world, item).name));
  const definition = thingDefinition(world, item);
  return {
    kind: 'thing',
    id: item.id,
    name,
    item,
    definition,
    at: pointOf(location.at),
    holder: location.holder,
  };
}

/** Where a thing is and in whose hands; null if the agent doesn't perceive it there. */
function perceivedLocation(
  world: GridWorld,
  state: GridState,
  agent: string,
  { place }: ThingState,
): Pick<ThingTarget, 'at' | 'holder'> | null {
  if (place.at === 'tile') return canSee(world, state, agent, place) ? { at: place, holder: null } : null;
  if (place.at === 'held') {
    const holder = known(bodyOf(state, place.by), `body ${place.by}`);
    const isSeen = place.by === agent || canSee(world, state, agent, holder);
    return isSeen ? { at: holder, holder: place.by } : null;
  }
  const container = known(thingOf(state, place.container), `container ${place.container}`);
  return container.lid === 'open' ? perceivedLocation(world, state, agent, container) : null;
}

function pointOf({ x, y }: Point): Point {
  return { x, y };
}

/** What the agent remembers of a thing or door that it may not see now; null if it knows nothing about it. */
export function memoryOf(state: GridState, agent: string, id: string): RememberedThing | null {
  return rememberedThings(state, agent).find((memory) => memory.id === id) ?? null;
}

/** The refusal for something that isn't perceived now. */
export function notPerceived(state: GridState, agent: string, id: string): Problem {
  const memory = memoryOf(state, agent, id);
  if (memory === null) {
    return problem('bad-argument', 'You see nothing of that name here. Name something that you see or hold.');
  }
  const here = known(bodyOf(state, agent), `body of ${agent}`);
  const positionText = whereabouts(here, memory);
  return problem(
    'illegal/not-seen',
    `You don't see ${theName(memory.name)} now; you last saw it ${positionText}. ${goToHint(memory.name)}`,
  );
}

function goToHint(name: string): string {
  return `Use GO TO ${name.replace(/^the /, '')} first.`;
}

/** Refused if the target is neither on the actor's tile nor on one of the eight around it. */
export function outOfReach(
  state: GridState,
  agent: string,
  target: Pick<ActionTarget, 'name' | 'at'>,
): Problem | undefined {
  const here = known(bodyOf(state, agent), `body of ${agent}`);
  if (isWithinReach(here, target.at)) return undefined;
  const positionText = whereabouts(here, target.at);
  return problem(
    'illegal/out-of-reach',
    `${capitalised(target.name)} is out of reach, ${positionText}. ${goToHint(target.name)}`,
  );
}
