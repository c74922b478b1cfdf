/**
 * Shortest paths over walkable tiles, for NPCs: A* with one bucket of open tiles per estimated length, which
 * needs no heap because every step costs 1. Works on typed arrays, because rot-js builds strings and sorted lists,
 * and takes milliseconds. The result depends only on the arguments; among paths of equal length the first found
 * wins, cardinal directions first.
 */
import { at } from '../../base/assert.js';
import type { Point } from '../../environment/space.js';
import { CARDINALS, samePoint, stepOf } from '../../environment/space.js';
import { chunkAt } from './chunks.js';
import { landmarkBound } from './landmarks.js';
import type { GridState } from './state.js';
import { CHUNK_SIDE } from './state.js';
import type { GridWorld } from './world.js';
import { doorOf, isInside, appearanceOf, thingOf, tileIndex } from './world.js';

export interface PathOptions {
  /** Whether a step may be diagonal; both tiles beside it must be free. */
  diagonals: boolean;
  /** Further tiles that must not be stepped on, such as those with bodies. */
  blocked: (tile: Point) => boolean;
}

/** Tested in this order from last to first, since the tile pushed last is taken first. */
const STEPS: readonly Point[] = [
  ...(['north-west', 'south-west', 'south-east', 'north-east'] as const),
  ...CARDINALS.toReversed(),
].map(stepOf);
const DIAGONALS = 4;
/** From this straight-line distance on, landmarks save more than they cost. */
const LANDMARK_MIN_STEPS = 64;

const UNREACHED = 0xffffffff;

/** The shared data of one search. */
interface PathSearch {
  width: number;
  to: Point;
  diagonals: boolean;
  /** A lower bound on the steps between a tile and the goal. */
  bound: (x: number, y: number) => number;
  isFree: (x: number, y: number) => boolean;
  /** By tile: the steps of the shortest path that was found to it so far; `UNREACHED` for none. */
  costs: Uint32Array;
  settled: Uint8Array;
  /** By tile: index into `STEPS` of the step that led there. */
  steps: Uint8Array;
  /** Open tiles by the estimated length of the whole path, minus the estimate for the start. */
  buckets: number[][];
  firstEstimate: number;
}

/**
 * The tiles of a shortest path, both ends included; null if there is none. The start need not be walkable.
 */
export function findPath(
  world: GridWorld,
  state: GridState,
  from: Point,
  to: Point,
  options: PathOptions,
): readonly Point[] | null {
  if (samePoint(from, to)) return [{ x: from.x, y: from.y }];
  const isFree = freeTiles(world, state, options);
  if (!isInside(world, from) || !isFree(to.x, to.y)) return null;
  const bound = boundOf(world, { from, to, diagonals: options.diagonals });
  const search: PathSearch = {
    width: world.definition.size.width,
    to,
    diagonals: options.diagonals,
    bound,
    isFree,
    costs: new Uint32Array(world.terrain.length).fill(UNREACHED),
    settled: new Uint8Array(world.terrain.length),
    steps: new Uint8Array(world.terrain.length),
    buckets: [],
    firstEstimate: bound(from.x, from.y),
  };
  return expandToGoal(search, tileIndex(world.definition, from))
    ? walkBack(search, from, tileIndex(world.definition, to))
    : null;
}

/**
 * The lower bound that a search uses: for near goals the straight-line distance; for distant ones also
 * landmarks, which account for the walls in between.
 */
function boundOf(
  world: GridWorld,
  { from, to, diagonals }: { from: Point; to: Point; diagonals: boolean },
): (x: number, y: number) => number {
  const straightBound = (x: number, y: number): number => {
    const [wide, high] = [Math.abs(x - to.x), Math.abs(y - to.y)];
    return diagonals ? Math.max(wide, high) : wide + high;
  };
  if (straightBound(from.x, from.y) < LANDMARK_MIN_STEPS) return straightBound;
  const { width } = world.definition.size;
  const [start, goal] = [tileIndex(world.definition, from), tileIndex(world.definition, to)];
  const landmarkDistance = landmarkBound(world, diagonals, { from: start, to: goal });
  return (x, y) => Math.max(straightBound(x, y), landmarkDistance(y * width + x));
}

/** Whether a tile can be stepped on. */
function freeTiles(
  world: GridWorld,
  state: GridState,
  { blocked }: PathOptions,
): (x: number, y: number) => boolean {
  const { terrain, size } = world.definition;
  const walkable = terrain.map((kind) => kind.walkable);
  const hasDoors = world.doorsByTile.size > 0;
  const isObstructed = obstructions(world, state);
  return (x, y) => {
    if (x < 0 || y < 0 || x >= size.width || y >= size.height) return false;
    const index = y * size.width + x;
    if (walkable[world.terrain[index] ?? 0] !== true) return false;
    const doorway = hasDoors ? world.doorsByTile.get(index) : undefined;
    if (doorway && doorOf(state, doorway.id)?.state !== 'open') return false;
    return !isObstructed(x, y) && !blocked({ x, y });
  };
}

/** Whether a tile has a blocking thing; the things of a chunk are examined on first use. */
function obstructions(world: GridWorld, state: GridState): (x: number, y: number) => boolean {
  const { width } = world.definition.size;
  const columns = Math.floor(width / CHUNK_SIDE) + 1;
  const chunks: ReadonlySet<number>[] = [];
  return (x, y) => {
    const [cx, cy] = [Math.floor(x / CHUNK_SIDE), Math.floor(y / CHUNK_SIDE)];
    const obstructedTiles = (chunks[cy * columns + cx] ??= obstructed(
      world,
      state,
      chunkAt(state.ground, { cx, cy }) ?? [],
    ));
    return obstructedTiles.size > 0 && obstructedTiles.has(y * width + x);
  };
}

function obstructed(world: GridWorld, state: GridState, ids: readonly string[]): ReadonlySet<number> {
  const tiles = new Set<number>();
  for (const id of ids) {
    if (!mayBlock(world, id)) continue;
    const item = thingOf(state, id);
    if (item?.place.at === 'tile' && appearanceOf(world, item).blocking) {
      tiles.add(tileIndex(world.definition, item.place));
    }
  }
  return tiles;
}

/** Whether it blocks by definition, or will block after it has been worked on. */
function mayBlock(world: GridWorld, id: string): boolean {
  const thing = world.things.get(id);
  if (thing === undefined || thing.blocking) return true;
  return thing.work?.effect.kind === 'become' && thing.work.effect.blocking;
}

/** Settles tiles in the order of their estimates until the goal is reached; false if it can't be. */
function expandToGoal(search: PathSearch, start: number): boolean {
  const { costs, settled, buckets } = search;
  costs[start] = 0;
  buckets[0] = [start];
  const goal = search.to.y * search.width + search.to.x;
  for (let length = 0; length < buckets.length; length++) {
    const bucket = (buckets[length] ??= []);
    for (let tile = bucket.pop(); tile !== undefined; tile = bucket.pop()) {
      if (tile === goal) return true;
      if (settled[tile] === 1) continue;
      settled[tile] = 1;
      openNeighbours(search, tile);
    }
  }
  return false;
}

function openNeighbours(search: PathSearch, tile: number): void {
  const { width, bound, diagonals, isFree, costs, steps, buckets, firstEstimate } = search;
  const [x, y] = [tile % width, Math.floor(tile / width)];
  const cost = (costs[tile] ?? 0) + 1;
  for (let index = diagonals ? 0 : DIAGONALS; index < STEPS.length; index++) {
    const step = at(STEPS, index);
    const [nextX, nextY] = [x + step.x, y + step.y];
    const next = nextY * width + nextX;
    if ((costs[next] ?? 0) <= cost || !isFree(nextX, nextY)) continue;
    if (index < DIAGONALS && !(isFree(nextX, y) && isFree(x, nextY))) continue;
    costs[next] = cost;
    steps[next] = index;
    (buckets[cost + bound(nextX, nextY) - firstEstimate] ??= []).push(next);
  }
}

function walkBack({ width, steps }: PathSearch, from: Point, goal: number): readonly Point[] {
  const path: Point[] = [];
  let [x, y] = [goal % width, Math.floor(goal / width)];
  while (x !== from.x || y !== from.y) {
    path.push({ x, y });
    const step = at(STEPS, at(steps, y * width + x));
    [x, y] = [x - step.x, y - step.y];
  }
  path.push({ x, y });
  return path.toReversed();
}
