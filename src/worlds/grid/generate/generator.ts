/**
 * The map generator: makes rooms, corridors, doors, keys and positions from a request with a seed. It uses
 * only integers and the project's own random streams, so a seed gives the same map on every machine. Every
 * room can be reached, and every key before its lock.
 */
import { at, known } from '../../../base/assert.js';
import { lookUp } from '../../../base/look-up.js';
import type { Point } from '../../../environment/space.js';
import type { Rect } from '../definition.js';
import type { Dice } from './dice.js';
import { openDice } from './dice.js';
import type { RoomLayout, RoomLink } from './layout.js';
import { layOut, depths, regionsOf } from './layout.js';
import type { MapRequest } from './request.js';
import { cellGridFor } from './request.js';
import { DECOR, DOOR_NAMES, KEY_NAMES, LOCK_NAMES, LOCKED_DOOR_NAMES, nameAt, ROOM_NAMES } from './words.js';

export interface GeneratedRoom {
  id: string;
  name: string;
  areas: readonly Rect[];
}

export interface GeneratedDoor extends Point {
  id: string;
  name: string;
  kind: 'wood' | 'iron' | 'gate';
  state: 'open' | 'closed' | 'locked';
  key: string | null;
}

export interface GeneratedThing extends Point {
  id: string;
  kind: 'key' | 'furniture';
  name: string;
  sprite: string;
}

export interface GeneratedMap {
  /** `#` wall, `.` and `_` floor. */
  rows: readonly string[];
  /** `room-1` is where agents start, the last one is the deepest; corridors are `passage-1` and so on. */
  rooms: readonly GeneratedRoom[];
  doors: readonly GeneratedDoor[];
  things: readonly GeneratedThing[];
  /** By the requested ids. */
  places: Readonly<Record<string, Point>>;
  /** Ids for which there was no tile. */
  unplaced: readonly string[];
}

/** Null if this many rooms, or locked doors, don't fit. */
export function generateMap(request: MapRequest): GeneratedMap | null {
  const grid = cellGridFor(request);
  if (grid === null || request.locked >= request.rooms) return null;
  const layout = layOut(request, grid, openDice(request.seed, 'map:layout'));
  const openingOrder = planOpening(layout, openDice(request.seed, 'map:course'));
  const dice = openDice(request.seed, 'map:places');
  const floor = openFloor(layout.rooms, dice, request.taken);
  // First, while every room has a tile that even an obstacle may be on.
  const bound = placeBound(request, { course: openingOrder, floor, dice });
  const things = [...keysOf(openingOrder, floor), ...decorOf(request, { course: openingOrder, floor, dice })];
  return {
    rows: rowsOf(request, layout, openDice(request.seed, 'map:ground')),
    rooms: namedRooms(layout, openingOrder, openDice(request.seed, 'map:names')),
    doors: doorsOf(layout, openingOrder),
    things,
    ...placesOf(request, bound, { course: openingOrder, floor, dice }),
  };
}

function rowsOf({ width, height }: MapRequest, { rooms, links }: RoomLayout, dice: Dice): readonly string[] {
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => '#'));
  const paint = (area: Rect, ground: string): void => {
    for (let y = area.y; y < area.y + area.height; y++) rows[y]?.fill(ground, area.x, area.x + area.width);
  };
  for (const room of rooms) paint(room, dice.below(3) === 0 ? '_' : '.');
  for (const { corridor, door, gate } of links) {
    for (const area of corridor) paint(area, '.');
    for (const tile of [door, gate]) paint({ ...tile, width: 1, height: 1 }, '.');
  }
  return rows.map((row) => row.join(''));
}

function namedRooms(
  { rooms, links }: RoomLayout,
  { order }: RoomCourse,
  dice: Dice,
): readonly GeneratedRoom[] {
  const names = dice.shuffled(ROOM_NAMES);
  const mainRooms = order.map((room, index) => {
    const { x, y, width, height } = at(rooms, room);
    return { id: roomId(index), name: nameAt(names, index), areas: [{ x, y, width, height }] };
  });
  return [
    ...mainRooms,
    ...links.map(({ corridor }, index) => ({
      id: `passage-${index + 1}`,
      name: `passage ${index + 1}`,
      areas: corridor,
    })),
  ];
}

export function roomId(index: number): string {
  return `room-${index + 1}`;
}

/** Locks are numbered in the order in which they open. */
function doorsOf({ links }: RoomLayout, { keys }: RoomCourse): readonly GeneratedDoor[] {
  return links.flatMap((link, index): readonly GeneratedDoor[] => {
    const number = index + 1;
    const lock = keys.findIndex((key) => key.link === link);
    const id = `door-${number}`;
    const { door, gate } = link;
    return [
      lock < 0
        ? { id, name: nameAt(DOOR_NAMES, index), ...door, kind: 'wood', state: 'closed', key: null }
        : {
            id,
            name: nameAt(LOCKED_DOOR_NAMES, lock),
            ...door,
            kind: 'iron',
            state: 'locked',
            key: `key-${lock + 1}`,
          },
      { id: `gate-${number}`, name: `gate ${number}`, ...gate, kind: 'gate', state: 'open', key: null },
    ];
  });
}

function keysOf({ keys }: RoomCourse, floor: FreeFloor): readonly GeneratedThing[] {
  return keys.flatMap(({ rooms }, lock): readonly GeneratedThing[] => {
    const tile = floor.take(rooms);
    const name = nameAt(KEY_NAMES, lock);
    const sprite = `item/key-${at(LOCK_NAMES, lock % LOCK_NAMES.length)}`;
    return tile === null ? [] : [{ id: `key-${lock + 1}`, kind: 'key', name, sprite, ...tile }];
  });
}

interface RoomFurnishing {
  course: RoomCourse;
  floor: FreeFloor;
  dice: Dice;
}

function decorOf({ decor }: MapRequest, { course, floor, dice }: RoomFurnishing): readonly GeneratedThing[] {
  return Array.from({ length: decor }, (_piece, index) => index).flatMap(
    (index): readonly GeneratedThing[] => {
      const { name, sprite } = dice.pick(DECOR);
      const tile = floor.take([dice.pick(course.order)], { isBlocking: true });
      return tile === null ? [] : [{ id: `decor-${index + 1}`, kind: 'furniture', name, sprite, ...tile }];
    },
  );
}

/** Tiles for all that the request binds to certain rooms; null where none is left. */
function placeBound(
  request: MapRequest,
  { course: { order }, floor, dice }: RoomFurnishing,
): ReadonlyMap<string, Point | null> {
  const { apart, near, far, deepest } = request;
  const third = Math.ceil(order.length / 3);
  const roomsFor = (id: string): readonly number[] => {
    const own = order.filter((_room, index) => lookUp(request.in, roomId(index))?.includes(id));
    if (own.length > 0) return own;
    if (deepest.includes(id)) return order.slice(-1);
    return dice.shuffled(
      near.includes(id) ? order.slice(0, third) : far.includes(id) ? order.slice(-third) : order,
    );
  };
  const choices = apart.map(
    (id, index) => [id, roomsFor(id).filter((room) => index > 0 || room !== order[0])] as const,
  );
  const ownRooms = distinctRooms(new Map(choices));
  const boundIds = new Set([...apart, ...near, ...far, ...Object.values(request.in).flat()]);
  const bound = [...request.things, ...request.npcs.map((id) => ({ id, blocking: false }))]
    .filter(({ id }) => boundIds.has(id))
    .toSorted(
      (a, b) =>
        Number(apart.includes(b.id)) - Number(apart.includes(a.id)) ||
        Number(b.blocking) - Number(a.blocking),
    );
  return new Map(
    bound.map(({ id, blocking }) => {
      const rooms = apart.includes(id) ? order.filter((room) => ownRooms.get(room) === id) : roomsFor(id);
      return [id, floor.take(rooms, { isBlocking: blocking })];
    }),
  );
}

/**
 * The id that gets each room, so that as many as possible get one of their choices: a matching, found by
 * augmenting paths.
 */
function distinctRooms(choices: ReadonlyMap<string, readonly number[]>): ReadonlyMap<number, string> {
  const idByRoom = new Map<number, string>();
  const settle = (id: string, tried: Set<number>): boolean =>
    known(choices.get(id), id).some((room) => {
      if (tried.has(room)) return false;
      tried.add(room);
      const other = idByRoom.get(room);
      if (other !== undefined && !settle(other, tried)) return false;
      idByRoom.set(room, id);
      return true;
    });
  for (const id of choices.keys()) settle(id, new Set());
  return idByRoom;
}

function placesOf(
  { agents, npcs, things, deepest }: MapRequest,
  bound: ReadonlyMap<string, Point | null>,
  { course: { order }, floor, dice }: RoomFurnishing,
): Pick<GeneratedMap, 'places' | 'unplaced'> {
  const tileById = new Map(bound);
  const deepestFirst = order.toReversed();
  const anywhere = (): readonly number[] => dice.shuffled(order);
  const awayFromStart = (): readonly number[] => [...dice.shuffled(order.slice(1)), ...order.slice(0, 1)];
  const byWeight = things.toSorted((a, b) => Number(b.blocking) - Number(a.blocking));
  for (const { id, blocking } of byWeight) {
    if (bound.has(id)) continue;
    const rooms = deepest.includes(id) ? deepestFirst : anywhere();
    tileById.set(id, floor.take(rooms, { isBlocking: blocking }));
  }
  for (const id of agents) tileById.set(id, floor.take(order));
  for (const id of npcs) {
    if (bound.has(id)) continue;
    tileById.set(id, floor.take(deepest.includes(id) ? deepestFirst : awayFromStart()));
  }
  const placed = [...tileById].flatMap(([id, tile]) => (tile === null ? [] : [[id, tile] as const]));
  const unplaced = [...tileById].flatMap(([id, tile]) => (tile === null ? [id] : []));
  return { places: Object.fromEntries(placed), unplaced };
}

/**
 * The order in which the rooms of a generated map become accessible: from the first room, one lock after
 * another. Each key is in a room that is accessible before its door. Rooms are numbered in this order, so the
 * last one is behind the most locks.
 */
interface RoomCourse {
  /** Indices of the layout's rooms, the first room first. */
  order: readonly number[];
  /**
   * The locked links in the order in which they open, each with the rooms for its key: first the one drawn,
   * then all that are open.
   */
  keys: readonly { link: RoomLink; rooms: readonly number[] }[];
}

function planOpening(layout: RoomLayout, dice: Dice): RoomCourse {
  const start = dice.below(layout.rooms.length);
  const regions = regionsOf(
    layout.rooms.length,
    layout.links.filter(({ isLocked }) => !isLocked),
  );
  const roomsIn = (region: number): readonly number[] =>
    layout.rooms.flatMap((_room, index) => (at(regions, index) === region ? [index] : []));
  const openRegions = [at(regions, start)];
  const keys: { link: RoomLink; rooms: readonly number[] }[] = [];
  let lockedLinks = layout.links.filter(({ isLocked }) => isLocked);
  while (lockedLinks.length > 0) {
    const isOpen = (room: number): boolean => openRegions.includes(at(regions, room));
    const link = dice.pick(lockedLinks.filter(({ a, b }) => isOpen(a) || isOpen(b)));
    const rooms = openRegions.flatMap(roomsIn);
    const withoutStart = rooms.filter((room) => room !== start);
    keys.push({ link, rooms: [dice.pick(withoutStart.length > 0 ? withoutStart : rooms), ...rooms] });
    openRegions.push(at(regions, isOpen(link.a) ? link.b : link.a));
    lockedLinks = lockedLinks.filter((other) => other !== link);
  }
  const steps = depths(layout, start);
  const openingRank = (room: number): number => openRegions.indexOf(at(regions, room));
  const order = layout.rooms
    .map((_room, index) => index)
    .toSorted((a, b) => openingRank(a) - openingRank(b) || at(steps, a) - at(steps, b) || a - b);
  return { order, keys };
}

/**
 * Hands out positions in a generated map: each thing and body gets its own tile. An obstacle is placed only
 * if all eight tiles around it are floor of the room and contain no other obstacle, so that it cuts nothing
 * off.
 */
interface FreeFloor {
  /** A free tile in one of the rooms, tried in this order; null if none is left. */
  take(rooms: readonly number[], options?: { isBlocking: boolean }): Point | null;
}

/** `rooms` are those of the layout; the object remembers which tiles are taken, at first those of `taken`. */
function openFloor(rooms: readonly Rect[], dice: Dice, taken: MapRequest['taken']): FreeFloor {
  const blockingByTile = new Map(taken.map((tile) => [keyOf(tile), tile.blocking]));
  const isFree = (point: Point): boolean => !blockingByTile.has(keyOf(point));
  const blocks = (point: Point): boolean => blockingByTile.get(keyOf(point)) === true;
  const isClear = (room: Rect, tile: Point): boolean =>
    surroundingTiles(tile).every((each) => isIn(room, each) && !blocks(each));
  return {
    take: (list, { isBlocking } = { isBlocking: false }) => {
      for (const index of list) {
        const room = at(rooms, index);
        const tile = tilesOf(room, dice).find((each) => isFree(each) && (!isBlocking || isClear(room, each)));
        if (tile === undefined) continue;
        blockingByTile.set(keyOf(tile), isBlocking);
        return tile;
      }
      return null;
    },
  };
}

function keyOf({ x, y }: Point): string {
  return `${x} ${y}`;
}

/** All tiles of a room, in order, beginning with a random one. */
function tilesOf({ x, y, width, height }: Rect, dice: Dice): readonly Point[] {
  const count = width * height;
  const first = dice.below(count);
  return Array.from({ length: count }, (_tile, index) => {
    const tile = (first + index) % count;
    return { x: x + (tile % width), y: y + Math.floor(tile / width) };
  });
}

function surroundingTiles({ x, y }: Point): readonly Point[] {
  return [-1, 0, 1].flatMap((dy) =>
    [-1, 0, 1].flatMap((dx) => (dx === 0 && dy === 0 ? [] : [{ x: x + dx, y: y + dy }])),
  );
}

function isIn(room: Rect, { x, y }: Point): boolean {
  return x >= room.x && y >= room.y && x < room.x + room.width && y < room.y + room.height;
}
