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
import type { ChunkIndex } from './chunks.js';
import { chunkAt, chunkKey, chunkOf, chunkRect } from './chunks.js';
import { rememberedThings } from './knowledge.js';
import { cutToMap } from './sight.js';
import type { GridState } from './state.js';
import { CHUNK_BITS } from './state.js';
import type { AgentView } from './view.js';
import { showing } from './view.js';
import type { TileTest } from './walk-search.js';
import type { GridWorld } from './world.js';
import { DOORWAY, chunkColumns, mindOf, tileIndex } from './world.js';

/** A tile's ground as far as the agent knows: `shut` is a door that is not open. */
export const GROUND = { unknown: 0, walkable: 1, blocked: 2, opaque: 3, shut: 4 } as const;
export type GroundKind = (typeof GROUND)[keyof typeof GROUND];

/** The ground by tile, as one agent knows it. */
export type GroundMap = (x: number, y: number) => GroundKind;

interface KnownGround {
  readonly ground: GroundMap;
  /** Whether a tile is walkable, and one that the agent has taken in. */
  readonly isOpen: TileTest;
}

/** As many agents as may look at a state by turns before one of them looks again. */
const VIEWS_KEPT = 4;
/** By view, of which there is one for a state and an agent. */
const grounds = new Recent<AgentView, KnownGround>(VIEWS_KEPT);

/** Sees no more than `view`, which is the agent's in that state, and its knowledge hold. */
export function knownGround(world: GridWorld, state: GridState, view: AgentView): GroundMap {
  return groundsOf(world, state, view).ground;
}

/** Whether a tile is walkable as far as the agent knows it by heart: what it sees but has not taken in yet is none. */
export function openGround(world: GridWorld, state: GridState, view: AgentView): TileTest {
  return groundsOf(world, state, view).isOpen;
}

function groundsOf(world: GridWorld, state: GridState, view: AgentView): KnownGround {
  const before = grounds.get(view);
  if (before !== undefined) return before;
  const made = groundOf(world, state, view);
  grounds.add(view, made);
  return made;
}

/** What was worked out of each chunk, and for which map: one table for a world, since the map of one view is asked again and again at a time. */
interface GroundAnswers {
  /** By chunk. */
  readonly maps: Uint32Array;
  /** By tile: its ground, and `UNLEARNT` where it is in sight but not yet known. */
  readonly tiles: Uint8Array;
  newest: number;
}

const UNLEARNT = 8;

const answers = new WeakMap<GridWorld, GroundAnswers>();

function answersOf(world: GridWorld): GroundAnswers {
  const kept = answers.get(world);
  if (kept !== undefined) return kept;
  const { size } = world.definition;
  const chunks = chunkColumns(size) * chunkColumns({ width: size.height });
  const tiles = new Uint8Array(size.width * size.height);
  const made = { maps: new Uint32Array(chunks), tiles, newest: 0 };
  answers.set(world, made);
  return made;
}

function groundOf(world: GridWorld, state: GridState, view: AgentView): KnownGround {
  const { width, height } = world.definition.size;
  const columns = chunkColumns(world.definition.size);
  const table = answersOf(world);
  const { maps, tiles } = table;
  const map = ++table.newest;
  const fill = chunkFiller(world, state, view);
  const ground = (x: number, y: number): number => {
    if (x < 0 || y < 0 || x >= width || y >= height) return GROUND.unknown;
    const chunk = (y >> CHUNK_BITS) * columns + (x >> CHUNK_BITS);
    if (maps[chunk] !== map) {
      fill({ cx: x >> CHUNK_BITS, cy: y >> CHUNK_BITS }, tiles);
      maps[chunk] = map;
    }
    return tiles[y * width + x] ?? GROUND.unknown;
  };
  return {
    ground: (x, y) => (ground(x, y) & ~UNLEARNT) as GroundKind,
    isOpen: (x, y) => ground(x, y) === GROUND.walkable,
  };
}

/** Computes the tiles of a chunk: known or in sight, their ground, and their contents. */
function chunkFiller(
  world: GridWorld,
  state: GridState,
  view: AgentView,
): (index: ChunkIndex, tiles: Uint8Array) => void {
  const { definition, terrain } = world;
  const bare = definition.terrain.map(({ walkable, opaque }) =>
    walkable ? GROUND.walkable : opaque ? GROUND.opaque : GROUND.blocked,
  );
  const { known } = mindOf(state, view.self.id);
  const obstacles = knownObstacles(world, state, view);
  const sights = view.sight.chunks();
  return (index, tiles) => {
    const chunk = chunkRect(index);
    const { x, y, width, height } = cutToMap(definition, chunk);
    const learnt = chunkAt(known, index)?.seen;
    const seen = sights.find((one) => one.index.cx === index.cx && one.index.cy === index.cy)?.rows;
    const standing = obstacles.get(chunkKey(index));
    for (let row = 0; row < height; row++) {
      const [learntBits, seenBits] = [learnt?.[row] ?? 0, seen?.[row] ?? 0];
      let tile = (y + row) * definition.size.width + x;
      for (let column = 0; column < width; column++, tile++) {
        const bit = 1 << column;
        if (((learntBits | seenBits) & bit) === 0) tiles[tile] = GROUND.unknown;
        else {
          const kind = bare[terrain[tile] ?? 0] ?? GROUND.blocked;
          const ground = kind === GROUND.walkable ? (standing?.get(tile) ?? kind) : kind;
          tiles[tile] = (learntBits & bit) === 0 ? ground | UNLEARNT : ground;
        }
      }
    }
  };
}

/** Contents of tiles that the agent sees or remembers, by chunk and tile index. */
type KnownObstacles = ReadonlyMap<string, ReadonlyMap<number, GroundKind>>;

function knownObstacles(
  world: GridWorld,
  state: GridState,
  { self, sight, things, doors }: AgentView,
): KnownObstacles {
  const found = new Map<string, Map<number, GroundKind>>();
  const add = (tile: Point, kind: GroundKind): void => {
    const key = chunkKey(chunkOf(tile));
    const chunk = found.get(key) ?? new Map<number, GroundKind>();
    found.set(key, chunk.set(tileIndex(world.definition, tile), kind));
  };
  const isShown = showing(world, state, self.id);
  for (const memory of rememberedThings(state, self.id, null)) {
    if (sight.has(memory.x, memory.y)) continue;
    const definition = world.things.get(memory.id);
    if (world.doors.has(memory.id) && memory.lid !== 'open') add(memory, GROUND.shut);
    else if (definition?.blocking === true && isShown(memory.id))
      add(memory, definition.opaque ? GROUND.opaque : GROUND.blocked);
  }
  for (const thing of things) {
    if (thing.isBlocking) add(thing, thing.definition.opaque ? GROUND.opaque : GROUND.blocked);
  }
  for (const door of doors) if (door.state !== 'open') add(door, GROUND.shut);
  return found;
}

/** A tile that the agent believes it can reach, beside one that it has never seen. */
export interface FrontierTile extends Point {
  /** From the agent's position; null: its own tile. */
  readonly direction: Direction | null;
  /** Steps of the shortest known way, without diagonals. */
  readonly steps: number;
}

/** What a search has found out about a tile, above 4 · search; anything lower: nothing yet. */
const [REACHED, UNSEEN, OTHER] = [1, 2, 3];

/** The marks of a search, reused by the next one on the same world. */
interface SearchMarks {
  readonly tiles: Uint32Array;
  search: number;
}

const marksOf = new WeakMap<GridWorld, SearchMarks>();

function freshMarks(world: GridWorld): SearchMarks {
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
  { self }: AgentView,
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
        const isReached = kind === GROUND.walkable && isWithin(besideX, besideY);
        marks[beside] = none + (kind === GROUND.unknown ? UNSEEN : isReached ? REACHED : OTHER);
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
export function roomEdges(world: GridWorld, view: AgentView, ground: GroundMap): readonly FrontierTile[] {
  const { definition, owners, light } = world;
  const own = owners[tileIndex(definition, view.self)];
  const isSameRoom = (x: number, y: number): boolean => {
    const tile = y * definition.size.width + x;
    return owners[tile] === own && light[tile] !== DOORWAY;
  };
  return frontierOf(world, view, ground, isSameRoom);
}

/** The part of a room's edges on one side of it; null if that side is known. */
export function edgeTowards(
  edges: readonly FrontierTile[],
  side: (typeof CARDINALS)[number],
): FrontierTile | null {
  const there = edges.filter(({ direction }) => direction?.split('-').includes(side) === true);
  return there.toSorted((a, b) => Number(b.direction === side) - Number(a.direction === side))[0] ?? null;
}

const STEPS = CARDINALS.map(stepOf);

/** Directions of the tiles that the agent could step on, as far as it sees; a diagonal needs both tiles beside it. */
export function freeSteps(
  world: GridWorld,
  { self, bodies }: AgentView,
  ground: GroundMap,
): readonly Direction[] {
  const { bodiesBlock } = world.definition.rules;
  const isOpen = (tile: Point): boolean => ground(tile.x, tile.y) === GROUND.walkable;
  return DIRECTIONS.filter((direction) => {
    const to = moved(self, direction);
    if (!isOpen(to) || (bodiesBlock && bodies.some((body) => samePoint(body, to)))) return false;
    if (!isDiagonal(direction)) return true;
    const { x, y } = stepOf(direction);
    return world.hasDiagonals && isOpen({ x: self.x + x, y: self.y }) && isOpen({ x: self.x, y: self.y + y });
  });
}
