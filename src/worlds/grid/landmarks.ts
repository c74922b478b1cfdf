/**
 * Lower bounds for long paths (ALT: A*, landmarks, triangle inequality). From a few tiles far apart, the
 * landmarks, the path lengths to all other tiles are measured once over terrain alone. A path between two
 * tiles is at least as long as the difference of their distances from a landmark. Doors, things and bodies
 * only make paths longer, so the bound holds in every state of the world.
 */
import { at } from '../../base/assert.js';
import type { GridWorld } from './world.js';

const LANDMARKS = 8;
/** The number of landmarks that one search uses. */
const LANDMARKS_USED = 4;
/** The tile is not reached, so it gives no bound. Longer paths are stored as the largest smaller number. */
const UNKNOWN = 0xffff;

/** For each landmark, the path lengths to every tile. */
type Landmarks = readonly Uint16Array[];

const landmarksByWorld = new WeakMap<GridWorld, { straight?: Landmarks; diagonal?: Landmarks }>();

/**
 * A function that gives a lower bound on the steps from a tile to the goal. It uses the landmarks that give
 * the best bound for the start. Tiles are indices.
 */
export function landmarkBound(
  world: GridWorld,
  diagonals: boolean,
  { from, to }: { from: number; to: number },
): (tile: number) => number {
  const usable = landmarksOf(world, diagonals)
    .map((lengths) => ({ lengths, toGoal: at(lengths, to) }))
    .filter(({ lengths, toGoal }) => toGoal !== UNKNOWN && at(lengths, from) !== UNKNOWN)
    .toSorted((a, b) => boundFrom(b.lengths, b.toGoal, from) - boundFrom(a.lengths, a.toGoal, from));
  const best = usable.slice(0, LANDMARKS_USED);
  return (tile) => {
    let bound = 0;
    for (const { lengths, toGoal } of best) bound = Math.max(bound, boundFrom(lengths, toGoal, tile));
    return bound;
  };
}

function boundFrom(lengths: Uint16Array, toGoal: number, tile: number): number {
  const length = lengths[tile] ?? UNKNOWN;
  return length === UNKNOWN ? 0 : Math.abs(length - toGoal);
}

function landmarksOf(world: GridWorld, diagonals: boolean): Landmarks {
  const tables = landmarksByWorld.get(world) ?? {};
  landmarksByWorld.set(world, tables);
  return diagonals ? (tables.diagonal ??= measure(world, true)) : (tables.straight ??= measure(world, false));
}

/** Walkable tiles of a world, and whether steps may be diagonal. */
interface LandmarkMap {
  width: number;
  free: Uint8Array;
  diagonals: boolean;
}

/** Each landmark is the tile farthest from the previous ones, in the largest connected part of the map. */
function measure(world: GridWorld, diagonals: boolean): Landmarks {
  const walkable = world.definition.terrain.map((kind) => Number(kind.walkable));
  const ground = {
    width: world.definition.size.width,
    free: Uint8Array.from(world.terrain, (kind) => walkable[kind] ?? 0),
    diagonals,
  };
  const first = tileInLargestPart(ground);
  if (first === null) return [];
  const tables: Uint16Array[] = [];
  const nearest = lengthsFrom(ground, first);
  for (let landmark = farthest(nearest); tables.length < LANDMARKS; landmark = farthest(nearest)) {
    const table = lengthsFrom(ground, landmark);
    if (tables.length === 0) nearest.set(table);
    else for (let i = 0; i < table.length; i++) nearest[i] = Math.min(nearest[i] ?? 0, table[i] ?? 0);
    tables.push(table);
  }
  return tables;
}

/** The first tile of the largest connected part of the map; null if nothing is walkable. */
function tileInLargestPart(ground: LandmarkMap): number | null {
  const lengths = unreachedLengths(ground);
  const queue = new Uint32Array(lengths.length);
  let best: number | null = null;
  let most = 0;
  for (let tile = 0; tile < lengths.length; tile++) {
    if (ground.free[tile] !== 1 || lengths[tile] !== UNKNOWN) continue;
    const size = flood(ground, tile, lengths, queue);
    if (size > most) [best, most] = [tile, size];
  }
  return best;
}

function lengthsFrom(ground: LandmarkMap, start: number): Uint16Array {
  const lengths = unreachedLengths(ground);
  flood(ground, start, lengths, new Uint32Array(lengths.length));
  return lengths;
}

function unreachedLengths({ free }: LandmarkMap): Uint16Array {
  return new Uint16Array(free.length).fill(UNKNOWN);
}

function farthest(lengths: Uint16Array): number {
  let best = 0;
  let most = -1;
  for (let i = 0; i < lengths.length; i++) {
    const length = lengths[i] ?? UNKNOWN;
    if (length === UNKNOWN || length <= most) continue;
    best = i;
    most = length;
  }
  return best;
}

/**
 * Fills in the shortest path lengths over terrain from a tile to all tiles not reached so far; returns how
 * many it reached.
 */
function flood(
  { width, free, diagonals }: LandmarkMap,
  start: number,
  lengths: Uint16Array,
  queue: Uint32Array,
): number {
  lengths[start] = 0;
  queue[0] = start;
  let filled = 1;
  const reach = (tile: number, length: number): void => {
    if (lengths[tile] !== UNKNOWN) return;
    lengths[tile] = length;
    queue[filled++] = tile;
  };
  for (let head = 0; head < filled; head++) {
    const tile = queue[head] ?? 0;
    const length = Math.min((lengths[tile] ?? 0) + 1, UNKNOWN - 1);
    const column = tile % width;
    const north = free[tile - width] === 1;
    const south = free[tile + width] === 1;
    const west = column > 0 && free[tile - 1] === 1;
    const east = column + 1 < width && free[tile + 1] === 1;
    if (north) reach(tile - width, length);
    if (south) reach(tile + width, length);
    if (west) reach(tile - 1, length);
    if (east) reach(tile + 1, length);
    if (!diagonals) continue;
    if (north && west && free[tile - width - 1] === 1) reach(tile - width - 1, length);
    if (north && east && free[tile - width + 1] === 1) reach(tile - width + 1, length);
    if (south && west && free[tile + width - 1] === 1) reach(tile + width - 1, length);
    if (south && east && free[tile + width + 1] === 1) reach(tile + width + 1, length);
  }
  return filled;
}
