/**
 * Breadth-first search over tiles that the caller declares free: the shortest path to a goal, and everything
 * that can be reached. It works on tables that the next search in the same world reuses. It does not know who
 * walks or why a tile is not free.
 */
import { assert, at } from '../../base/assert.js';
import type { Point } from '../../environment/space.js';
import { DIRECTIONS, isDiagonal, stepOf } from '../../environment/space.js';
import type { GridWorld } from './world.js';
import { isInside } from './world.js';

/**
 * A property of a tile. It takes x and y as numbers, because allocating a point for each of many tiles would
 * cost more than the test.
 */
export type TileTest = (x: number, y: number) => boolean;

const STEPS = DIRECTIONS.toSorted((a, b) => Number(isDiagonal(a)) - Number(isDiagonal(b))).map(stepOf);

const STRAIGHT_STEPS = STEPS.filter(({ x, y }) => x === 0 || y === 0);

/**
 * What a search knows about each tile. The next search of the same kind in the same world reuses the arrays.
 */
interface WalkTables {
  /** The number of the last search that visited the tile. */
  readonly searches: Uint32Array;
  /** The tile from which this one was reached, or NOWHERE (the start), or BLOCKED. */
  readonly previous: Int32Array;
  newest: number;
}

const [NOWHERE, BLOCKED] = [-1, -2];
const [pathTables, reachTables] = [
  new WeakMap<GridWorld, WalkTables>(),
  new WeakMap<GridWorld, WalkTables>(),
];

function tablesOf(world: GridWorld, tablesByWorld: WeakMap<GridWorld, WalkTables>): WalkTables {
  const cached = tablesByWorld.get(world);
  if (cached !== undefined) return cached;
  const tiles = world.terrain.length;
  const tables = { searches: new Uint32Array(tiles), previous: new Int32Array(tiles), newest: 0 };
  tablesByWorld.set(world, tables);
  return tables;
}

/** Where a walker may go; called at most once per tile. */
export interface Walkable {
  /** Whether a tile may be stepped on. */
  readonly isFree: TileTest;
  /** Whether a tile may be adjacent to a diagonal step. */
  readonly isOpen: TileTest;
}

/**
 * The shortest path from a tile to the nearest goal over free tiles, both ends included; null if there is
 * none. Cardinal directions are tried first, so that the path depends on the arguments alone. The start need
 * not be free.
 */
export function pathToGoal(
  world: GridWorld,
  from: Point,
  search: Walkable & { readonly isGoal: TileTest },
): readonly Point[] | null {
  const table = tablesOf(world, pathTables);
  const goal = breadthFirst(world, from, search, table);
  return goal === null ? null : walkBack(table, goal, world.definition.size.width);
}

/** The tiles that can be reached over free tiles, including the start. */
export interface WalkedTiles {
  /** Whether a tile is one of them. Asserts that no other search of this world was made since. */
  readonly has: TileTest;
  /** Their row-major indices, nearest first. */
  readonly tiles: readonly number[];
  /** False if `isEnough` ended the search early. */
  readonly isWhole: boolean;
}

/**
 * Everything that can be walked to, until `isEnough` ends the search; it is called once per tile, nearest
 * first.
 */
export function walkFrom(
  world: GridWorld,
  from: Point,
  { isFree, isOpen, isEnough }: Walkable & { readonly isEnough: TileTest },
): WalkedTiles {
  const { width, height } = world.definition.size;
  const table = tablesOf(world, reachTables);
  const tiles: number[] = [];
  const isWhole = breadthFirst(world, from, { isFree, isOpen, isGoal: isEnough }, table, tiles) === null;
  const search = table.newest;
  return {
    has: (x, y) => {
      assert(table.newest === search, 'a search must be read before the next one begins');
      if (x < 0 || y < 0 || x >= width || y >= height) return false;
      const tile = y * width + x;
      return table.searches[tile] === search && table.previous[tile] !== BLOCKED;
    },
    tiles,
    isWhole,
  };
}

/** The index of the first goal that is found; null for none. Adds the reached tiles to `queue`. */
function breadthFirst(
  world: GridWorld,
  from: Point,
  { isFree, isOpen, isGoal }: Walkable & { readonly isGoal: TileTest },
  table: WalkTables,
  queue: number[] = [],
): number | null {
  const { width, height } = world.definition.size;
  const steps = world.hasDiagonals ? STEPS : STRAIGHT_STEPS;
  const { searches } = table;
  const newest = ++table.newest;
  const start = from.y * width + from.x;
  record(table, start, NOWHERE);
  queue.push(start);
  for (let next = 0; next < queue.length; next++) {
    const tile = queue[next] ?? start;
    const x = tile % width;
    const y = (tile - x) / width;
    if (isGoal(x, y)) return tile;
    for (const step of steps) {
      const toX = x + step.x;
      const toY = y + step.y;
      const index = toY * width + toX;
      if (toX < 0 || toY < 0 || toX >= width || toY >= height) continue;
      if (searches[index] === newest) continue;
      if (!isFree(toX, toY)) record(table, index, BLOCKED);
      else if (toX === x || toY === y || (isOpen(x, toY) && isOpen(toX, y))) {
        record(table, index, tile);
        queue.push(index);
      }
    }
  }
  return null;
}

function record(table: WalkTables, index: number, previous: number): void {
  table.searches[index] = table.newest;
  table.previous[index] = previous;
}

function walkBack({ previous }: WalkTables, goal: number, width: number): readonly Point[] {
  const path: Point[] = [];
  let index = goal;
  while (index !== NOWHERE) {
    path.push({ x: index % width, y: Math.floor(index / width) });
    index = at(previous, index);
  }
  return path.toReversed();
}

/**
 * The tiles one step away, straight ones first; diagonal ones only if the rules allow them and both corners
 * are open.
 */
export function openSteps(
  world: GridWorld,
  from: Point,
  test: { readonly isFree: TileTest; readonly isOpen: TileTest },
): readonly Point[] {
  const steps = world.hasDiagonals ? STEPS : STRAIGHT_STEPS;
  return steps
    .map(({ x, y }) => ({ x: from.x + x, y: from.y + y }))
    .filter(
      (tile) =>
        isInside(world, tile) && test.isFree(tile.x, tile.y) && hasOpenCorners(from, tile, test.isOpen),
    );
}

/** Whether the two tiles beside a diagonal step allow it; true for every straight step. */
export function hasOpenCorners(from: Point, to: Point, isOpen: TileTest): boolean {
  return from.x === to.x || from.y === to.y || (isOpen(from.x, to.y) && isOpen(to.x, from.y));
}
