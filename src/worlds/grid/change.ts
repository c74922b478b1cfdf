/**
 * The setters with which every rule changes the state: pure and copy-on-write. They keep related data
 * consistent: a thing's place, the ground index, a container's contents and what a body holds. They don't
 * check whether a change is allowed; the rule that calls them has done so.
 */
import { assert, known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import type { Point } from '../../environment/space.js';
import { bearing, facingOf } from '../../environment/space.js';
import { chunkGet, chunkSet, shardDelete, shardSet } from './chunks.js';
import type { ThingLocation } from './definition.js';
import type { BodyState, DoorState, GridState, GridMindState, NpcState, ThingState } from './state.js';
import { bodyOf, doorOf, mindOf, thingOf } from './world.js';

/** The state with a change to an agent or creature. An unknown id is an AssertionError. */
export function setBody(state: GridState, id: string, change: Partial<BodyState>): GridState {
  const before = known(bodyOf(state, id), `body ${id}`);
  return { ...state, bodies: { ...state.bodies, [id]: { ...before, ...change } } };
}

/** A walk of a body: the tiles of its path, beginning with its own. */
interface Walk {
  id: string;
  path: readonly Point[];
}

/** The state with the body at the end of its path, facing in the direction of its last step. */
export function moveBody(state: GridState, walk: Walk): GridState {
  return moveBodies(state, [walk]);
}

/** Like `moveBody` for several bodies, each named once; copies the table only once. */
export function moveBodies(state: GridState, walks: readonly Walk[]): GridState {
  if (walks.length === 0) return state;
  const bodies = { ...state.bodies };
  for (const { id, path } of walks) {
    const before = known(bodyOf(state, id), `body ${id}`);
    const { x, y } = known(path.at(-1), 'the end of a path');
    const direction = bearing(path.at(-2) ?? before, { x, y });
    bodies[id] = { ...before, x, y, facing: direction === null ? before.facing : facingOf(direction) };
  }
  return { ...state, bodies };
}

export function setNpc(state: GridState, id: string, npc: NpcState): GridState {
  return { ...state, npcs: { ...state.npcs, [id]: npc } };
}

export function setMind(state: GridState, agent: string, change: Partial<GridMindState>): GridState {
  return setMinds(state, [agent], () => change);
}

/**
 * The state with changes to several minds, each named once; copies the table only once.
 */
export function setMinds(
  state: GridState,
  agents: readonly string[],
  changeOf: (mind: GridMindState, agent: string) => Partial<GridMindState>,
): GridState {
  if (agents.length === 0) return state;
  const minds = { ...state.minds };
  for (const agent of agents) {
    const mind = mindOf(state, agent);
    minds[agent] = { ...mind, ...changeOf(mind, agent) };
  }
  return { ...state, minds };
}

/** The state with a changed door. An id of no door is an AssertionError. */
export function setDoor(state: GridState, id: string, change: Partial<DoorState>): GridState {
  const before = known(doorOf(state, id), `door ${id}`);
  return { ...state, doors: shardSet(state.doors, id, { ...before, ...change }) };
}

/**
 * The state with a changed thing: its properties, but not its position (`transfer`). An id of no thing is an
 * AssertionError.
 */
export function setThing(
  state: GridState,
  id: string,
  change: Partial<Omit<ThingState, 'id' | 'place'>>,
): GridState {
  const before = known(thingOf(state, id), `thing ${id}`);
  return { ...state, things: shardSet(state.things, id, { ...before, ...change }) };
}

/** Adds a thing that is not in the world yet, at its place. */
export function addThing(state: GridState, item: ThingState): GridState {
  assert(thingOf(state, item.id) === undefined, `a second thing ${item.id}`);
  return attach({ ...state, things: shardSet(state.things, item.id, item) }, item);
}

/** Removes a thing from the world; its contents are placed where it was. */
export function removeThing(state: GridState, id: string): GridState {
  const item = known(thingOf(state, id), `thing ${id}`);
  const emptied = item.contents.reduce((now, inner) => placeThing(now, inner, item.place), state);
  const detached = detach(emptied, item);
  return { ...detached, things: shardDelete(detached.things, id) };
}

/** Moves a whole thing to a tile, into a container (last) or into hands (last). */
export function placeThing(state: GridState, id: string, place: ThingLocation): GridState {
  const item = known(thingOf(state, id), `thing ${id}`);
  const detached = detach(state, item);
  const placed = { ...known(thingOf(detached, id), `thing ${id}`), place };
  return attach({ ...detached, things: shardSet(detached.things, id, placed) }, placed);
}

function detach(state: GridState, { id, place }: ThingState): GridState {
  if (place.at === 'held') {
    const { holds } = known(bodyOf(state, place.by), `body ${place.by}`);
    return setBody(state, place.by, { holds: holds.filter((each) => each !== id) });
  }
  if (place.at === 'inside') {
    const { contents } = known(thingOf(state, place.container), `container ${place.container}`);
    return setThing(state, place.container, { contents: contents.filter((each) => each !== id) });
  }
  const others = (chunkGet(state.ground, place) ?? []).filter((each) => each !== id);
  return { ...state, ground: chunkSet(state.ground, place, others.length > 0 ? others : undefined) };
}

function attach(state: GridState, { id, place }: ThingState): GridState {
  if (place.at === 'held') {
    const { holds } = known(bodyOf(state, place.by), `body ${place.by}`);
    return setBody(state, place.by, { holds: [...holds, id] });
  }
  if (place.at === 'inside') {
    const { contents } = known(thingOf(state, place.container), `container ${place.container}`);
    return setThing(state, place.container, { contents: [...contents, id] });
  }
  const ids = [...(chunkGet(state.ground, place) ?? []), id].toSorted(compareText);
  return { ...state, ground: chunkSet(state.ground, place, ids) };
}

/** Records a fact for conditions, with the turn in which it first came true. */
export function setMark(state: GridState, mark: string): GridState {
  if (Object.hasOwn(state.marks, mark)) return state;
  return { ...state, marks: { ...state.marks, [mark]: state.turn } };
}

/** Sets a mark whose number may change, such as a counter; null removes it. */
export function setCount(state: GridState, mark: string, count: number | null): GridState {
  const { [mark]: _before, ...others } = state.marks;
  return { ...state, marks: count === null ? others : { ...others, [mark]: count } };
}
