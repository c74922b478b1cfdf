/**
 * Queries on the grid world: read-only functions of definition and state. `GridWorld` has the definition with
 * look-up tables built once; every rule and every perception function takes it first. Nothing here changes
 * state (`change.ts` does), and nothing knows who sees what (`sight.ts` does).
 */
import { assert, at, known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import type { Direction, Point } from '../../environment/space.js';
import { opposite, samePoint } from '../../environment/space.js';
import type {
  AgentDefinition,
  BodyDefinition,
  Door,
  GridDefinition,
  NpcDefinition,
  Rect,
  Room,
  TerrainKind,
  ThingDefinition,
} from './definition.js';
import type { BodyState, ChunkTree, DoorState, GridState, GridMindState, ThingState } from './state.js';
import { chunkGet, chunkSet, shardGet } from './chunks.js';
import { CLEAR, OPAQUE } from './fov.js';

/** Value of `GridWorld.light` for a tile with a door, whose state decides whether light passes. */
export const DOORWAY = 2;

/**
 * An opened map: everything that never changes during a run, with indexes for the rules. Tiles are numbered
 * row by row, `y * width + x`.
 */
export interface GridWorld {
  definition: GridDefinition;
  /**
   * Whether diagonal steps are allowed: a rule for movement by tiles, without effect for movement by rooms.
   */
  hasDiagonals: boolean;
  /** Row-major, index into `definition.terrain`. */
  terrain: Uint8Array;
  /** Row-major: `DOORWAY`, or whether the terrain blocks sight: `CLEAR` or `OPAQUE`. */
  light: Uint8Array;
  /**
   * Row-major, index into `definition.rooms` of the room that owns the tile, -1 for none; including doorways.
   */
  owners: Int16Array;
  /** The doors by `tileIndex`. */
  doorsByTile: ReadonlyMap<number, Door>;
  /** The doors by the chunk of their doorway. */
  doorsByChunk: ChunkTree<readonly Door[]>;
  /** Doors of a room by the room's id, in the definition's order. */
  doorsOfRoom: ReadonlyMap<string, readonly Door[]>;
  rooms: ReadonlyMap<string, Room>;
  /** In the order of their ids, in which they close. */
  doors: ReadonlyMap<string, Door>;
  things: ReadonlyMap<string, ThingDefinition>;
  /** Agents and NPCs. */
  bodies: ReadonlyMap<string, BodyDefinition>;
  agents: ReadonlyMap<string, AgentDefinition>;
  /** In the order of their ids, in which they act, regardless of the definition's order. */
  npcs: ReadonlyMap<string, NpcDefinition>;
  /**
   * The uses that triggers wait for: `thing` for a thing used by itself, `tool target` for one used on
   * another.
   */
  uses: ReadonlySet<string>;
}

export function openWorld(definition: GridDefinition): GridWorld {
  const doorsByTile = new Map(definition.doors.map((each) => [tileIndex(definition, each), each]));
  const { movement, diagonals } = definition.rules;
  const terrain = terrainTable(definition);
  return {
    definition,
    hasDiagonals: diagonals && movement === 'tile',
    terrain,
    light: lightTable(definition, terrain),
    owners: ownerTable(definition),
    doorsByTile,
    doorsByChunk: definition.doors.reduce<ChunkTree<readonly Door[]>>(
      (tree, door) => chunkSet(tree, door, [...(chunkGet(tree, door) ?? []), door]),
      {},
    ),
    doorsOfRoom: doorTable(definition),
    rooms: byId(definition.rooms),
    doors: sortedById(definition.doors),
    things: byId(definition.things),
    bodies: byId<BodyDefinition>([...definition.agents, ...definition.npcs]),
    agents: byId(definition.agents),
    npcs: sortedById(definition.npcs),
    uses: triggerUses(definition),
  };
}

function triggerUses({ triggers = [] }: GridDefinition): ReadonlySet<string> {
  const used = triggers.flatMap(({ when }) => (when?.kind === 'used' ? [when] : []));
  return new Set(used.map(({ thing, on }) => (on === null ? thing : `${thing} ${on}`)));
}

function byId<T extends { id: string }>(list: readonly T[]): ReadonlyMap<string, T> {
  return new Map(list.map((item) => [item.id, item]));
}

function sortedById<T extends { id: string }>(list: readonly T[]): ReadonlyMap<string, T> {
  return byId(list.toSorted((a, b) => compareText(a.id, b.id)));
}

function terrainTable({ size, rows, terrainKeys }: GridDefinition): Uint8Array {
  const keys = new Map(Array.from(terrainKeys).map((key, index) => [key, index]));
  const table = new Uint8Array(size.width * size.height);
  assert(rows.length === size.height, 'a map whose height differs from its size');
  for (const [y, row] of rows.entries()) {
    const tiles = Array.from(row);
    assert(tiles.length === size.width, `row ${y} of the map has the wrong width`);
    for (const [x, tile] of tiles.entries()) {
      table[y * size.width + x] = known(keys.get(tile), `terrain of "${tile}"`);
    }
  }
  return table;
}

function lightTable({ size, terrain, doors }: GridDefinition, tiles: Uint8Array): Uint8Array {
  const table = tiles.map((kind) => (at(terrain, kind).opaque ? OPAQUE : CLEAR));
  for (const { x, y } of doors) table[y * size.width + x] = DOORWAY;
  return table;
}

/**
 * The first room in the list that holds a tile owns it; a doorway in no room's area belongs to its first
 * room.
 */
function ownerTable({ size, rooms, doors }: GridDefinition): Int16Array {
  const table = new Int16Array(size.width * size.height).fill(-1);
  for (let index = rooms.length - 1; index >= 0; index--) {
    for (const area of at(rooms, index).areas) {
      for (let y = area.y; y < area.y + area.height; y++) {
        table.fill(index, y * size.width + area.x, y * size.width + area.x + area.width);
      }
    }
  }
  for (const door of doors) {
    const tile = door.y * size.width + door.x;
    if (table[tile] === -1) table[tile] = rooms.findIndex((room) => room.id === door.between[0]);
  }
  return table;
}

function doorTable({ rooms, doors }: GridDefinition): ReadonlyMap<string, readonly Door[]> {
  const table = new Map<string, Door[]>(rooms.map((room) => [room.id, []]));
  for (const door of doors) for (const room of door.between) table.get(room)?.push(door);
  return table;
}

/** Row-major index of a tile inside the map. */
export function tileIndex(definition: GridDefinition, { x, y }: Point): number {
  return y * definition.size.width + x;
}

/** Whether a tile is on the map. */
export function isInside(world: GridWorld, { x, y }: Point): boolean {
  const { width, height } = world.definition.size;
  return x >= 0 && y >= 0 && x < width && y < height;
}

/** The frame's size in tiles. */
export type Window = GridDefinition['window'];

/** The frame's tiles around a tile, not cut to the map; its top left corner may be negative. */
export function windowRect({ columns, rows }: Window, centre: Point): Rect {
  const [left, above] = [Math.floor(columns / 2), Math.floor(rows / 2)];
  return { x: centre.x - left, y: centre.y - above, width: columns, height: rows };
}

/** The part of a rectangle that is on the map; its sides may be 0. */
export function cutToMap({ size }: GridDefinition, rect: Rect): Rect {
  const [x, y] = [Math.max(0, rect.x), Math.max(0, rect.y)];
  const width = Math.max(0, Math.min(size.width, rect.x + rect.width) - x);
  const height = Math.max(0, Math.min(size.height, rect.y + rect.height) - y);
  return { x, y, width, height };
}

/** Whether the body can reach the tile: its own tile or one of the eight around it, or more with more `tiles`. */
export function isWithinReach(from: Point, to: Point, tiles = 1): boolean {
  return Math.abs(from.x - to.x) <= tiles && Math.abs(from.y - to.y) <= tiles;
}

/** Null outside the map. */
export function terrainAt(world: GridWorld, x: number, y: number): TerrainKind | null {
  const { size, terrain } = world.definition;
  if (x < 0 || y < 0 || x >= size.width || y >= size.height) return null;
  return terrain[world.terrain[y * size.width + x] ?? 0] ?? null;
}

/** The room that owns a tile; null if none does. A doorway belongs to one room only. */
export function roomAt(world: GridWorld, x: number, y: number): Room | null {
  const { rooms, size } = world.definition;
  if (x < 0 || y < 0 || x >= size.width || y >= size.height) return null;
  const owner = world.owners[y * size.width + x] ?? -1;
  return owner < 0 ? null : (rooms[owner] ?? null);
}

/** Ids of the rooms that a tile is heard in: its own, and in a doorway both that the door joins. */
export function roomsAt(world: GridWorld, x: number, y: number): readonly string[] {
  const owner = roomAt(world, x, y);
  const door = doorAt(world, { x, y });
  const rooms = [...(owner ? [owner.id] : []), ...(door ? door.between : [])];
  return [...new Set(rooms)];
}

/** The door whose doorway is this tile, in any state. */
export function doorAt(world: GridWorld, point: Point): Door | null {
  return isInside(world, point) ? (world.doorsByTile.get(tileIndex(world.definition, point)) ?? null) : null;
}

/** The direction in which a door leaves a room; null if it isn't one of the room's. */
export function exitDirection(door: Door, room: string): Direction | null {
  if (door.between[0] === room) return door.direction;
  return door.between[1] === room ? opposite(door.direction) : null;
}

/** The room on the other side of a door. */
export function roomBeyond(door: Door, room: string): string {
  return door.between[0] === room ? door.between[1] : door.between[0];
}

/**
 * Undefined if there is no such thing now: it never existed, was consumed, joined another stack or was
 * removed.
 */
export function thingOf(state: GridState, id: string): ThingState | undefined {
  return shardGet(state.things, id);
}

/** A door as it is now; undefined if there is none with that id. */
export function doorOf(state: GridState, id: string): DoorState | undefined {
  return shardGet(state.doors, id);
}

/** An agent or a creature; undefined if there is none with that id. */
export function bodyOf(state: GridState, id: string): BodyState | undefined {
  return lookUp(state.bodies, id);
}

/** How a body is: as seen by others, and as its agent is told. */
export function statusOf({
  status,
  resting,
  incapacitated,
}: BodyState): BodyState['status'] | NonNullable<BodyState['resting']> | 'incapacitated' {
  return status === 'awake' && incapacitated === true ? 'incapacitated' : (resting ?? status);
}

/** The body's own tile. */
export function positionOf(state: GridState, id: string): Point {
  const { x, y } = known(bodyOf(state, id), `body ${id}`);
  return { x, y };
}

/**
 * Whether a body may move in the agents' part of a turn: NPCs move after it, and an agent that is done, caught
 * or incapacitated does not move.
 */
export function mayStepAside(world: GridWorld, state: GridState, id: string): boolean {
  const body = bodyOf(state, id);
  return world.agents.has(id) && body?.status === 'awake' && body.incapacitated !== true;
}

/** The mind of an agent; an assertion for anyone else. */
export function mindOf(state: GridState, agent: string): GridMindState {
  return known(lookUp(state.minds, agent), `mind of ${agent}`);
}

export function thingDefinition(world: GridWorld, item: ThingState): ThingDefinition {
  return known(world.things.get(item.definition), `definition of ${item.id}`);
}

/** The current appearance of a thing, which depends on its lid and on whether its work is done. */
export interface Appearance {
  name: string;
  sprite: string;
  blocking: boolean;
  opaque: boolean;
}

export function appearanceOf(world: GridWorld, item: ThingState): Appearance {
  const { name, sprite, blocking, opaque, container, work } = thingDefinition(world, item);
  if (item.work === 0 && work?.effect.kind === 'become') {
    const result = work.effect;
    return {
      name: result.name,
      sprite: result.sprite,
      blocking: result.blocking,
      opaque: opaque && result.blocking,
    };
  }
  const lidSprite = container && item.lid ? container.sprites[item.lid] : sprite;
  return { name, sprite: lidSprite, blocking, opaque };
}

/** Things on a tile (not inside others, not held), by id. */
export function thingsOn(state: GridState, point: Point): readonly ThingState[] {
  const found: ThingState[] = [];
  for (const id of chunkGet(state.ground, point) ?? []) {
    const item = known(thingOf(state, id), 'a thing of the ground index');
    if (item.place.at === 'tile' && samePoint(item.place, point)) found.push(item);
  }
  return found;
}

/** The tile of a thing, also inside hands and containers; null if there is no such thing. */
export function whereIs(state: GridState, id: string): Point | null {
  const item = thingOf(state, id);
  if (item === undefined) return null;
  if (item.place.at === 'tile') return { x: item.place.x, y: item.place.y };
  if (item.place.at === 'inside') return whereIs(state, item.place.container);
  const holder = known(bodyOf(state, item.place.by), `holder of ${id}`);
  return { x: holder.x, y: holder.y };
}

/** Bodies on a tile, by id; more than one only if bodies don't block. */
export function bodiesAt(state: GridState, point: Point): readonly BodyState[] {
  const found = Object.values(state.bodies).filter((each) => samePoint(each, point));
  return found.length < 2 ? found : found.toSorted((a, b) => compareText(a.id, b.id));
}

/** The body on a tile; the one with the lowest id if there are several. */
export function bodyAt(state: GridState, point: Point): BodyState | null {
  return bodiesAt(state, point)[0] ?? null;
}

function hasClosedDoor(world: GridWorld, state: GridState, point: Point): boolean {
  const door = doorAt(world, point);
  return door !== null && doorOf(state, door.id)?.state !== 'open';
}

/** Whether terrain, doors and blocking things leave the tile free; ignores bodies. */
export function isWalkable(world: GridWorld, state: GridState, point: Point): boolean {
  if (terrainAt(world, point.x, point.y)?.walkable !== true || hasClosedDoor(world, state, point))
    return false;
  return !thingsOn(state, point).some((item) => appearanceOf(world, item).blocking);
}

/** Whether a tile blocks sight: opaque terrain, a closed door, an opaque thing, or the edge of the map. */
export function isOpaque(world: GridWorld, state: GridState, point: Point): boolean {
  if (terrainAt(world, point.x, point.y)?.opaque !== false || hasClosedDoor(world, state, point)) return true;
  return thingsOn(state, point).some((item) => appearanceOf(world, item).opaque);
}

/** Whether a doorway is empty, so that its door can close. */
export function isDoorwayFree(state: GridState, tile: Point): boolean {
  return bodyAt(state, tile) === null && thingsOn(state, tile).length === 0;
}

/** Whether the scenario lets an agent use an action at all; WAIT always. */
export function isAllowed(world: GridWorld, agent: string, action: string): boolean {
  const allowed = world.agents.get(agent)?.actions ?? null;
  return allowed === null || action === 'WAIT' || allowed.includes(action);
}

/** Whether no text may tell what only the picture is to show. */
export function isPlain({ definition }: GridWorld): boolean {
  return definition.rules.refusals === 'plain';
}
