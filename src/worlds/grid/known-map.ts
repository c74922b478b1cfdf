/**
 * The ground as an agent knows it: the tiles that it believes it can walk on, and where its knowledge ends.
 * It consists of terrain that the agent has seen, and of doors and things as it sees or last saw them,
 * without bodies. Paths are planned on it, and `facts` contain it.
 */
import type { Point } from '../../environment/space.js';
import type { ChunkIndex } from './chunks.js';
import { chunkAt, chunkKey, chunkOf, chunkRect } from './chunks.js';
import type { GridState } from './state.js';
import { CHUNK_BITS } from './state.js';
import type { AgentView } from './view.js';
import type { TileTest } from './walk-search.js';
import type { GridWorld } from './world.js';
import { chunkColumns, cutToMap, mindOf, tileIndex } from './world.js';

/** A tile's ground as far as the agent knows: `shut` is a door that is not open. */
export const GROUND = { unknown: 0, walkable: 1, blocked: 2, opaque: 3, shut: 4 } as const;
export type GroundKind = (typeof GROUND)[keyof typeof GROUND];

/** The ground by tile, as one agent knows it. */
export type GroundMap = (x: number, y: number) => GroundKind;

/** The map as one agent knows it. */
export interface KnownMap {
  readonly ground: GroundMap;
  /**
   * Whether a tile is walkable according to the agent's memory: a tile that it sees but has not learnt yet
   * does not count.
   */
  readonly isOpen: TileTest;
}

/**
 * The ground of each tile, and for each chunk the number of the map that it was computed for: one table per
 * world, which later maps reuse.
 */
interface GroundAnswers {
  /** By chunk: the number of the map that its tiles belong to. */
  readonly maps: Uint32Array;
  /** By tile: its ground, and `UNLEARNT` if it is in sight but not yet known. */
  readonly tiles: Uint8Array;
  newest: number;
}

const UNLEARNT = 8;

const resultsByWorld = new WeakMap<GridWorld, GroundAnswers>();

function resultsOf(world: GridWorld): GroundAnswers {
  const cached = resultsByWorld.get(world);
  if (cached !== undefined) return cached;
  const { size } = world.definition;
  const chunks = chunkColumns(size) * chunkColumns({ width: size.height });
  const tiles = new Uint8Array(size.width * size.height);
  const results = { maps: new Uint32Array(chunks), tiles, newest: 0 };
  resultsByWorld.set(world, results);
  return results;
}

/**
 * The map that the agent of `view` knows in that state: what the view shows and what it remembers. Each chunk
 * is computed on demand.
 */
export function knownMapOf(world: GridWorld, state: GridState, view: AgentView): KnownMap {
  const { width, height } = world.definition.size;
  const columns = chunkColumns(world.definition.size);
  const table = resultsOf(world);
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
  const groundOfTerrain = definition.terrain.map(({ walkable, opaque }) =>
    walkable ? GROUND.walkable : opaque ? GROUND.opaque : GROUND.blocked,
  );
  const { known } = mindOf(state, view.self.id);
  const obstacles = knownObstacles(world, view);
  const visibleChunks = view.sight.chunks();
  return (index, tiles) => {
    const chunk = chunkRect(index);
    const { x, y, width, height } = cutToMap(definition, chunk);
    const learntRows = chunkAt(known, index)?.seen;
    const visibleRows = visibleChunks.find(
      (chunkView) => chunkView.index.cx === index.cx && chunkView.index.cy === index.cy,
    )?.rows;
    const obstaclesInChunk = obstacles.get(chunkKey(index));
    for (let row = 0; row < height; row++) {
      const [learntBits, seenBits] = [learntRows?.[row] ?? 0, visibleRows?.[row] ?? 0];
      let tile = (y + row) * definition.size.width + x;
      for (let column = 0; column < width; column++, tile++) {
        const bit = 1 << column;
        if (((learntBits | seenBits) & bit) === 0) tiles[tile] = GROUND.unknown;
        else {
          const kind = groundOfTerrain[terrain[tile] ?? 0] ?? GROUND.blocked;
          const ground = kind === GROUND.walkable ? (obstaclesInChunk?.get(tile) ?? kind) : kind;
          tiles[tile] = (learntBits & bit) === 0 ? ground | UNLEARNT : ground;
        }
      }
    }
  };
}

/** Contents of tiles that the agent sees or remembers, by chunk and tile index. */
type KnownObstacles = ReadonlyMap<string, ReadonlyMap<number, GroundKind>>;

function knownObstacles(world: GridWorld, { sight, lastSeen, things, doors }: AgentView): KnownObstacles {
  const obstacles = new Map<string, Map<number, GroundKind>>();
  const add = (tile: Point, kind: GroundKind): void => {
    const key = chunkKey(chunkOf(tile));
    const chunk = obstacles.get(key) ?? new Map<number, GroundKind>();
    obstacles.set(key, chunk.set(tileIndex(world.definition, tile), kind));
  };
  for (const memory of lastSeen) {
    if (sight.has(memory.x, memory.y)) continue;
    const definition = world.things.get(memory.id);
    if (world.doors.has(memory.id) && memory.lid !== 'open') add(memory, GROUND.shut);
    else if (definition?.blocking === true) add(memory, definition.opaque ? GROUND.opaque : GROUND.blocked);
  }
  for (const thing of things) {
    if (thing.isBlocking) add(thing, thing.definition.opaque ? GROUND.opaque : GROUND.blocked);
  }
  for (const door of doors) if (door.state !== 'open') add(door, GROUND.shut);
  return obstacles;
}
