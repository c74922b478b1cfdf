/**
 * Makes the initial state from a definition and a seed: every body, thing and door is where the definition
 * puts it, and every agent knows what it sees. The definition must have been checked before.
 */
import type { RngState } from '../../base/rng.js';
import { stream } from '../../base/rng.js';
import { facingOf } from '../../environment/space.js';
import { addThing } from './change.js';
import { shardOf } from './chunks.js';
import type { BodyDefinition, GridDefinition, ThingDefinition } from './definition.js';
import { learn } from './learning.js';
import type { BodyState, DoorState, GridState, GridMindState, NpcState, Shards } from './state.js';
import { thingState } from './state.js';
import { showHandled } from './revealed.js';
import { TIES } from '../../environment/turn-order.js';
import type { GridWorld } from './world.js';

export function createState(world: GridWorld, seed: string): GridState {
  const { definition } = world;
  const empty: GridState = {
    turn: 1,
    rng: { ...npcStreams(definition, seed), ...tieStream(definition, seed) },
    bodies: recordById([...definition.agents, ...definition.npcs].map(bodyState)),
    npcs: Object.fromEntries(definition.npcs.map(({ id }) => [id, INITIAL_NPC])),
    things: {},
    doors: doorShards(definition),
    ground: {},
    minds: Object.fromEntries(definition.agents.map(({ id }) => [id, EMPTY_MIND])),
    marks: {},
  };
  const withThings = containersFirst(thingsAtStart(definition)).map(thingState).reduce(addThing, empty);
  return definition.agents.reduce(
    (state, { id }) => showHandled(world, learn(world, state, id), id),
    withThings,
  );
}

function thingsAtStart({ things }: GridDefinition): readonly ThingDefinition[] {
  return things.filter(({ absent }) => absent !== true);
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

/** Random streams, only for NPCs that wander; no other behaviour is random. */
function npcStreams({ npcs }: GridDefinition, seed: string): Readonly<Record<string, RngState>> {
  const wanderers = npcs.filter((npc) => npc.behaviour.kind === 'wander');
  return Object.fromEntries(wanderers.map(({ id }) => [`npc:${id}`, stream(seed, `npc:${id}`)]));
}

/** A random stream for ties, only if the rules draw them. */
function tieStream({ rules }: GridDefinition, seed: string): Readonly<Record<string, RngState>> {
  return rules.ties === 'drawn' ? { [TIES]: stream(seed, TIES) } : {};
}

function recordById<T extends { id: string }>(list: readonly T[]): Readonly<Record<string, T>> {
  return Object.fromEntries(list.map((item) => [item.id, item]));
}

function bodyState({ id, x, y }: BodyDefinition): BodyState {
  return { id, x, y, facing: facingOf('south'), status: 'awake', holds: [] };
}

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
