/**
 * The ground as an agent knows it: the tiles that it believes it can walk on, and where its knowledge ends.
 * It consists of terrain that the agent has seen, and of doors and things as it sees or last saw them,
 * without bodies. Paths are planned on it, and `facts` contain it.
 */
import type { Point } from '../../environment/space.js';
import { knownTiles } from './knowledge.js';
import type { GridState } from './state.js';
import type { AgentView } from './view.js';
import type { TileTest } from './walk-search.js';
import type { GridWorld } from './world.js';
import { tileIndex } from './world.js';

/** A tile's ground as far as the agent knows: `shut` is a door that is not open. */
export const GROUND = { unknown: 0, walkable: 1, blocked: 2, opaque: 3, shut: 4 } as const;
export type GroundKind = (typeof GROUND)[keyof typeof GROUND];

/** The ground by tile, as one agent knows it. */
export type GroundMap = (x: number, y: number) => GroundKind;

/** The map as one agent knows it. */
export interface KnownMap {
  ground: GroundMap;
  /**
   * Whether a tile is walkable according to the agent's memory: a tile that it sees but has not learnt yet
   * does not count.
   */
  isOpen: TileTest;
}

/** The map that the agent of `view` knows in that state: what the view shows and what it remembers. */
export function knownMapOf(world: GridWorld, state: GridState, view: AgentView): KnownMap {
  const { definition, terrain } = world;
  const { width, height } = definition.size;
  const groundOfTerrain = definition.terrain.map(({ walkable, opaque }) =>
    walkable ? GROUND.walkable : opaque ? GROUND.opaque : GROUND.blocked,
  );
  const obstacles = knownObstacles(world, view);
  const { sight } = view;
  const isLearnt = knownTiles(state, view.self.id);
  const isInside = (x: number, y: number): boolean => x >= 0 && y >= 0 && x < width && y < height;
  const groundAt = (tile: number): GroundKind => {
    const kind = groundOfTerrain[terrain[tile] ?? 0] ?? GROUND.blocked;
    return kind === GROUND.walkable ? (obstacles.get(tile) ?? kind) : kind;
  };
  return {
    ground: (x, y) =>
      isInside(x, y) && (isLearnt(x, y) || sight.has(x, y)) ? groundAt(y * width + x) : GROUND.unknown,
    isOpen: (x, y) => isInside(x, y) && isLearnt(x, y) && groundAt(y * width + x) === GROUND.walkable,
  };
}

/** What lies on tiles that the agent sees or remembers, by tile index. */
function knownObstacles(
  world: GridWorld,
  { sight, lastSeen, things, doors }: AgentView,
): ReadonlyMap<number, GroundKind> {
  const obstacles = new Map<number, GroundKind>();
  const add = (tile: Point, kind: GroundKind): void => {
    obstacles.set(tileIndex(world.definition, tile), kind);
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
