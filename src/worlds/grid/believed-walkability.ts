/**
 * Where an agent believes that it can walk: terrain it has seen, doors and things as it sees or remembers
 * them, bodies that it sees. Paths are planned on this alone, so that neither a plan nor a refusal reveals
 * anything hidden; real obstacles are met on the way (`movement.ts`).
 */
import type { Point } from '../../environment/space.js';
import { DIRECTIONS, isDiagonal, samePoint, stepOf } from '../../environment/space.js';
import { assert, at, known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { Recent } from '../../base/recent.js';
import { chunkGet } from './chunks.js';
import type { TileTest } from './known-map.js';
import { openGround } from './known-map.js';
import { knowsTile } from './knowledge.js';
import { canSee } from './sight.js';
import type { BodyState, GridState } from './state.js';
import type { AgentView } from './view.js';
import { showing, viewOf } from './view.js';
import { theName } from './wording.js';
import type { GridWorld } from './world.js';
import { bodyOf, doorAt, doorOf, isInside, looks, mindOf, terrainAt, thingsOn } from './world.js';

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

const STEPS = DIRECTIONS.toSorted((a, b) => Number(isDiagonal(a)) - Number(isDiagonal(b))).map(stepOf);

const STRAIGHT_STEPS = STEPS.filter(({ x, y }) => x === 0 || y === 0);

/** What a search knows of each tile, reused by the next one of its kind on the same world. */
interface WalkTables {
  /** The last search that came to know anything. */
  readonly searches: Uint32Array;
  /** The tile from which this one was reached, or one of the below. */
  readonly before: Int32Array;
  newest: number;
}

const [NOWHERE, BARRED] = [-1, -2];
const [wayTables, reachTables] = [new WeakMap<GridWorld, WalkTables>(), new WeakMap<GridWorld, WalkTables>()];

function tablesOf(world: GridWorld, kept: WeakMap<GridWorld, WalkTables>): WalkTables {
  const before = kept.get(world);
  if (before !== undefined) return before;
  const tiles = world.terrain.length;
  const made = { searches: new Uint32Array(tiles), before: new Int32Array(tiles), newest: 0 };
  kept.set(world, made);
  return made;
}

/** Where a walker may go; each of them is asked of a tile at most once. */
export interface Walkable {
  /** Whether a tile may be stepped on. */
  readonly isFree: TileTest;
  /** Whether a tile may be beside a diagonal step. */
  readonly isOpen: TileTest;
}

/**
 * The shortest way from a tile to the nearest goal over free tiles, both ends included; null where there is none. Breadth
 * first, cardinal directions first, so that the way depends on the arguments alone. The start need not be free.
 */
export function wayTo(
  world: GridWorld,
  from: Point,
  search: Walkable & { readonly isGoal: TileTest },
): readonly Point[] | null {
  const table = tablesOf(world, wayTables);
  const goal = spread(world, from, search, table);
  return goal === null ? null : walkBack(table, goal, world.definition.size.width);
}

/** The tiles to which free ones lead from a tile, that one included. */
export interface WalkedTiles {
  /** Whether a tile is one of them. Asserts that no other walk of this world was made since. */
  readonly has: TileTest;
  /** Their numbers, row by row; nearest first. */
  readonly tiles: readonly number[];
  /** False where the search was ended. */
  readonly isWhole: boolean;
}

/** All that can be walked to, until `isEnough` ends the search; it is asked of each tile once, nearest first. */
export function walkFrom(
  world: GridWorld,
  from: Point,
  { isFree, isOpen, isEnough }: Walkable & { readonly isEnough: TileTest },
): WalkedTiles {
  const { width, height } = world.definition.size;
  const table = tablesOf(world, reachTables);
  const tiles: number[] = [];
  const isWhole = spread(world, from, { isFree, isOpen, isGoal: isEnough }, table, tiles) === null;
  const search = table.newest;
  return {
    has: (x, y) => {
      assert(table.newest === search, 'a walk is asked before the next one is made');
      if (x < 0 || y < 0 || x >= width || y >= height) return false;
      const tile = y * width + x;
      return table.searches[tile] === search && table.before[tile] !== BARRED;
    },
    tiles,
    isWhole,
  };
}

/** The number of the goal that is found first; null for none. What is walked on the way is added to `queue`. */
function spread(
  world: GridWorld,
  from: Point,
  { isFree, isOpen, isGoal }: Walkable & { readonly isGoal: TileTest },
  table: WalkTables,
  queue: number[] = [],
): number | null {
  const { width, height } = world.definition.size;
  const steps = world.hasDiagonals ? STEPS : STRAIGHT_STEPS;
  const { searches } = table;
  const newest = ++table.newest;
  const start = from.y * width + from.x;
  note(table, start, NOWHERE);
  queue.push(start);
  for (let next = 0; next < queue.length; next++) {
    const tile = queue[next] ?? start;
    const x = tile % width;
    const y = (tile - x) / width;
    if (isGoal(x, y)) return tile;
    for (const step of steps) {
      const toX = x + step.x;
      const toY = y + step.y;
      const index = toY * width + toX;
      if (toX < 0 || toY < 0 || toX >= width || toY >= height) continue;
      if (searches[index] === newest) continue;
      if (!isFree(toX, toY)) note(table, index, BARRED);
      else if (toX === x || toY === y || (isOpen(x, toY) && isOpen(toX, y))) {
        note(table, index, tile);
        queue.push(index);
      }
    }
  }
  return null;
}

function note(table: WalkTables, index: number, before: number): void {
  table.searches[index] = table.newest;
  table.before[index] = before;
}

function walkBack({ before }: WalkTables, goal: number, width: number): readonly Point[] {
  const way: Point[] = [];
  let index = goal;
  while (index !== NOWHERE) {
    way.push({ x: index % width, y: Math.floor(index / width) });
    index = at(before, index);
  }
  return way.toReversed();
}

/** The tiles one step away, straight ones first; a diagonal only where the rules have it and its corners are open. */
export function openSteps(
  world: GridWorld,
  from: Point,
  test: { readonly isFree: TileTest; readonly isOpen: TileTest },
): readonly Point[] {
  const steps = world.hasDiagonals ? STEPS : STRAIGHT_STEPS;
  return steps
    .map(({ x, y }) => ({ x: from.x + x, y: from.y + y }))
    .filter(
      (tile) =>
        isInside(world, tile) && test.isFree(tile.x, tile.y) && hasOpenCorners(from, tile, test.isOpen),
    );
}

/** Whether a step may be taken as far as the two tiles beside a diagonal go; true for every straight step. */
export function hasOpenCorners(from: Point, to: Point, isOpen: TileTest): boolean {
  return from.x === to.x || from.y === to.y || (isOpen(from.x, to.y) && isOpen(to.x, from.y));
}

/** The body's own tile. */
export function standingOf(state: GridState, id: string): Point {
  const { x, y } = known(bodyOf(state, id), `body ${id}`);
  return { x, y };
}

/** Whether a body may move in the agents' part of a turn: NPCs move after it, and who is done or caught moves no more. */
export function mayStepAside(world: GridWorld, state: GridState, id: string): boolean {
  return world.agents.has(id) && bodyOf(state, id)?.status === 'awake';
}
