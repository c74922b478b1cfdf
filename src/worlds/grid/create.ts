/**
 * Makes the initial state from a definition and a seed: every body, thing and door is where the definition
 * puts it, and every agent knows what it sees. The definition must have been checked before.
 */
import { stream } from '../../base/rng.js';
import { facingOf } from '../../environment/space.js';
import { addThing } from './change.js';
import { shardOf } from './chunks.js';
import type { GridDefinition, ThingDefinition } from './definition.js';
import { learn } from './learning.js';
import type { DoorState, GridState, GridMindState, NpcState, Shards } from './state.js';
import { thingState } from './state.js';
import { showHandled } from './revealed.js';
import { TIES } from '../../environment/turn-order.js';
import type { GridWorld } from './world.js';

export function createState(world: GridWorld, seed: string): GridState {
  const { definition } = world;
  const wanderers = definition.npcs.filter((npc) => npc.behaviour.kind === 'wander');
  const empty: GridState = {
    turn: 1,
    // Nothing is random but NPCs that wander, and ties if the rules draw them.
    rng: {
      ...Object.fromEntries(wanderers.map(({ id }) => [`npc:${id}`, stream(seed, `npc:${id}`)])),
      ...(definition.rules.ties === 'drawn' ? { [TIES]: stream(seed, TIES) } : {}),
    },
    bodies: Object.fromEntries(
      [...definition.agents, ...definition.npcs].map(({ id, x, y }) => [
        id,
        { id, x, y, facing: facingOf('south'), status: 'awake', holds: [] },
      ]),
    ),
    npcs: Object.fromEntries(definition.npcs.map(({ id }) => [id, INITIAL_NPC])),
    things: {},
    doors: doorShards(definition),
    ground: {},
    minds: Object.fromEntries(definition.agents.map(({ id }) => [id, EMPTY_MIND])),
    marks: {},
  };
  const withThings = containersFirst(definition.things.filter(({ absent }) => absent !== true))
    .map(thingState)
    .reduce(addThing, empty);
  return definition.agents.reduce(
    (state, { id }) => showHandled(world, learn(world, state, id), id),
    withThings,
  );
}

const INITIAL_NPC: NpcState = { leg: 0, heading: 1, lastSeen: null };
const EMPTY_MIND: GridMindState = {
  known: {},
  visited: [],
  inbox: [],
  read: [],
  last: '',
  lastOk: true,
  spoke: false,
};

function doorShards({ doors }: GridDefinition): Shards<DoorState> {
  const shards: Record<string, Record<string, DoorState>> = {};
  for (const { id, state } of doors) (shards[shardOf(id)] ??= {})[id] = { id, state, openFor: 0 };
  return shards;
}

/** The things in the definition's order, except that each container comes before its contents. */
function containersFirst(things: readonly ThingDefinition[]): readonly ThingDefinition[] {
  const depths = new Map<string, number>();
  const places = new Map(things.map(({ id, place }) => [id, place]));
  const depthOf = (id: string): number => {
    const place = places.get(id);
    const depth = depths.get(id) ?? (place?.at === 'inside' ? 1 + depthOf(place.container) : 0);
    depths.set(id, depth);
    return depth;
  };
  return things
    .map((item, index) => ({ item, index, depth: depthOf(item.id) }))
    .toSorted((a, b) => a.depth - b.depth || a.index - b.index)
    .map(({ item }) => item);
}
