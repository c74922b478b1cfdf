/**
 * The facts of an observation: the same knowledge as the text and the frame, as JSON for programs. Scripted
 * and external controllers decide by this alone. Coordinates are the world's; distances are Manhattan, in
 * tiles; lists are sorted as in the text. The type is in `environment/spatial-facts.ts`.
 */
import { at } from '../../base/assert.js';
import type {
  BodyFact,
  DoorFact,
  ExitFact,
  ItemFact,
  MemoryFact,
  NamedFact,
  SpatialFacts,
  TerrainFact,
  ThingFact,
} from '../../environment/spatial-facts.js';
import type { KnownExit } from './exits.js';
import { frontierOf } from './frontier.js';
import type { GroundKind, GroundMap } from './known-map.js';
import { GROUND } from './known-map.js';
import type { Perception } from './perception.js';
import type { GridState } from './state.js';
import { noticedLines } from './text.js';
import { nameText } from '../../environment/wording.js';
import { distinctNamesOf } from './wording.js';
import type { ReachableThing, RememberedItem, SeenBody, SeenDoor, SeenThing, AgentView } from './view.js';
import type { GridWorld } from './world.js';
import { mindOf, statusOf, windowRect } from './world.js';

export function factsOf(
  world: GridWorld,
  state: GridState,
  { view, map, walkability, exits, nouns }: Perception,
): SpatialFacts {
  const mind = mindOf(state, view.self.id);
  const distinctNames = distinctNamesOf(nouns);
  const named: Named = (id, fact) => {
    const distinctName = distinctNames.get(id);
    return distinctName === undefined ? fact : Object.assign(fact, { distinctName });
  };
  return {
    turn: state.turn,
    self: selfFact(world, view, named),
    movement: world.definition.rules.movement,
    ...(world.definition.rules.observe === 'ask' ? { asks: true } : {}),
    bodies: view.bodies.map((body) => named(body.id, bodyFact(body))),
    things: view.things.map((thing) => thingFact(thing, named)),
    doors: view.doors.map((door) => named(door.id, doorFact(door))),
    remembered: view.memories.map((memory) => named(memory.id, memoryFact(memory))),
    exits: exits.map((exit) => named(exit.door, exitFact(exit))),
    steps: walkability.steps,
    rooms: mind.visited,
    places: nouns
      .filter(({ kinds }) => kinds.includes('place'))
      .map(({ id, name }) => named<NamedFact>(id, { id, name })),
    heard: mind.inbox.flatMap((item) => {
      if (item.kind !== 'heard') return [];
      const { speaker, channel, text, turn } = item.utterance;
      return [{ speaker, name: nameText(item.speakerName), channel, text, turn, distance: item.distance }];
    }),
    noticed: noticedLines(mind),
    seen: mind.inbox.flatMap((item) =>
      item.kind === 'noticed' && item.event !== null ? [{ ...item.event, line: item.line }] : [],
    ),
    recalled: mind.read,
    last: mind.last,
    lastOk: mind.lastOk,
    frontier: frontierOf(world, view, map.ground),
    window: windowFact(world, view, map.ground),
  };
}

/** Adds the distinct name of a noun to its fact, if it has one. */
type Named = <Fact extends { distinctName?: string }>(id: string, fact: Fact) => Fact;

function selfFact(world: GridWorld, { self, room, held }: AgentView, named: Named): SpatialFacts['self'] {
  const { id, x, y, facing } = self;
  const definition = world.agents.get(id);
  return {
    id,
    name: nameText(definition?.name ?? id),
    x,
    y,
    facing,
    status: statusOf(self),
    room: room?.id ?? null,
    holds: held.map((item) => itemFact(item, named)),
    carryMax: definition?.carryMax ?? 0,
  };
}

function itemFact(item: ReachableThing, named: Named): ItemFact {
  const { id, name, amount, lid, inside, definition, isBlocking } = item;
  return named<ItemFact>(id, {
    id,
    name,
    amount,
    lid,
    inside: inside.map((each) => itemFact(each, named)),
    portable: definition.portable,
    pushable: definition.pushable,
    blocking: isBlocking,
    readable: definition.text !== null,
  });
}

/** `Object.assign`, because spreading takes many times as long (docs/explanation/performance.md). */
function thingFact(thing: SeenThing, named: Named): ThingFact {
  const { x, y, distance, direction } = thing;
  return Object.assign(itemFact(thing, named), { x, y, distance, direction });
}

function bodyFact({ id, name, kind, facing, status, x, y, distance, direction }: SeenBody): BodyFact {
  return { id, name, kind, facing, status, x, y, distance, direction };
}

function doorFact({ id, name, state, x, y, distance, direction }: SeenDoor): DoorFact {
  return { id, name, state, x, y, distance, direction };
}

function memoryFact({ id, name, kind, lid, turn, x, y, distance, direction }: RememberedItem): MemoryFact {
  return { id, name, kind, lid, turn, x, y, distance, direction };
}

function exitFact(exit: KnownExit): ExitFact {
  return {
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
  };
}

const GROUND_MARKS: Readonly<Record<GroundKind, string>> = {
  [GROUND.unknown]: '?',
  [GROUND.walkable]: '.',
  [GROUND.blocked]: 'o',
  [GROUND.opaque]: '#',
  [GROUND.shut]: '+',
};

function windowFact(world: GridWorld, { self, sight }: AgentView, ground: GroundMap): SpatialFacts['window'] {
  const { x, y, width, height } = windowRect(world.definition.window, self);
  const columns = world.definition.size.width;
  const terrain: Record<string, TerrainFact> = {};
  const keys: (string | undefined)[] = [];
  const keyOf = (kind: number): string => {
    const known = keys[kind];
    if (known !== undefined) return known;
    const key = terrainKey(Object.keys(terrain).length);
    const { name, walkable, opaque } = at(world.definition.terrain, kind);
    terrain[key] = { name: nameText(name), walkable, opaque };
    return (keys[kind] = key);
  };
  const rows: string[] = [];
  const grounds: string[] = [];
  const sightRows: string[] = [];
  for (let down = y; down < y + height; down++) {
    let [row, kinds, inSight] = ['', '', ''];
    for (let right = x; right < x + width; right++) {
      const known = ground(right, down);
      row += GROUND_MARKS[known];
      kinds += known === GROUND.unknown ? '?' : keyOf(world.terrain[down * columns + right] ?? 0);
      inSight += sight.has(right, down) ? '1' : '0';
    }
    rows.push(row);
    grounds.push(kinds);
    sightRows.push(inSight);
  }
  return { x, y, rows, ground: grounds, terrain, sight: sightRows };
}

/** `a` to `z`, then letters beyond ASCII, which are one character too. */
function terrainKey(index: number): string {
  return String.fromCodePoint(index < 26 ? 0x61 + index : 0x100 + index);
}
