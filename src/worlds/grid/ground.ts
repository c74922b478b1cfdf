/**
 * The ground as an agent knows it: which tiles it believes that it can walk on, and where what it knows ends. Made for
 * programs that explore (`facts`); terrain it has seen, doors and things as it sees or last saw them, bodies left aside.
 */
import { LIMITS } from '../../base/limits.js';
import { Recent } from '../../base/recent.js';
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
import { DOORWAY, tileIndex } from './world.js';

/** A tile's ground as far as the agent knows: `shut` is a door that is not open. */
export type Ground = 'unknown' | 'walkable' | 'blocked' | 'opaque' | 'shut';

/** What stands on tiles that the agent sees or remembers, by tile index. */
type Obstacles = ReadonlyMap<number, 'blocked' | 'opaque' | 'shut'>;

/** The ground by tile, as one agent knows it. */
export type GroundMap = (x: number, y: number) => Ground;

/** As many agents as may look at a state by turns before one of them looks again. */
const VIEWS_KEPT = 4;
/** By view, of which there is one for a state and an agent. */
const grounds = new Recent<View, GroundMap>(VIEWS_KEPT);

/** Sees no more than `view`, which is the agent's in that state, and its knowledge hold. */
export function knownGround(world: GridWorld, state: GridState, view: View): GroundMap {
  const before = grounds.get(view);
  if (before !== undefined) return before;
  const ground = groundOf(world, state, view);
  grounds.add(view, ground);
  return ground;
}

function groundOf(world: GridWorld, state: GridState, view: View): GroundMap {
  const { terrain } = world.definition;
  const bare = terrain.map(({ walkable, opaque }) => (walkable ? 'walkable' : opaque ? 'opaque' : 'blocked'));
  const isKnown = knownTiles(state, view.self.id);
  const obstacles = knownObstacles(world, state, view);
  return remembering(world, (x, y, index) => {
    if (!(isKnown(x, y) || view.sight.has(x, y))) return 'unknown';
    const kind = bare[world.terrain[index] ?? 0] ?? 'blocked';
    return kind === 'walkable' ? (obstacles.get(index) ?? kind) : kind;
  });
}

/** What was worked out of each tile, and by which map: one for a world, since the map of one view is asked again and again at a time. */
interface Answers {
  readonly maps: Uint32Array;
  /** Indices into `GROUNDS`. */
  readonly grounds: Uint8Array;
  newest: number;
}

const GROUNDS: readonly Ground[] = ['unknown', 'walkable', 'blocked', 'opaque', 'shut'];

const answers = new WeakMap<GridWorld, Answers>();

function remembering(world: GridWorld, work: (x: number, y: number, index: number) => Ground): GroundMap {
  const { width, height } = world.definition.size;
  const kept = answers.get(world) ?? newAnswers(width * height);
  answers.set(world, kept);
  kept.newest += 1;
  const { maps, grounds: known, newest: map } = kept;
  return (x, y) => {
    if (x < 0 || y < 0 || x >= width || y >= height) return 'unknown';
    const index = y * width + x;
    if (maps[index] !== map) {
      known[index] = GROUNDS.indexOf(work(x, y, index));
      maps[index] = map;
    }
    return GROUNDS[known[index] ?? 0] ?? 'unknown';
  };
}

function newAnswers(tiles: number): Answers {
  return { maps: new Uint32Array(tiles), grounds: new Uint8Array(tiles), newest: 0 };
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

/** What a search has found out about a tile, above 4 · search; anything lower: nothing yet. */
const [REACHED, UNSEEN, OTHER] = [1, 2, 3];

/** The marks of a search, reused by the next one on the same world. */
interface Marks {
  readonly tiles: Uint32Array;
  search: number;
}

const marksOf = new WeakMap<GridWorld, Marks>();

function freshMarks(world: GridWorld): Marks {
  const marks = marksOf.get(world) ?? { tiles: new Uint32Array(world.terrain.length), search: 0 };
  marksOf.set(world, marks);
  marks.search += 1;
  return marks;
}

/**
 * The nearest such tile in each direction, nearest first; empty where all that was searched is known. Searched are the
 * nearest tiles up to `LIMITS.frontierTiles`, and as many again and again until a first one is found, four times.
 */
export function frontierOf(
  world: GridWorld,
  { self }: View,
  ground: GroundMap,
  isWithin: (x: number, y: number) => boolean = () => true,
): readonly FrontierTile[] {
  const { width, height } = world.definition.size;
  const found = new Map<Direction | null, FrontierTile>();
  const { tiles: marks, search } = freshMarks(world);
  const none = 4 * search;
  const start = self.y * width + self.x;
  marks[start] = none + REACHED;
  const queue = [start];
  const steps = [0];
  for (let next = 0; next < queue.length; next++) {
    if (next >= LIMITS.frontierTiles * (found.size > 0 ? 1 : 4)) break;
    const tile = queue[next] ?? start;
    const walked = steps[next] ?? 0;
    const x = tile % width;
    const y = Math.floor(tile / width);
    let isEdge = false;
    for (const step of STEPS) {
      const besideX = x + step.x;
      const besideY = y + step.y;
      if (besideX < 0 || besideY < 0 || besideX >= width || besideY >= height) continue;
      const beside = besideY * width + besideX;
      if ((marks[beside] ?? 0) < none) {
        const kind = ground(besideX, besideY);
        const isReached = kind === 'walkable' && isWithin(besideX, besideY);
        marks[beside] = none + (kind === 'unknown' ? UNSEEN : isReached ? REACHED : OTHER);
        if (isReached) {
          queue.push(beside);
          steps.push(walked + 1);
        }
      }
      if (marks[beside] === none + UNSEEN) isEdge = true;
    }
    const direction = isEdge ? bearing(self, { x, y }) : null;
    if (isEdge && !found.has(direction)) found.set(direction, { x, y, direction, steps: walked });
  }
  return [...found.values()];
}

/** The nearest tiles of the agent's own room, by direction, beside what it has never seen. */
export function roomEdges(world: GridWorld, view: View, ground: GroundMap): readonly FrontierTile[] {
  const { definition, owners, light } = world;
  const own = owners[tileIndex(definition, view.self)];
  const isSameRoom = (x: number, y: number): boolean => {
    const tile = y * definition.size.width + x;
    return owners[tile] === own && light[tile] !== DOORWAY;
  };
  return frontierOf(world, view, ground, isSameRoom);
}

/** The one of a room's edges that lies on a side of it; null where that side is known. */
export function edgeTowards(
  edges: readonly FrontierTile[],
  side: (typeof CARDINALS)[number],
): FrontierTile | null {
  const there = edges.filter(({ direction }) => direction?.split('-').includes(side) === true);
  return there.toSorted((a, b) => Number(b.direction === side) - Number(a.direction === side))[0] ?? null;
}

const STEPS = CARDINALS.map(stepOf);

/** Directions of the tiles that the agent could step on, as far as it sees; a diagonal needs both tiles beside it. */
export function freeSteps(world: GridWorld, { self, bodies }: View, ground: GroundMap): readonly Direction[] {
  const { bodiesBlock } = world.definition.rules;
  const isOpen = (tile: Point): boolean => ground(tile.x, tile.y) === 'walkable';
  return DIRECTIONS.filter((direction) => {
    const to = moved(self, direction);
    if (!isOpen(to) || (bodiesBlock && bodies.some((body) => samePoint(body, to)))) return false;
    if (!isDiagonal(direction)) return true;
    const { x, y } = stepOf(direction);
    return world.hasDiagonals && isOpen({ x: self.x + x, y: self.y }) && isOpen({ x: self.x, y: self.y + y });
  });
}
