/**
 * Breadth-first search over tiles that the caller declares free: the shortest path to a goal, and everything
 * that can be reached. It does not know who walks or why a tile is not free.
 */
import { at } from '../../base/assert.js';
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

/** In place of the tile from which a tile was reached. */
const [START, BLOCKED, UNVISITED] = [-1, -2, -3];

/** Where a walker may go; called at most once per tile. */
export interface Walkable {
  /** Whether a tile may be stepped on. */
  isFree: TileTest;
  /** Whether a tile may be adjacent to a diagonal step. */
  isOpen: TileTest;
}

/**
 * The shortest path from a tile to the nearest goal over free tiles, both ends included; null if there is
 * none. Cardinal directions are tried first, so that the path depends on the arguments alone. The start need
 * not be free.
 */
export function pathToGoal(
  world: GridWorld,
  from: Point,
  search: Walkable & { isGoal: TileTest },
): readonly Point[] | null {
  const { goal, previous } = breadthFirst(world, from, search);
  return goal === null ? null : walkBack(previous, goal, world.definition.size.width);
}

/** The tiles that can be reached over free tiles, including the start. */
export interface WalkedTiles {
  /** Whether a tile is one of them. */
  has: TileTest;
  /** Their row-major indices, nearest first. */
  tiles: readonly number[];
  /** False if `isEnough` ended the search early. */
  isWhole: boolean;
}

/**
 * Everything that can be walked to, until `isEnough` ends the search; it is called once per tile, nearest
 * first.
 */
export function walkFrom(
  world: GridWorld,
  from: Point,
  { isFree, isOpen, isEnough }: Walkable & { isEnough: TileTest },
): WalkedTiles {
  const { width, height } = world.definition.size;
  const { goal, previous, tiles } = breadthFirst(world, from, { isFree, isOpen, isGoal: isEnough });
  return {
    has: (x, y) =>
      x >= 0 && y >= 0 && x < width && y < height && (previous[y * width + x] ?? UNVISITED) >= START,
    tiles,
    isWhole: goal === null,
  };
}

/** The first goal that is found (null for none), the tile before each reached one, and these in order. */
function breadthFirst(
  world: GridWorld,
  from: Point,
  { isFree, isOpen, isGoal }: Walkable & { isGoal: TileTest },
): { goal: number | null; previous: Int32Array; tiles: readonly number[] } {
  const { width, height } = world.definition.size;
  const steps = world.hasDiagonals ? STEPS : STRAIGHT_STEPS;
  const previous = new Int32Array(width * height).fill(UNVISITED);
  const start = from.y * width + from.x;
  previous[start] = START;
  const tiles = [start];
  for (let next = 0; next < tiles.length; next++) {
    const tile = tiles[next] ?? start;
    const x = tile % width;
    const y = (tile - x) / width;
    if (isGoal(x, y)) return { goal: tile, previous, tiles };
    for (const step of steps) {
      const toX = x + step.x;
      const toY = y + step.y;
      const index = toY * width + toX;
      if (toX < 0 || toY < 0 || toX >= width || toY >= height) continue;
      if (previous[index] !== UNVISITED) continue;
      if (!isFree(toX, toY)) previous[index] = BLOCKED;
      else if (toX === x || toY === y || (isOpen(x, toY) && isOpen(toX, y))) {
        previous[index] = tile;
        tiles.push(index);
      }
    }
  }
  return { goal: null, previous, tiles };
}

function walkBack(previous: Int32Array, goal: number, width: number): readonly Point[] {
  const path: Point[] = [];
  let index = goal;
  while (index !== START) {
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
  test: { isFree: TileTest; isOpen: TileTest },
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
