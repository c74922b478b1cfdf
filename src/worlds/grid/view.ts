/**
 * What one agent perceives in a state. Text, nouns, offers and frame are all made from this view, so none of
 * them can contain more than another. Everything in it is in the agent's sight, in its hands or in its
 * memory; nothing else of the state may enter. Lists are sorted by distance, then id. Records are written out
 * property by property here and in `facts.ts`, because spreading takes many times as long
 * (docs/explanation/performance.md).
 */
import { known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { LIMITS } from '../../base/limits.js';
import type { Direction, Point } from '../../environment/space.js';
import { bearing, distance } from '../../environment/space.js';
import { chunkAt, chunksIn } from './chunks.js';
import type { Door, Room, ThingDefinition } from './definition.js';
import { rememberedThings } from './knowledge.js';
import { memoised } from './recent-answers.js';
import type { Sight } from './sight.js';
import { sightOf } from './sight.js';
import type { BodyState, DoorState, GridState, RememberedThing, ThingState } from './state.js';
import { nameText } from '../../environment/wording.js';
import type { GridWorld } from './world.js';
import { bodyOf, doorOf, appearanceOf, mindOf, roomAt, statusOf, thingDefinition, thingOf } from './world.js';

/** Something with a position, as seen from the agent's position. */
export interface PlacedItem extends Point {
  id: string;
  /** Safe for a prompt. */
  name: string;
  sprite: string;
  /** Manhattan, in tiles. */
  distance: number;
  /** Null if it is on the agent's own tile. */
  direction: Direction | null;
}

export interface SeenBody extends PlacedItem {
  kind: 'person' | 'creature';
  facing: number;
  status: ReturnType<typeof statusOf>;
}

/** A thing within reach: lying in sight, held, or in an open container within reach. */
export interface ReachableThing {
  id: string;
  name: string;
  sprite: string;
  amount: number;
  lid: ThingState['lid'];
  /** Contents of an open container; empty for any other. */
  inside: readonly ReachableThing[];
  /** Constant properties of a thing: whether it can be carried, pushed, read and so on. */
  definition: ThingDefinition;
  isBlocking: boolean;
}

export interface SeenThing extends PlacedItem, ReachableThing {}

export interface SeenDoor extends PlacedItem {
  state: DoorState['state'];
  definition: Door;
}

/** A thing or door out of sight, as last seen. */
export interface RememberedItem extends PlacedItem {
  turn: number;
  lid: RememberedThing['lid'];
  kind: 'thing' | 'door';
}

export interface AgentView {
  self: BodyState;
  sight: Sight;
  /** The room that the agent is in; null between rooms. */
  room: Room | null;
  bodies: readonly SeenBody[];
  things: readonly SeenThing[];
  doors: readonly SeenDoor[];
  /** In the order taken. */
  held: readonly ReachableThing[];
  /** Every thing and door as the agent last saw it, in order of id, including those on visible tiles. */
  lastSeen: readonly RememberedThing[];
  /** The nearest ones out of sight, at most `LIMITS.rememberedThings`. */
  memories: readonly RememberedItem[];
  /**
   * Whether a thing or body in sight or memory may be shown to the agent; with `observe: ask`, only if LOOK
   * has revealed it.
   */
  isShown: (id: string) => boolean;
}

/**
 * What `agent` perceives in `state`; with `rules.observe: ask`, only things and bodies that LOOK has
 * revealed.
 */
export const viewOf = memoised((world, state, agent) => {
  const view = everythingInSight(world, state, agent);
  if (world.definition.rules.observe !== 'ask') return view;
  const shown = new Set(mindOf(state, agent).revealed);
  return onlyShown(world, view, (id) => shown.has(id));
});

/** What an agent sees and remembers, whether or not LOOK has revealed it. */
export function everythingInSight(world: GridWorld, state: GridState, agent: string): AgentView {
  const self = known(bodyOf(state, agent), `body of ${agent}`);
  const sight = sightOf(world, state, agent);
  const lastSeen = rememberedThings(state, agent);
  const things = seenThings(world, state, { self, sight });
  const held = self.holds.map((id) => describeItem(world, state, id));
  const present = new Set([...things, ...held].flatMap(idsOf));
  return {
    self,
    sight,
    room: roomAt(world, self.x, self.y),
    bodies: seenBodies(world, state, { self, sight }),
    things,
    doors: seenDoors(world, state, { self, sight }),
    held,
    lastSeen,
    memories: memoriesOf(world, { self, sight }, { lastSeen, present }),
    isShown: () => true,
  };
}

/** The view without things and bodies that are not shown; doors and held things are always shown. */
function onlyShown(world: GridWorld, view: AgentView, isShown: (id: string) => boolean): AgentView {
  return {
    ...view,
    bodies: view.bodies.filter(({ id }) => isShown(id)),
    things: view.things.filter(({ id }) => isShown(id)),
    lastSeen: view.lastSeen.filter(({ id }) => world.doors.has(id) || isShown(id)),
    memories: view.memories.filter(({ id, kind }) => kind === 'door' || isShown(id)),
    isShown,
  };
}

/** The observer, and what it sees. */
interface LookingAgent {
  self: BodyState;
  sight: Sight;
}

/** A thing and its visible contents. */
export function idsOf(item: ReachableThing): readonly string[] {
  return [item.id, ...item.inside.flatMap(idsOf)];
}

function byDistance<T extends PlacedItem>(list: readonly T[]): readonly T[] {
  return list.toSorted((a, b) => a.distance - b.distance || compareText(a.id, b.id));
}

function seenBodies(world: GridWorld, state: GridState, { self, sight }: LookingAgent): readonly SeenBody[] {
  const others = Object.values(state.bodies).filter(({ id, x, y }) => id !== self.id && sight.has(x, y));
  return byDistance(
    others.map((body) => {
      const { id, x, y, facing } = body;
      const { name, sprite } = known(world.bodies.get(id), `definition of ${id}`);
      const tile = { x, y };
      return {
        id,
        name: nameText(name),
        sprite,
        x,
        y,
        distance: distance(self, tile),
        direction: bearing(self, tile),
        kind: world.agents.has(id) ? 'person' : 'creature',
        facing,
        status: statusOf(body),
      };
    }),
  );
}

function seenThings(world: GridWorld, state: GridState, { self, sight }: LookingAgent): readonly SeenThing[] {
  const seen: SeenThing[] = [];
  for (const chunk of chunksIn(sight.rect)) {
    for (const id of chunkAt(state.ground, chunk) ?? []) {
      const place = known(thingOf(state, id), `thing ${id} of the ground index`).place;
      if (place.at !== 'tile' || !sight.has(place.x, place.y)) continue;
      const item = describeItem(world, state, id);
      seen.push({
        id: item.id,
        name: item.name,
        sprite: item.sprite,
        x: place.x,
        y: place.y,
        distance: distance(self, place),
        direction: bearing(self, place),
        amount: item.amount,
        lid: item.lid,
        inside: item.inside,
        definition: item.definition,
        isBlocking: item.isBlocking,
      });
    }
  }
  return byDistance(seen);
}

function describeItem(world: GridWorld, state: GridState, id: string): ReachableThing {
  const item = known(thingOf(state, id), `thing ${id}`);
  const { name, sprite, blocking } = appearanceOf(world, item);
  const isOpen = item.lid === 'open';
  return {
    id,
    name: nameText(name),
    sprite,
    amount: item.amount,
    lid: item.lid,
    inside: isOpen ? item.contents.map((inner) => describeItem(world, state, inner)) : [],
    definition: thingDefinition(world, item),
    isBlocking: blocking,
  };
}

function seenDoors(world: GridWorld, state: GridState, { self, sight }: LookingAgent): readonly SeenDoor[] {
  const seen: SeenDoor[] = [];
  for (const definition of chunksIn(sight.rect).flatMap(
    (index) => chunkAt(world.doorsByChunk, index) ?? [],
  )) {
    if (!sight.has(definition.x, definition.y)) continue;
    const { id, name, sprites, x, y } = definition;
    const doorState = known(doorOf(state, id), `door ${id}`).state;
    seen.push({
      id,
      name: nameText(name),
      sprite: sprites[doorState],
      x,
      y,
      distance: distance(self, definition),
      direction: bearing(self, definition),
      state: doorState,
      definition,
    });
  }
  return byDistance(seen);
}

/** Remembered things out of sight, except those that are `present` elsewhere now. */
function memoriesOf(
  world: GridWorld,
  { self, sight }: LookingAgent,
  { lastSeen, present }: { lastSeen: AgentView['lastSeen']; present: ReadonlySet<string> },
): readonly RememberedItem[] {
  const outOfSight = lastSeen.filter(({ id, x, y }) => !sight.has(x, y) && !present.has(id));
  return byDistance(
    outOfSight.map((item): RememberedItem => {
      const { id, name, sprite, x, y, turn, lid } = item;
      return {
        id,
        name: nameText(name),
        sprite,
        x,
        y,
        distance: distance(self, item),
        direction: bearing(self, item),
        turn,
        lid,
        kind: world.doors.has(id) ? 'door' : 'thing',
      };
    }),
  ).slice(0, LIMITS.rememberedThings);
}
