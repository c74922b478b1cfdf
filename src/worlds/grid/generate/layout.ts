/**
 * The shape of a generated map: a room in each cell, a tree of links that reaches all of them, some of it
 * locked, and a few additional links that don't bypass a lock. A link is a door in one room's wall, a
 * corridor, and a gate in the other's.
 */
import { at, known } from '../../../base/assert.js';
import type { Point } from '../../../environment/space.js';
import type { Rect } from '../definition.js';
import type { Dice } from './dice.js';
import type { CellGrid, MapRequest } from './request.js';
import { band } from './request.js';

export interface PlannedRoom extends Rect {
  column: number;
  row: number;
}

/** Two rooms with adjacent cells: indices, the western or northern one first. */
interface RoomPair {
  a: number;
  b: number;
}

export interface RoomLink extends RoomPair {
  isLocked: boolean;
  /** In the wall of `a`. */
  door: Point;
  /** In the wall of `b`. */
  gate: Point;
  /** Overlapping where the corridor turns. */
  corridor: readonly Rect[];
}

export interface RoomLayout {
  rooms: readonly PlannedRoom[];
  links: readonly RoomLink[];
}

export function layOut(request: MapRequest, grid: CellGrid, dice: Dice): RoomLayout {
  const rooms = planRooms(request, grid, dice);
  const pairs = pairsOf(rooms);
  const tree = spanningTree(rooms.length, pairs, dice);
  const locked = new Set(dice.shuffled(tree).slice(0, request.locked));
  const regions = regionsOf(
    rooms.length,
    tree.filter((pair) => !locked.has(pair)),
  );
  const isLoop = (pair: RoomPair): boolean =>
    !tree.includes(pair) && at(regions, pair.a) === at(regions, pair.b);
  const loops = dice.shuffled(pairs.filter(isLoop)).slice(0, request.loops);
  const links = [...tree, ...loops].map((pair) => ({
    ...pair,
    isLocked: locked.has(pair),
    ...link(request, grid, { a: at(rooms, pair.a), b: at(rooms, pair.b) }, dice),
  }));
  return { rooms, links };
}

/**
 * All rows of cells are full except the last, in which some are left out; each of its cells has one above it.
 */
function planRooms(request: MapRequest, grid: CellGrid, dice: Dice): readonly PlannedRoom[] {
  const roomsInFullRows = (grid.rows - 1) * grid.columns;
  const shuffledColumns = dice.shuffled(Array.from({ length: grid.columns }, (_cell, column) => column));
  const lastRowColumns = new Set(shuffledColumns.slice(0, request.rooms - roomsInFullRows));
  const cells = Array.from({ length: grid.rows * grid.columns }, (_cell, index) => ({
    column: index % grid.columns,
    row: Math.floor(index / grid.columns),
  }));
  return cells
    .filter(({ column, row }) => row < grid.rows - 1 || lastRowColumns.has(column))
    .map(({ column, row }) => {
      const [x, width] = span(request, band(request.width, grid.columns, column), dice);
      const [y, height] = span(request, band(request.height, grid.rows, row), dice);
      return { column, row, x, y, width, height };
    });
}

/** Start and length of a room's side within a band, walls left and right of it. */
function span(
  { sideMin, sideMax }: MapRequest,
  { from, to }: { from: number; to: number },
  dice: Dice,
): readonly [number, number] {
  const maxLength = Math.min(sideMax, to - from - 2);
  const length = dice.between(Math.min(sideMin, maxLength), maxLength);
  return [dice.between(from + 1, to - 1 - length), length];
}

function pairsOf(rooms: readonly PlannedRoom[]): readonly RoomPair[] {
  const byCell = new Map(rooms.map(({ column, row }, index) => [`${column} ${row}`, index]));
  return rooms.flatMap(({ column, row }, a) =>
    [byCell.get(`${column + 1} ${row}`), byCell.get(`${column} ${row + 1}`)].flatMap((b) =>
      b === undefined ? [] : [{ a, b }],
    ),
  );
}

/** A random spanning tree: starts at a random room and repeatedly adds a random link to a new room. */
function spanningTree(count: number, pairs: readonly RoomPair[], dice: Dice): readonly RoomPair[] {
  const pairsOfRoom = new Map<number, RoomPair[]>(
    Array.from({ length: count }, (_room, index) => [index, []]),
  );
  for (const pair of pairs) for (const end of [pair.a, pair.b]) pairsOfRoom.get(end)?.push(pair);
  const reached = new Set([dice.below(count)]);
  const openPairs = [...reached].flatMap((room) => pairsOfRoom.get(room) ?? []);
  const tree: RoomPair[] = [];
  while (openPairs.length > 0) {
    const index = dice.below(openPairs.length);
    const pair = at(openPairs, index);
    openPairs[index] = at(openPairs, openPairs.length - 1);
    openPairs.pop();
    const next = [pair.a, pair.b].find((end) => !reached.has(end));
    if (next === undefined) continue;
    reached.add(next);
    tree.push(pair);
    openPairs.push(...(pairsOfRoom.get(next) ?? []));
  }
  return tree;
}

/**
 * The number of the connected region that each room belongs to, if only these links are open (union-find).
 */
export function regionsOf(count: number, pairs: readonly RoomPair[]): readonly number[] {
  const parent = Array.from({ length: count }, (_room, index) => index);
  const root = (room: number): number => {
    let here = room;
    while (at(parent, here) !== here) here = at(parent, here);
    return here;
  };
  for (const { a, b } of pairs) {
    const [first, second] = [root(a), root(b)];
    parent[Math.max(first, second)] = Math.min(first, second);
  }
  return parent.map((_parent, room) => root(room));
}

/** Straight out of the first room, along the tiles between the cells, straight into the second. */
function link(
  request: MapRequest,
  grid: CellGrid,
  { a, b }: { a: PlannedRoom; b: PlannedRoom },
  dice: Dice,
): Pick<RoomLink, 'door' | 'gate' | 'corridor'> {
  if (a.row === b.row) {
    const middle = band(request.width, grid.columns, b.column).from - 1;
    const [from, to] = [positionOnWall(a.y, a.height, dice), positionOnWall(b.y, b.height, dice)];
    const corridor = [
      rectBetween(a.x + a.width + 1, from, middle, from),
      rectBetween(middle, from, middle, to),
      rectBetween(middle, to, b.x - 2, to),
    ];
    return { door: { x: a.x + a.width, y: from }, gate: { x: b.x - 1, y: to }, corridor };
  }
  const middle = band(request.height, grid.rows, b.row).from - 1;
  const [from, to] = [positionOnWall(a.x, a.width, dice), positionOnWall(b.x, b.width, dice)];
  const corridor = [
    rectBetween(from, a.y + a.height + 1, from, middle),
    rectBetween(from, middle, to, middle),
    rectBetween(to, middle, to, b.y - 2),
  ];
  return { door: { x: from, y: a.y + a.height }, gate: { x: to, y: b.y - 1 }, corridor };
}

function positionOnWall(start: number, length: number, dice: Dice): number {
  return dice.between(start + 1, start + length - 2);
}

/** The rectangle between two corners, given in any order. */
function rectBetween(x1: number, y1: number, x2: number, y2: number): Rect {
  const [x, y] = [Math.min(x1, x2), Math.min(y1, y2)];
  return { x, y, width: Math.abs(x1 - x2) + 1, height: Math.abs(y1 - y2) + 1 };
}

/** The number of links from one room to each other; every room can be reached. */
export function depths({ rooms, links }: RoomLayout, start: number): readonly number[] {
  const steps = new Map([[start, 0]]);
  const queue = [start];
  const neighbours = new Map<number, number[]>(rooms.map((_room, index) => [index, []]));
  for (const { a, b } of links) {
    neighbours.get(a)?.push(b);
    neighbours.get(b)?.push(a);
  }
  for (const room of queue) {
    for (const next of neighbours.get(room) ?? []) {
      if (steps.has(next)) continue;
      steps.set(next, known(steps.get(room), 'steps') + 1);
      queue.push(next);
    }
  }
  return rooms.map((_room, index) => known(steps.get(index), 'a reachable room'));
}
