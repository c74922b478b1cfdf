/**
 * Walks over tiles that the caller declares free: the shortest way to a goal, and everything that can be
 * reached. Breadth first, on tables that the next search in the same world reuses. It does not know who walks
 * or why a tile is not free.
 */
import { assert, at } from '../../base/assert.js';
import type { Point } from '../../environment/space.js';
import { DIRECTIONS, isDiagonal, stepOf } from '../../environment/space.js';
import type { GridWorld } from './world.js';
import { isInside } from './world.js';

/**
 * A property of a tile, read for many tiles: by its numbers, because a record for each would cost more than
 * the answer.
 */
export type TileTest = (x: number, y: number) => boolean;

const STEPS = DIRECTIONS.toSorted((a, b) => Number(isDiagonal(a)) - Number(isDiagonal(b))).map(stepOf);

const STRAIGHT_STEPS = STEPS.filter(({ x, y }) => x === 0 || y === 0);

/**
 * What a search knows about each tile; the memory is reused by the next search of its kind in the same world.
 */
interface WalkTables {
  /** The last search that came to know anything. */
  readonly searches: Uint32Array;
  /** The tile from which this one was reached, or one of the below. */
  readonly before: Int32Array;
  newest: number;
}

const [NOWHERE, BARRED] = [-1, -2];
const [wayTables, reachTables] = [new WeakMap<GridWorld, WalkTables>(), new WeakMap<GridWorld, WalkTables>()];

function tablesOf(world: GridWorld, kept: WeakMap<GridWorld, WalkTables>): WalkTables {
  const before = kept.get(world);
  if (before !== undefined) return before;
  const tiles = world.terrain.length;
  const made = { searches: new Uint32Array(tiles), before: new Int32Array(tiles), newest: 0 };
  kept.set(world, made);
  return made;
}

/** Where a walker may go; called at most once per tile. */
export interface Walkable {
  /** Whether a tile may be stepped on. */
  readonly isFree: TileTest;
  /** Whether a tile may be adjacent to a diagonal step. */
  readonly isOpen: TileTest;
}

/**
 * The shortest way from a tile to the nearest goal over free tiles, both ends included; null if there is
 * none. Breadth first, cardinal directions first, so that the way depends on the arguments alone. The start
 * need not be free.
 */
export function wayTo(
  world: GridWorld,
  from: Point,
  search: Walkable & { readonly isGoal: TileTest },
): readonly Point[] | null {
  const table = tablesOf(world, wayTables);
  const goal = spread(world, from, search, table);
  return goal === null ? null : walkBack(table, goal, world.definition.size.width);
}

/** The tiles to which free ones lead from a tile, that one included. */
export interface WalkedTiles {
  /** Whether a tile is one of them. Asserts that no other search of this world was made since. */
  readonly has: TileTest;
  /** Their numbers, row by row; nearest first. */
  readonly tiles: readonly number[];
  /** False if the search was ended. */
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
  const isWhole = spread(world, from, { isFree, isOpen, isGoal: isEnough }, table, tiles) === null;
  const search = table.newest;
  return {
    has: (x, y) => {
      assert(table.newest === search, 'a search must be read before the next one begins');
      if (x < 0 || y < 0 || x >= width || y >= height) return false;
      const tile = y * width + x;
      return table.searches[tile] === search && table.before[tile] !== BARRED;
    },
    tiles,
    isWhole,
  };
}

/** The number of the goal that is found first; null for none. The walked tiles are added to `queue`. */
function spread(
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
  note(table, start, NOWHERE);
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
      if (!isFree(toX, toY)) note(table, index, BARRED);
      else if (toX === x || toY === y || (isOpen(x, toY) && isOpen(toX, y))) {
        note(table, index, tile);
        queue.push(index);
      }
    }
  }
  return null;
}

function note(table: WalkTables, index: number, before: number): void {
  table.searches[index] = table.newest;
  table.before[index] = before;
}

function walkBack({ before }: WalkTables, goal: number, width: number): readonly Point[] {
  const way: Point[] = [];
  let index = goal;
  while (index !== NOWHERE) {
    way.push({ x: index % width, y: Math.floor(index / width) });
    index = at(before, index);
  }
  return way.toReversed();
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
