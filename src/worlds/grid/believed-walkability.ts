/**
 * Where an agent believes that it can walk: terrain it has seen, doors and things as it sees or remembers
 * them, bodies that it sees. Paths are planned on this alone, so that neither a plan nor a refusal reveals
 * anything hidden. `movement.ts` then stops a walk at the actual obstacles.
 */
import type { Direction, Point } from '../../environment/space.js';
import { DIRECTIONS, isDiagonal, moved, samePoint, stepOf } from '../../environment/space.js';
import { compareText } from '../../base/ids.js';
import { chunkGet } from './chunks.js';
import type { KnownMap } from './known-map.js';
import { GROUND } from './known-map.js';
import { knowsTile } from './knowledge.js';
import type { GridState } from './state.js';
import type { AgentView, SeenBody } from './view.js';
import type { TileTest } from './walk-search.js';
import { theName } from '../../environment/wording.js';
import type { GridWorld } from './world.js';
import { doorAt, doorOf, isInside, appearanceOf, mindOf, terrainAt, thingsOn } from './world.js';

/** An obstacle on a tile. */
export interface Obstacle {
  kind: 'unknown' | 'terrain' | 'door' | 'thing' | 'body';
  /** Id of the door, thing or body; null for terrain. */
  id: string | null;
  /** A clause for the walker: "the oak door is closed". */
  description: string;
}

/** The obstacle that the agent believes to be on a tile, apart from bodies; null: none. */
export function believedObstacle(
  world: GridWorld,
  state: GridState,
  view: AgentView,
  tile: Point,
): Obstacle | null {
  if (!isInside(world, tile) || !knowsTile(state, view.self.id, tile)) {
    return { kind: 'unknown', id: null, description: "you don't know what is there" };
  }
  if (view.sight.has(tile.x, tile.y)) return obstacleOf(world, state, { tile, isShown: view.isShown });
  return terrainObstacle(world, tile) ?? rememberedObstacle(world, state, view, tile);
}

/** The actual obstacle on a tile, apart from bodies; null: none. */
export function actualObstacle(world: GridWorld, state: GridState, tile: Point): Obstacle | null {
  return obstacleOf(world, state, { tile, isShown: () => true });
}

/** The obstacle on a tile; only things for which `isShown` is true count. */
function obstacleOf(
  world: GridWorld,
  state: GridState,
  { tile, isShown }: { tile: Point; isShown: (id: string) => boolean },
): Obstacle | null {
  const terrain = terrainObstacle(world, tile);
  if (terrain !== null) return terrain;
  const door = doorAt(world, tile);
  const lid = door && doorOf(state, door.id)?.state;
  if (door && lid && lid !== 'open') {
    return { kind: 'door', id: door.id, description: `${theName(door.name)} is ${lid}` };
  }
  const thing = thingsOn(state, tile).find((item) => appearanceOf(world, item).blocking && isShown(item.id));
  if (thing === undefined) return null;
  return {
    kind: 'thing',
    id: thing.id,
    description: `${theName(appearanceOf(world, thing).name)} is in the way`,
  };
}

function terrainObstacle(world: GridWorld, tile: Point): Obstacle | null {
  const terrain = terrainAt(world, tile.x, tile.y);
  if (terrain?.walkable === true) return null;
  const description = terrain ? `${theName(terrain.name)} is in the way` : 'the world ends there';
  return { kind: 'terrain', id: null, description };
}

function rememberedObstacle(
  world: GridWorld,
  state: GridState,
  { self, isShown }: AgentView,
  tile: Point,
): Obstacle | null {
  const memories = Object.values(chunkGet(mindOf(state, self.id).known, tile)?.things ?? {})
    .filter((memory) => samePoint(memory, tile))
    .toSorted((a, b) => compareText(a.id, b.id));
  for (const { id, name, lid } of memories) {
    if (world.doors.has(id) && lid !== 'open') {
      return {
        kind: 'door',
        id,
        description: `${theName(name)} was ${lid ?? 'closed'} when you last saw it`,
      };
    }
    if (world.things.get(id)?.blocking === true && isShown(id)) {
      return { kind: 'thing', id, description: `${theName(name)} was in the way when you last saw it` };
    }
  }
  return null;
}

/** Whether a path may lead through agents, which step aside for a walker; no path leads through NPCs. */
export type WalkPolicy = 'go-round' | 'pass-agents';

/** Where an agent believes that it can walk. */
export interface BelievedWalkability {
  /**
   * Whether it believes that nothing but bodies is in the way on a tile: like `believedObstacle`, on the map
   * as it knows it.
   */
  isOpen: TileTest;
  /** The visible body that blocks a tile, the first by id if there are several; null if there is none. */
  bodyOn: (x: number, y: number) => SeenBody | null;
  /** Whether it believes that it can step on a tile. */
  isFree: Readonly<Record<WalkPolicy, TileTest>>;
  /** Directions of the adjacent tiles that it could step on, as far as it sees. */
  steps: readonly Direction[];
}

export function believedWalkability(world: GridWorld, view: AgentView, map: KnownMap): BelievedWalkability {
  const { isOpen } = map;
  const bodies = world.definition.rules.bodiesBlock
    ? view.bodies.toSorted((a, b) => compareText(a.id, b.id))
    : [];
  const bodyOn = (x: number, y: number): SeenBody | null => {
    for (const body of bodies) if (body.x === x && body.y === y) return body;
    return null;
  };
  const isPassable = (body: SeenBody | null): boolean => body === null || world.agents.has(body.id);
  const goesRound: TileTest = (x, y) => isOpen(x, y) && bodyOn(x, y) === null;
  const passesAgents: TileTest = (x, y) => isOpen(x, y) && isPassable(bodyOn(x, y));
  const hasNoBodies = bodies.length === 0;
  return {
    isOpen,
    bodyOn,
    isFree: hasNoBodies
      ? { 'go-round': isOpen, 'pass-agents': isOpen }
      : { 'go-round': goesRound, 'pass-agents': passesAgents },
    steps: freeSteps(world, view, map),
  };
}

/** A diagonal step needs both adjacent tiles. */
function freeSteps(
  world: GridWorld,
  { self, bodies }: AgentView,
  { ground }: KnownMap,
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
