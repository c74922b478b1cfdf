/**
 * What must be true of every state whatever was done: each thing in exactly one place and indexed there, nobody in a
 * wall or behind a closed door, no two blocking bodies on one tile. Tests ask after every step; a failure is ours.
 */
import { assert, known } from '../../../src/base/assert.js';
import { canonicalJson } from '../../../src/base/canonical.js';
import { compareText } from '../../../src/base/ids.js';
import { chunkGet, shardValues } from '../../../src/worlds/grid/chunks.js';
import { believedObstacle } from '../../../src/worlds/grid/believed-walkability.js';
import { perceptionOf } from '../../../src/worlds/grid/perception.js';
import type { BodyState, GridState, ThingState } from '../../../src/worlds/grid/state.js';
import type { GridWorld } from '../../../src/worlds/grid/world.js';
import {
  bodiesAt,
  bodyOf,
  isInside,
  isWalkable,
  terrainAt,
  thingDefinition,
  thingOf,
} from '../../../src/worlds/grid/world.js';

/** Throws an assertion that names the first thing wrong. */
export function assertWorld(world: GridWorld, state: GridState): void {
  // Whatever JSON would lose, canonical JSON refuses.
  canonicalJson(state);
  const things = shardValues(state.things);
  for (const item of things) assertThing(world, state, item);
  for (const body of Object.values(state.bodies)) assertBody(world, state, body);
  assertIndices(state, things);
  for (const { id } of world.definition.agents) {
    assert(state.minds[id] !== undefined, `${id} has no mind`);
    assertBeliefs(world, state, id);
  }
}

/** Ways are planned on tables, refusals worded tile by tile: both must believe the same. */
function assertBeliefs(world: GridWorld, state: GridState, agent: string): void {
  const { view, walkability } = perceptionOf(world, state, agent);
  const { width, height } = world.definition.size;
  for (let y = -1; y <= height; y++)
    for (let x = -1; x <= width; x++) {
      const obstacle = believedObstacle(world, state, view, { x, y });
      assert(walkability.isOpen(x, y) === (obstacle === null), `${agent} believes two things of ${x}, ${y}`);
    }
}

function assertThing(world: GridWorld, state: GridState, item: ThingState): void {
  const { id, place, amount, lid, contents, work } = item;
  const definition = thingDefinition(world, item);
  assert(Number.isSafeInteger(amount) && amount >= 1, `${id} has amount ${amount}`);
  assert(definition.stack !== null || amount === 1, `${id} is no stack`);
  assert((lid === null) === (definition.container === null), `${id} has a lid or is no container`);
  assert(work === null || work >= 0, `${id} has work ${work}`);
  if (place.at === 'tile') {
    assert(terrainAt(world, place.x, place.y)?.walkable === true, `${id} lies in a wall`);
    assert(chunkGet(state.ground, place)?.includes(id) === true, `${id} is not in the ground index`);
  } else if (place.at === 'held') {
    assert(bodyOf(state, place.by)?.holds.includes(id) === true, `${place.by} does not hold ${id}`);
  } else {
    assert(thingOf(state, place.container)?.contents.includes(id) === true, `${id} is not in its container`);
  }
  for (const inner of contents) {
    const where = known(thingOf(state, inner), `${inner} in ${id}`).place;
    assert(where.at === 'inside' && where.container === id, `${inner} is not in ${id}`);
  }
}

function assertBody(world: GridWorld, state: GridState, body: BodyState): void {
  const { id } = body;
  assert(isInside(world, body), `${id} is outside the map`);
  assert(isWalkable(world, state, body), `${id} stands where nobody can: ${body.x}, ${body.y}`);
  const others = bodiesAt(state, body).length - 1;
  assert(!world.definition.rules.bodiesBlock || others === 0, `${id} shares a tile`);
  const carryMax = world.agents.get(id)?.carryMax ?? body.holds.length;
  assert(body.holds.length <= carryMax, `${id} holds too much`);
  for (const held of body.holds) {
    const { place } = known(thingOf(state, held), `${held} in the hands of ${id}`);
    assert(place.at === 'held' && place.by === id, `${held} is not in the hands of ${id}`);
  }
}

/** Every list names each thing once, and the lists together no thing twice. */
function assertIndices(state: GridState, things: readonly ThingState[]): void {
  const lying = Object.values(state.ground).flatMap((region) => Object.values(region));
  for (const ids of lying) {
    assert(ids.length > 0, 'an empty chunk of the ground index');
    assert(ids.toSorted(compareText).join() === ids.join(), 'the ground index is not sorted');
  }
  const inHands = Object.values(state.bodies).map((body) => body.holds);
  const inside = things.map((item) => item.contents);
  const all = [...lying, ...inHands, ...inside].flat();
  assert(new Set(all).size === all.length, 'a thing is in two places');
  assert(all.length === things.length, 'a thing is in no place, or a place holds none');
}
