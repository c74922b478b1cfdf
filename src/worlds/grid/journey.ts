/**
 * Plans of GO: the tiles that an actor means to walk, from its own tile to the last one, based only on what
 * it knows. By `room` a plan is the whole path through an exit or up to a target, by `tile` one step. A plan
 * or a refusal uses only what the actor could work out before it goes; `movement.ts` walks it and meets what
 * is really there.
 */
import type { Problem } from '../../base/problem.js';
import { known } from '../../base/assert.js';
import { LIMITS } from '../../base/limits.js';
import { once } from '../../base/once.js';
import { problem } from '../../base/problem.js';
import type { Direction, Point } from '../../environment/space.js';
import { CARDINALS, DIRECTIONS, moved, stepOf } from '../../environment/space.js';
import type { Door, Rect } from './definition.js';
import type { KnownExit } from './exits.js';
import { knownExits } from './exits.js';
import type { WalkPolicy } from './believed-walkability.js';
import {
  believedObstacle,
  believesFree,
  believesOpen,
  seenBodies,
  seenBody,
} from './believed-walkability.js';
import { edgeTowards, knownGround, roomEdges } from './known-map.js';
import { knowsTile } from './knowledge.js';
import type { BodyState, GridState } from './state.js';
import type { ActionTarget } from './targets.js';
import { isWithinReach, memoryOf, notPerceived, perceivedTarget } from './targets.js';
import { viewOf } from './view.js';
import type { TileTest, WalkedTiles } from './walk-search.js';
import { hasOpenCorners, walkFrom, wayTo } from './walk-search.js';
import { listed, theName, tileWords } from './wording.js';
import type { GridWorld } from './world.js';
import { mayStepAside, mindOf, roomAt, standingOf } from './world.js';

/** The tiles to walk, the actor's own first; or why it can't go. */
export type RoutePlan =
  { readonly ok: true; readonly path: readonly Point[] } | { readonly ok: false; readonly problem: Problem };

/** Whose plan, in which world. */
export interface Walker {
  readonly world: GridWorld;
  readonly state: GridState;
  readonly agent: string;
}

function refused(why: string, message: string): RoutePlan {
  return { ok: false, problem: problem(`illegal/${why}`, message) };
}

/** GO with a direction. */
export function planDirection(walker: Walker, direction: Direction): RoutePlan {
  return walker.world.definition.rules.movement === 'room'
    ? planExit(walker, direction)
    : planStep(walker, direction);
}

/** One tile in a direction. A body that may walk on in the same tick is no reason to refuse it. */
function planStep({ world, state, agent }: Walker, direction: Direction): RoutePlan {
  const from = standingOf(state, agent);
  const to = moved(from, direction);
  const obstacle = believedObstacle(world, state, agent, to);
  if (obstacle !== null) {
    const hint = obstacle.kind === 'door' && obstacle.words.endsWith('closed') ? ' OPEN it first.' : '';
    return refused('blocked', `You can't go ${direction}: ${obstacle.words}.${hint}`);
  }
  const isOpen = (x: number, y: number): boolean => believedObstacle(world, state, agent, { x, y }) === null;
  if (!hasOpenCorners(from, to, isOpen)) {
    return refused('blocked', `You can't go ${direction}: both tiles beside a diagonal step must be free.`);
  }
  const body = seenBody(world, state, agent, to);
  if (body !== null && !mayStepAside(world, state, body.id)) {
    return refused(
      'blocked',
      `You can't go ${direction}: ${theName(world.bodies.get(body.id)?.name ?? body.id)} stands there.`,
    );
  }
  return { ok: true, path: [from, to] };
}

/** The whole way through the exit in a direction, to the tile behind its doorway. */
export function planExit(walker: Walker, direction: Direction): RoutePlan {
  const { world, state, agent } = walker;
  const exits = knownExits(world, state, viewOf(world, state, agent));
  const there = exits.filter((exit) => exit.direction === direction);
  if (there.length === 0) return planEdge(walker, direction) ?? noExit(walker, direction, exits);
  const plans = there.map((exit) => planThrough(walker, exit));
  const ways = plans.filter((plan) => plan.ok).toSorted((a, b) => a.path.length - b.path.length);
  return ways[0] ?? plans[0] ?? noExit(walker, direction, exits);
}

/** Where no exit is known on a side, on towards what the room does not show yet; null where it shows all there. */
function planEdge(walker: Walker, direction: Direction): RoutePlan | null {
  const { world, state, agent } = walker;
  const side = CARDINALS.find((each) => each === direction);
  if (side === undefined) return null;
  const view = viewOf(world, state, agent);
  const edge = edgeTowards(roomEdges(world, view, knownGround(world, state, view)), side);
  const path = edge && wayToEdge(walker, edge);
  return path && { ok: true, path };
}

/** Null if none is known, or if it is there already. */
function wayToEdge({ world, state, agent }: Walker, edge: Point): readonly Point[] | null {
  for (const manners of ['go-round', 'pass-agents'] as const) {
    const path = wayTo(world, standingOf(state, agent), {
      isFree: believesFree(world, state, { agent, manners }),
      isOpen: believesOpen(world, state, agent),
      isGoal: (x, y) => x === edge.x && y === edge.y && seenBody(world, state, agent, edge) === null,
    });
    if (path !== null && path.length > 1) return path;
  }
  return null;
}

function noExit(walker: Walker, direction: Direction, exits: readonly KnownExit[]): RoutePlan {
  const directions = new Set(exits.map((exit) => exit.direction));
  const others = CARDINALS.filter((each) => directions.has(each));
  const rest = others.length > 0 ? `The exits that you know lead ${listed(others)}.` : noneYet(walker);
  return refused('no-exit', `You know no exit to the ${direction} from here. ${rest}`);
}

/** Where one may go instead while no exit is known: on to what the room does not show yet. */
function noneYet(walker: Walker): string {
  const onwards = CARDINALS.filter((each) => planEdge(walker, each) !== null);
  if (onwards.length === 0) return 'You know no exit yet.';
  return `You know no exit yet: GO ${onwards.map((each) => each.toUpperCase()).join(' or ')} to see more of the room.`;
}

function planThrough(walker: Walker, exit: KnownExit): RoutePlan {
  if (exit.state !== 'open') return refused('shut', shutExit(exit));
  for (const manners of ['go-round', 'pass-agents'] as const) {
    const path = pathThrough(walker, exit, manners);
    if (path !== null) return { ok: true, path };
  }
  return refused('blocked', `The way to the ${exit.direction} exit is blocked, or you don't know it yet.`);
}

function shutExit({ direction, name, state, isVisible }: KnownExit): string {
  const hint =
    state === 'locked' ? 'It needs its key: hold it and OPEN or USE it on the door.' : 'OPEN it first.';
  const lid = isVisible ? `is ${state}` : `was ${state} when you last saw it`;
  return `You can't go ${direction}: ${theName(name)} ${lid}. ${hint}`;
}

function pathThrough(walker: Walker, exit: KnownExit, manners: WalkPolicy): readonly Point[] | null {
  const { world, state, agent } = walker;
  const toDoor = wayTo(world, standingOf(state, agent), {
    isFree: believesFree(world, state, { agent, manners }),
    isOpen: believesOpen(world, state, agent),
    isGoal: (x, y) => x === exit.x && y === exit.y,
  });
  const fromDoor = toDoor && wayBeyond(walker, exit, manners);
  return toDoor && fromDoor && [...toDoor, ...fromDoor.slice(1)];
}

/** From the doorway of an exit to the first free tile behind it. */
function wayBeyond(walker: Walker, exit: KnownExit, manners: WalkPolicy): readonly Point[] | null {
  const { world, state, agent } = walker;
  const door = known(world.doors.get(exit.door), exit.door);
  const beyond = roomThrough(door, exit.direction);
  const doorway = { x: door.x, y: door.y };
  const entry = moved(doorway, exit.direction);
  const free = believesFree(world, state, { agent, manners });
  // The tiles behind the doorway may be unseen: the actor steps into it and finds out.
  const bodyOn = seenBodies(world, state, agent);
  const isEntry = (x: number, y: number): boolean => x === entry.x && y === entry.y;
  const isUnseen = !knowsTile(state, agent, entry);
  return wayTo(world, doorway, {
    isFree: (x, y) =>
      (isUnseen && isEntry(x, y)) || ((isEntry(x, y) || roomAt(world, x, y)?.id === beyond) && free(x, y)),
    isOpen: believesOpen(world, state, agent),
    isGoal: (x, y) => !(x === doorway.x && y === doorway.y) && bodyOn(x, y) === null,
  });
}

function roomThrough({ between, direction }: Door, way: Direction): string {
  return way === direction ? between[1] : between[0];
}

/** GO TO a thing, door, body or room: the way there, or by `tile` its first step. */
export function planTo(walker: Walker, target: string): RoutePlan {
  if (target === walker.agent) return refused('already-there', 'You are where you are.');
  const goal = goalOf(walker, target);
  if (goal === null) return { ok: false, problem: notPerceived(walker.state, walker.agent, target) };
  return planToGoal(walker, goal);
}

/** Where an agent believes it could go, found by one search for all ways. */
export interface WalkReach {
  /**
   * Whether `planTo` would find a path. If more can be walked than is searched, a target that is farther is
   * taken to be reachable.
   */
  readonly canGoTo: (target: string) => boolean;
  /** Whether `planExit` would lead through an exit. */
  readonly canLeaveBy: (exit: KnownExit) => boolean;
  /** Whether `planExit` would lead to an edge of what it knows. */
  readonly canGoOn: (edge: Point) => boolean;
  /** Holds every tile that was searched. */
  readonly extent: Rect;
}

/** A tile and those around it, as steps. */
const AROUND = [{ x: 0, y: 0 }, ...DIRECTIONS.map(stepOf)];

/** Valid until the reach of another agent in the same world is requested. */
export function reachOf(walker: Walker): WalkReach {
  const { world, state, agent } = walker;
  const walked = walkedBy(walker);
  const { isWhole } = walked;
  const from = standingOf(state, agent);
  const bodyOn = seenBodies(world, state, agent);
  const endsAt = (goal: Destination, x: number, y: number): boolean =>
    walked.has(x, y) && goal.isReached(x, y) && bodyOn(x, y) === null;
  const rooms = once(() => roomsOf(world, walked, bodyOn));
  return {
    canGoTo: (target) => {
      const goal = target === agent ? null : goalOf(walker, target);
      if (goal === null || goal.isReached(from.x, from.y)) return false;
      if (!isWhole) return true;
      const around = goal.at;
      if (around === null) return rooms().has(target);
      for (const { x, y } of AROUND) if (endsAt(goal, around.x + x, around.y + y)) return true;
      return false;
    },
    canLeaveBy: (exit) => {
      if (exit.state !== 'open') return false;
      if (!isWhole) return planThrough(walker, exit).ok;
      return walked.has(exit.x, exit.y) && wayBeyond(walker, exit, 'pass-agents') !== null;
    },
    canGoOn: (edge) =>
      isWhole
        ? walked.has(edge.x, edge.y) && bodyOn(edge.x, edge.y) === null
        : wayToEdge(walker, edge) !== null,
    get extent() {
      return extentOf(world, walked);
    },
  };
}

function extentOf({ definition }: GridWorld, { tiles }: WalkedTiles): Rect {
  const { width } = definition.size;
  let [left, right, top, bottom] = [Infinity, 0, Infinity, 0];
  for (const tile of tiles) {
    const x = tile % width;
    const y = (tile - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Ids of the rooms in which one may end on one of the tiles. */
function roomsOf(
  world: GridWorld,
  { tiles }: WalkedTiles,
  bodyOn: (x: number, y: number) => BodyState | null,
): ReadonlySet<string> {
  const { rooms, size } = world.definition;
  const found = new Set<string>();
  let last = -1;
  for (const tile of tiles) {
    const owner = world.owners[tile] ?? -1;
    if (owner === last || owner === -1) continue;
    const x = tile % size.width;
    if (bodyOn(x, (tile - x) / size.width) !== null) continue;
    found.add(known(rooms[owner], 'the room of a tile').id);
    // Tiles come room by room: most need not be asked.
    last = owner;
  }
  return found;
}

/** Everything that the agent believes it could reach; until the free tiles are `LIMITS.frontierTiles`. */
function walkedBy({ world, state, agent }: Walker): WalkedTiles {
  let standable = 0;
  const bodyOn = seenBodies(world, state, agent);
  return walkFrom(world, standingOf(state, agent), {
    isFree: believesFree(world, state, { agent, manners: 'pass-agents' }),
    isOpen: believesOpen(world, state, agent),
    isEnough: (x, y) => {
      if (bodyOn(x, y) === null) standable += 1;
      return standable >= LIMITS.frontierTiles;
    },
  });
}

/** GO TO a tile by its numbers, or up to the shut door on it. Beyond the world's end and where nothing is known sound the same. */
export function planToTile(walker: Walker, tile: Point): RoutePlan {
  const { world, state, agent } = walker;
  const name = tileWords(tile);
  const obstacle = believedObstacle(world, state, agent, tile);
  if (obstacle?.kind === 'door' && obstacle.id !== null) return planTo(walker, obstacle.id);
  if (obstacle !== null) return refused('blocked', `You can't go to ${name}: ${obstacle.words}.`);
  return planToGoal(walker, {
    name,
    there: `at ${name}`,
    isReached: (x, y) => x === tile.x && y === tile.y,
    at: tile,
  });
}

function planToGoal(walker: Walker, goal: Destination): RoutePlan {
  const from = standingOf(walker.state, walker.agent);
  if (goal.isReached(from.x, from.y)) {
    return refused('already-there', `You are already ${goal.there}.`);
  }
  const isByTile = walker.world.definition.rules.movement === 'tile';
  for (const manners of ['go-round', 'pass-agents'] as const) {
    const path = pathTo(walker, goal, manners);
    if (path !== null) return { ok: true, path: isByTile ? path.slice(0, 2) : path };
  }
  return refused(
    'no-way',
    `You know no open way to ${goal.name}. Explore, or OPEN what is closed on the way.`,
  );
}

interface Destination {
  readonly name: string;
  /** "in the kitchen", "next to the rat". */
  readonly there: string;
  readonly isReached: TileTest;
  /** It is reached on this tile or on one of those around it; null: elsewhere too. */
  readonly at: Point | null;
}

function goalOf(walker: Walker, target: string): Destination | null {
  const { world, state, agent } = walker;
  const seen = perceivedTarget(world, state, agent, target);
  if (seen !== null) return (isOnSeen(walker, seen) ? onto : nextTo)(seen.name, seen.at);
  const memory = memoryOf(state, agent, target);
  if (memory !== null) {
    const isOn = !world.doors.has(target) && believedObstacle(world, state, agent, memory) === null;
    return (isOn ? onto : nextTo)(theName(memory.name), memory);
  }
  const room = mindOf(state, agent).visited.includes(target) ? world.rooms.get(target) : undefined;
  if (room === undefined) return null;
  const name = theName(room.name);
  return { name, there: `in ${name}`, isReached: (x, y) => roomAt(world, x, y)?.id === target, at: null };
}

/** Whether the walk goes onto the target: non-blocking things on an unoccupied tile. */
function isOnSeen({ world, state, agent }: Walker, seen: ActionTarget): boolean {
  if (seen.kind !== 'thing' || (seen.holder !== null && seen.holder !== agent)) return false;
  return (
    believedObstacle(world, state, agent, seen.at) === null && seenBody(world, state, agent, seen.at) === null
  );
}

function onto(name: string, at: Point): Destination {
  return { name, there: `where ${name} is`, isReached: (x, y) => x === at.x && y === at.y, at };
}

function nextTo(name: string, at: Point): Destination {
  return {
    name,
    there: `next to ${name}`,
    isReached: (x, y) => isWithinReach({ x, y }, at) && !(x === at.x && y === at.y),
    at,
  };
}

function pathTo(walker: Walker, goal: Destination, manners: WalkPolicy): readonly Point[] | null {
  const { world, state, agent } = walker;
  const bodyOn = seenBodies(world, state, agent);
  return wayTo(world, standingOf(state, agent), {
    isFree: believesFree(world, state, { agent, manners }),
    isOpen: believesOpen(world, state, agent),
    isGoal: (x, y) => goal.isReached(x, y) && bodyOn(x, y) === null,
  });
}

/** The way to one tile, for actions that walk before they act; null where the actor knows none. */
export function pathOnto(walker: Walker, tile: Point): readonly Point[] | null {
  const goal = onto('', tile);
  return pathTo(walker, goal, 'go-round') ?? pathTo(walker, goal, 'pass-agents');
}
