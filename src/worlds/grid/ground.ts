/**
 * The ground as an agent knows it: which tiles it believes that it can walk on, and where what it knows ends. Made for
 * programs that explore (`facts`); terrain it has seen, doors and things as it sees or last saw them, bodies left aside.
 */
import { at, known } from '../../base/assert.js';
import { LIMITS } from '../../base/limits.js';
import type { Direction, Point } from '../../environment/space.js';
import {
  CARDINALS,
  DIRECTIONS,
  bearing,
  isDiagonal,
  moved,
  samePoint,
  stepOf,
} from '../../environment/space.js';
import { knownTiles, rememberedThings } from './knowledge.js';
import type { GridState } from './state.js';
import type { View } from './view.js';
import type { GridWorld } from './world.js';
import { isInside, terrainAt, tileIndex } from './world.js';

/** A tile's ground as far as the agent knows: `shut` is a door that is not open. */
export type Ground = 'unknown' | 'walkable' | 'blocked' | 'opaque' | 'shut';

/** What stands on tiles that the agent sees or remembers, by tile index. */
type Obstacles = ReadonlyMap<number, 'blocked' | 'opaque' | 'shut'>;

/** The ground by tile, for one agent. Sees no more than `view` and the agent's knowledge hold. */
export function knownGround(world: GridWorld, state: GridState, view: View): (tile: Point) => Ground {
  const isKnown = knownTiles(state, view.self.id);
  const obstacles = knownObstacles(world, state, view);
  return (tile) => {
    if (!isInside(world, tile) || !(isKnown(tile.x, tile.y) || view.sight.has(tile.x, tile.y)))
      return 'unknown';
    const terrain = known(terrainAt(world, tile.x, tile.y), 'terrain of a known tile');
    if (!terrain.walkable) return terrain.opaque ? 'opaque' : 'blocked';
    return obstacles.get(tileIndex(world.definition, tile)) ?? 'walkable';
  };
}

function knownObstacles(world: GridWorld, state: GridState, { self, sight, things, doors }: View): Obstacles {
  const found = new Map<number, 'blocked' | 'opaque' | 'shut'>();
  const add = (tile: Point, kind: 'blocked' | 'opaque' | 'shut'): void => {
    found.set(tileIndex(world.definition, tile), kind);
  };
  for (const memory of rememberedThings(state, self.id, null)) {
    if (sight.has(memory.x, memory.y)) continue;
    const definition = world.things.get(memory.id);
    if (world.doors.has(memory.id) && memory.lid !== 'open') add(memory, 'shut');
    else if (definition?.blocking === true) add(memory, definition.opaque ? 'opaque' : 'blocked');
  }
  for (const thing of things) {
    if (thing.isBlocking) add(thing, thing.definition.opaque ? 'opaque' : 'blocked');
  }
  for (const door of doors) if (door.state !== 'open') add(door, 'shut');
  return found;
}

/** A tile that the agent believes it can reach, beside one that it has never seen. */
export interface FrontierTile extends Point {
  /** From where the agent stands; null: its own tile. */
  readonly direction: Direction | null;
  /** Steps of the shortest known way, without diagonals. */
  readonly steps: number;
}

/** The nearest such tile in each direction, nearest first; empty where all that can be reached is known. */
export function frontierOf(
  world: GridWorld,
  { self }: View,
  ground: (tile: Point) => Ground,
): readonly FrontierTile[] {
  const found = new Map<Direction | null, FrontierTile>();
  const reached = new Set([tileIndex(world.definition, self)]);
  const queue = [{ tile: { x: self.x, y: self.y }, steps: 0 }];
  for (let next = 0; next < queue.length; next++) {
    if (found.size > 0 && next >= LIMITS.frontierTiles) break;
    const { tile, steps } = at(queue, next);
    const direction = bearing(self, tile);
    if (!found.has(direction) && isBesideUnknown(world, tile, ground)) {
      found.set(direction, { ...tile, direction, steps });
    }
    for (const step of CARDINALS.map((cardinal) => moved(tile, cardinal))) {
      if (!isInside(world, step) || reached.has(tileIndex(world.definition, step))) continue;
      reached.add(tileIndex(world.definition, step));
      if (ground(step) === 'walkable') queue.push({ tile: step, steps: steps + 1 });
    }
  }
  return [...found.values()];
}

function isBesideUnknown(world: GridWorld, tile: Point, ground: (tile: Point) => Ground): boolean {
  return CARDINALS.some((cardinal) => {
    const beside = moved(tile, cardinal);
    return isInside(world, beside) && ground(beside) === 'unknown';
  });
}

/** Directions of the tiles that the agent could step on, as far as it sees; a diagonal needs both tiles beside it. */
export function freeSteps(
  world: GridWorld,
  { self, bodies }: View,
  ground: (tile: Point) => Ground,
): readonly Direction[] {
  const { diagonals, bodiesBlock } = world.definition.rules;
  const isOpen = (tile: Point): boolean => ground(tile) === 'walkable';
  return DIRECTIONS.filter((direction) => {
    const to = moved(self, direction);
    if (!isOpen(to) || (bodiesBlock && bodies.some((body) => samePoint(body, to)))) return false;
    if (!isDiagonal(direction)) return true;
    const { x, y } = stepOf(direction);
    return diagonals && isOpen({ x: self.x + x, y: self.y }) && isOpen({ x: self.x, y: self.y + y });
  });
}
