/**
 * Lower bounds for long ways (ALT: A*, landmarks, triangle inequality). From a few tiles far apart, the way
 * to every other tile is measured once over terrain alone; a way between two tiles is then at least as long
 * as the difference of theirs. Doors, things and bodies only make ways longer, so the bound holds in every
 * state of the world.
 */
import { at } from '../../base/assert.js';
import type { GridWorld } from './world.js';

const LANDMARKS = 8;
/** Of those, the ones that a search uses. */
const LANDMARKS_ASKED = 4;
/** Not reached: gives no bound. The maximum stored length is one less; farther tiles count as that. */
const UNKNOWN = 0xffff;

/** Lengths of ways from each landmark to every tile; one table for each. */
type Landmarks = readonly Uint16Array[];

const measured = new WeakMap<GridWorld, { straight?: Landmarks; diagonal?: Landmarks }>();

/**
 * A lower bound on the steps between a tile and the goal, both as indices; by the landmarks that give the
 * best bound from the start.
 */
export function landmarkBound(
  world: GridWorld,
  diagonals: boolean,
  { from, to }: { readonly from: number; readonly to: number },
): (tile: number) => number {
  const told = landmarksOf(world, diagonals)
    .map((lengths) => ({ lengths, toGoal: at(lengths, to) }))
    .filter(({ lengths, toGoal }) => toGoal !== UNKNOWN && at(lengths, from) !== UNKNOWN)
    .toSorted((a, b) => apart(b.lengths, b.toGoal, from) - apart(a.lengths, a.toGoal, from));
  const best = told.slice(0, LANDMARKS_ASKED);
  return (tile) => {
    let bound = 0;
    for (const { lengths, toGoal } of best) bound = Math.max(bound, apart(lengths, toGoal, tile));
    return bound;
  };
}

function apart(lengths: Uint16Array, toGoal: number, tile: number): number {
  const length = lengths[tile] ?? UNKNOWN;
  return length === UNKNOWN ? 0 : Math.abs(length - toGoal);
}

function landmarksOf(world: GridWorld, diagonals: boolean): Landmarks {
  const kinds = measured.get(world) ?? {};
  measured.set(world, kinds);
  return diagonals ? (kinds.diagonal ??= measure(world, true)) : (kinds.straight ??= measure(world, false));
}

/** Walkable tiles of a world, and how it is walked. */
interface LandmarkMap {
  readonly width: number;
  readonly free: Uint8Array;
  readonly diagonals: boolean;
}

/** Each landmark is the tile farthest from those before it, in the part of the map that has most tiles. */
function measure(world: GridWorld, diagonals: boolean): Landmarks {
  const ground = { width: world.definition.size.width, free: walkableTiles(world), diagonals };
  const first = inLargestPart(ground);
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

function walkableTiles(world: GridWorld): Uint8Array {
  const walkable = world.definition.terrain.map((kind) => Number(kind.walkable));
  return Uint8Array.from(world.terrain, (kind) => walkable[kind] ?? 0);
}

/** The first tile of the largest part of the map that hangs together; null if nothing is walkable. */
function inLargestPart(ground: LandmarkMap): number | null {
  const lengths = untold(ground);
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
  const lengths = untold(ground);
  flood(ground, start, lengths, new Uint32Array(lengths.length));
  return lengths;
}

function untold({ free }: LandmarkMap): Uint16Array {
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
 * Fills in the lengths of the shortest ways over terrain from a tile to all that had none; returns their
 * number.
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
