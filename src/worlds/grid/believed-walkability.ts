/**
 * Where an agent believes that it can walk: terrain it has seen, doors and things as it sees or remembers
 * them, bodies that it sees. Paths are planned on this alone, so that neither a plan nor a refusal reveals
 * anything hidden; real obstacles are met on the way (`movement.ts`).
 */
import type { Point } from '../../environment/space.js';
import { samePoint } from '../../environment/space.js';
import { compareText } from '../../base/ids.js';
import { Recent } from '../../base/recent.js';
import { chunkGet } from './chunks.js';
import { openGround } from './known-map.js';
import { knowsTile } from './knowledge.js';
import { canSee } from './sight.js';
import type { BodyState, GridState } from './state.js';
import type { AgentView } from './view.js';
import { showing, viewOf } from './view.js';
import type { TileTest } from './walk-search.js';
import { theName } from './wording.js';
import type { GridWorld } from './world.js';
import { doorAt, doorOf, isInside, looks, mindOf, terrainAt, thingsOn } from './world.js';

/** What is in the way on a tile, as the walker would say it: "the oak door is closed". */
export interface Obstacle {
  readonly kind: 'unknown' | 'terrain' | 'door' | 'thing' | 'body';
  /** Id of the door, thing or body; null for terrain. */
  readonly id: string | null;
  readonly words: string;
}

/** What the agent believes to be in the way on a tile, bodies apart; null: nothing. */
export function believedObstacle(
  world: GridWorld,
  state: GridState,
  agent: string,
  tile: Point,
): Obstacle | null {
  if (!isInside(world, tile) || !knowsTile(state, agent, tile)) {
    return { kind: 'unknown', id: null, words: "you don't know what is there" };
  }
  if (canSee(world, state, agent, tile))
    return obstacleOf(world, state, { tile, isShown: showing(world, state, agent) });
  return terrainObstacle(world, tile) ?? rememberedObstacle(world, state, agent, tile);
}

/** What is really in the way on a tile, bodies apart; null: nothing. */
export function realObstacle(world: GridWorld, state: GridState, tile: Point): Obstacle | null {
  return obstacleOf(world, state, { tile, isShown: () => true });
}

/** `isShown`: which things count. */
function obstacleOf(
  world: GridWorld,
  state: GridState,
  { tile, isShown }: { readonly tile: Point; readonly isShown: (id: string) => boolean },
): Obstacle | null {
  const terrain = terrainObstacle(world, tile);
  if (terrain !== null) return terrain;
  const door = doorAt(world, tile);
  const lid = door && doorOf(state, door.id)?.state;
  if (door && lid && lid !== 'open') {
    return { kind: 'door', id: door.id, words: `${theName(door.name)} is ${lid}` };
  }
  const thing = thingsOn(state, tile).find((item) => looks(world, item).blocking && isShown(item.id));
  if (thing === undefined) return null;
  return { kind: 'thing', id: thing.id, words: `${theName(looks(world, thing).name)} is in the way` };
}

function terrainObstacle(world: GridWorld, tile: Point): Obstacle | null {
  const terrain = terrainAt(world, tile.x, tile.y);
  if (terrain?.walkable === true) return null;
  const words = terrain ? `${theName(terrain.name)} is in the way` : 'the world ends there';
  return { kind: 'terrain', id: null, words };
}

function rememberedObstacle(world: GridWorld, state: GridState, agent: string, tile: Point): Obstacle | null {
  const memories = Object.values(chunkGet(mindOf(state, agent).known, tile)?.things ?? {})
    .filter((memory) => samePoint(memory, tile))
    .toSorted((a, b) => compareText(a.id, b.id));
  const isShown = showing(world, state, agent);
  for (const { id, name, lid } of memories) {
    if (world.doors.has(id) && lid !== 'open') {
      return { kind: 'door', id, words: `${theName(name)} was ${lid ?? 'closed'} when you last saw it` };
    }
    if (world.things.get(id)?.blocking === true && isShown(id)) {
      return { kind: 'thing', id, words: `${theName(name)} was in the way when you last saw it` };
    }
  }
  return null;
}

/** Whether bodies are let through: agents step aside for a walker that passes by, NPCs do not. */
export type WalkPolicy = 'go-round' | 'pass-agents';

/** The body that the agent sees on a tile and that blocks it; null where none does. */
export function seenBody(world: GridWorld, state: GridState, agent: string, tile: Point): BodyState | null {
  return seenBodies(world, state, agent)(tile.x, tile.y);
}

/** As `seenBody`, for many tiles: who is in sight is looked up once. */
export function seenBodies(
  world: GridWorld,
  state: GridState,
  agent: string,
): (x: number, y: number) => BodyState | null {
  const others = bodiesSeen(world, state, viewOf(world, state, agent));
  return (x, y) => standsOn(others, x, y);
}

function standsOn(bodies: readonly BodyState[], x: number, y: number): BodyState | null {
  for (const body of bodies) if (body.x === x && body.y === y) return body;
  return null;
}

/** As many agents as may look at a state by turns before one of them looks again. */
const VIEWS_KEPT = 4;
/** By view, of which there is one for a state and an agent: an offer asks for the same a dozen times. */
const bodiesOfViews = new Recent<AgentView, readonly BodyState[]>(VIEWS_KEPT);

/** The bodies in sight that block, by id. */
function bodiesSeen(world: GridWorld, state: GridState, view: AgentView): readonly BodyState[] {
  const before = bodiesOfViews.get(view);
  if (before !== undefined) return before;
  const { self, sight } = view;
  const isShown = showing(world, state, self.id);
  const isSeen = ({ id, x, y }: BodyState): boolean => id !== self.id && sight.has(x, y) && isShown(id);
  const blocking = world.definition.rules.bodiesBlock ? Object.values(state.bodies).filter(isSeen) : [];
  const bodies = blocking.toSorted((a, b) => compareText(a.id, b.id));
  bodiesOfViews.add(view, bodies);
  return bodies;
}

/** Whether the agent believes that nothing but bodies is in the way on a tile: as `believedObstacle`, by the ground as it knows it. */
export function believesOpen(world: GridWorld, state: GridState, agent: string): TileTest {
  return openGround(world, state, viewOf(world, state, agent));
}

/** Whether the agent believes that it can step on a tile. */
export function believesFree(
  world: GridWorld,
  state: GridState,
  walker: { readonly agent: string; readonly manners: WalkPolicy },
): TileTest {
  const { agent, manners } = walker;
  const view = viewOf(world, state, agent);
  const isOpen = openGround(world, state, view);
  const bodies = bodiesSeen(world, state, view);
  // If several are on one tile, the first by id decides.
  return (x, y) => {
    if (!isOpen(x, y)) return false;
    const body = standsOn(bodies, x, y);
    return body === null || (manners === 'pass-agents' && world.agents.has(body.id));
  };
}
