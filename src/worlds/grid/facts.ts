/**
 * The observation for programs: the same knowledge as the text and the frame, as JSON. Scripted and outside controllers
 * decide on this alone. Coordinates are the world's; distances are Manhattan, in tiles; lists are sorted as in the text.
 * The types are aliases, since an interface is not assignable to a JSON object.
 */
import type { Direction } from '../../environment/space.js';
import type { Channel } from '../../speech/utterance.js';
import { knownExits } from './exits.js';
import type { FrontierTile, Ground, GroundMap } from './ground.js';
import { freeSteps, frontierOf } from './ground.js';
import { windowRect } from './sight.js';
import type { GridState, MindState } from './state.js';
import { nameText } from './text.js';
import type { Item, Memory, Placed, SeenBody, SeenDoor, View } from './view.js';
import type { GridWorld } from './world.js';
import { mindOf } from './world.js';

type Lid = 'open' | 'closed' | 'locked';

export type PlaceFact = {
  readonly x: number;
  readonly y: number;
  readonly distance: number;
  /** Null: on the agent's own tile. */
  readonly direction: Direction | null;
};

export type ItemFact = {
  readonly id: string;
  readonly name: string;
  readonly amount: number;
  /** Null for what is no container. */
  readonly lid: Lid | null;
  /** What can be seen in it; empty for what is closed or no container. */
  readonly inside: readonly ItemFact[];
  readonly portable: boolean;
  readonly pushable: boolean;
  /** Whether it stands in the way. */
  readonly blocking: boolean;
  readonly readable: boolean;
  /** Whether there is work to be done on it. */
  readonly workable: boolean;
};

export type BodyFact = PlaceFact & {
  readonly id: string;
  readonly name: string;
  readonly kind: 'person' | 'creature';
  readonly status: 'awake' | 'done' | 'caught';
};

export type DoorFact = PlaceFact & { readonly id: string; readonly name: string; readonly state: Lid };

export type MemoryFact = PlaceFact & {
  readonly id: string;
  readonly name: string;
  readonly kind: 'thing' | 'door';
  /** As last seen; null for what has no lid. */
  readonly lid: Lid | null;
  /** The turn in which it was last seen. */
  readonly turn: number;
};

export type ExitFact = PlaceFact & {
  readonly door: string;
  readonly name: string;
  /** The side of the room that it is on: what GO takes where movement is by rooms. */
  readonly side: Direction;
  /** As seen now, or as last seen. */
  readonly state: Lid;
  readonly visible: boolean;
  /** Id of the room beyond; null where the agent has never been in it. */
  readonly leadsTo: string | null;
};

export type HeardFact = {
  readonly speaker: string;
  readonly name: string;
  readonly channel: Channel;
  readonly text: string;
  readonly turn: number;
  readonly distance: number;
};

export type GridFacts = {
  readonly turn: number;
  readonly self: {
    readonly id: string;
    readonly name: string;
    readonly x: number;
    readonly y: number;
    readonly status: 'awake' | 'done' | 'caught';
    /** Id of the room that it is in; null: in none. */
    readonly room: string | null;
    readonly holds: readonly ItemFact[];
    /** How many things it can hold. */
    readonly carryMax: number;
  };
  readonly movement: 'room' | 'tile';
  readonly bodies: readonly BodyFact[];
  readonly things: readonly (ItemFact & PlaceFact)[];
  readonly doors: readonly DoorFact[];
  /** Out of sight, as last seen. */
  readonly remembered: readonly MemoryFact[];
  readonly exits: readonly ExitFact[];
  /** Directions of the tiles beside it that it could step on. */
  readonly steps: readonly Direction[];
  /** Ids of the rooms that it has been in. */
  readonly rooms: readonly string[];
  readonly heard: readonly HeardFact[];
  readonly noticed: readonly string[];
  /** What it heard and read before, newest last. */
  readonly recalled: readonly string[];
  /** What its last action did or why it was refused; '' before the first. */
  readonly last: string;
  /** The nearest tiles in each direction that it can reach and that lie beside unknown ones, nearest first. */
  readonly frontier: readonly {
    readonly x: number;
    readonly y: number;
    readonly direction: Direction | null;
    readonly steps: number;
  }[];
  /**
   * The frame's tiles, a string a row: `?` unknown, `.` walkable, `#` a wall, `o` something in the way that can be seen past,
   * `+` a door that is not open; visible or remembered alike.
   */
  readonly window: { readonly x: number; readonly y: number; readonly rows: readonly string[] };
};

export function factsOf(world: GridWorld, state: GridState, view: View, ground: GroundMap): GridFacts {
  const mind = mindOf(state, view.self.id);
  return {
    turn: state.turn,
    self: selfFact(world, view),
    movement: world.definition.rules.movement,
    bodies: view.bodies.map(bodyFact),
    things: view.things.map((thing) => ({ ...itemFact(thing), ...placeFact(thing) })),
    doors: view.doors.map(doorFact),
    remembered: view.memories.map(memoryFact),
    exits: exitFacts(world, state, view),
    steps: freeSteps(world, view, ground),
    rooms: mind.visited,
    heard: heardFacts(mind),
    noticed: mind.inbox.flatMap((item) => (item.kind === 'noticed' ? [item.line] : [])),
    recalled: mind.read,
    last: mind.last,
    frontier: frontierOf(world, view, ground).map(frontierFact),
    window: windowFact(world, view, ground),
  };
}

function selfFact(world: GridWorld, { self, room, held }: View): GridFacts['self'] {
  const { id, x, y, status } = self;
  const definition = world.agents.get(id);
  return {
    id,
    name: nameText(definition?.name ?? id),
    x,
    y,
    status,
    room: room?.id ?? null,
    holds: held.map(itemFact),
    carryMax: definition?.carryMax ?? 0,
  };
}

function placeFact({ x, y, distance, direction }: Placed): PlaceFact {
  return { x, y, distance, direction };
}

function itemFact({ id, name, amount, lid, inside, definition, isBlocking, isWorkable }: Item): ItemFact {
  return {
    id,
    name,
    amount,
    lid,
    inside: inside.map(itemFact),
    portable: definition.portable,
    pushable: definition.pushable,
    blocking: isBlocking,
    readable: definition.text !== null,
    workable: isWorkable,
  };
}

function bodyFact(body: SeenBody): BodyFact {
  return { id: body.id, name: body.name, kind: body.kind, status: body.status, ...placeFact(body) };
}

function doorFact(door: SeenDoor): DoorFact {
  return { id: door.id, name: door.name, state: door.state, ...placeFact(door) };
}

function memoryFact(memory: Memory): MemoryFact {
  const { id, name, kind, lid, turn } = memory;
  return { id, name, kind, lid, turn, ...placeFact(memory) };
}

function exitFacts(world: GridWorld, state: GridState, view: View): readonly ExitFact[] {
  return knownExits(world, state, view).map((exit) => ({
    door: exit.door,
    name: exit.name,
    side: exit.direction,
    state: exit.state,
    visible: exit.isVisible,
    leadsTo: exit.leadsTo,
    x: exit.x,
    y: exit.y,
    distance: exit.distance,
    direction: exit.bearing,
  }));
}

function heardFacts({ inbox }: MindState): readonly HeardFact[] {
  return inbox.flatMap((item) => {
    if (item.kind !== 'heard') return [];
    const { speaker, channel, text, turn } = item.utterance;
    return [{ speaker, name: nameText(item.speakerName), channel, text, turn, distance: item.distance }];
  });
}

function frontierFact({ x, y, direction, steps }: FrontierTile): GridFacts['frontier'][number] {
  return { x, y, direction, steps };
}

const GROUND_MARKS: Readonly<Record<Ground, string>> = {
  unknown: '?',
  walkable: '.',
  opaque: '#',
  blocked: 'o',
  shut: '+',
};

function windowFact(world: GridWorld, { self }: View, ground: GroundMap): GridFacts['window'] {
  const { x, y, width, height } = windowRect(world.definition.window, self);
  const rows = Array.from({ length: height }, (_row, down) =>
    Array.from({ length: width }, (_tile, right) => GROUND_MARKS[ground(x + right, y + down)]).join(''),
  );
  return { x, y, rows };
}
