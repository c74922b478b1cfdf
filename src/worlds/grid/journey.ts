/**
 * Plans of GO: the tiles that an actor intends to walk, from its own tile to the last one. With movement by
 * room, a plan is the whole path through an exit or up to a target; by tile, it is one step. A plan or a
 * refusal uses only what the actor knows; `movement.ts` performs the walk and stops it at actual obstacles.
 */
import { known } from '../../base/assert.js';
import { problem } from '../../base/problem.js';
import type { Direction, Point } from '../../environment/space.js';
import { CARDINALS, moved } from '../../environment/space.js';
import type { RoutePlan } from './actions/grid-action.js';
import type { WalkPolicy } from './believed-walkability.js';
import { believedObstacle } from './believed-walkability.js';
import type { Destination, Walker } from './destinations.js';
import { destinationOf, onTile } from './destinations.js';
import type { KnownExit } from './exits.js';
import { roomEdges } from './frontier.js';
import { knowsTile } from './knowledge.js';
import { notPerceived } from './targets.js';
import { hasOpenCorners, pathToGoal } from './walk-search.js';
import { joinList, theName } from '../../environment/wording.js';
import { tileText } from './wording.js';
import { mayStepAside, roomAt } from './world.js';

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
function planStep({ world, state, perception }: Walker, direction: Direction): RoutePlan {
  const { view, walkability } = perception;
  const from = { x: view.self.x, y: view.self.y };
  const to = moved(from, direction);
  const obstacle = believedObstacle(world, state, view, to);
  if (obstacle !== null) {
    const hint = obstacle.kind === 'door' && obstacle.description.endsWith('closed') ? ' OPEN it first.' : '';
    return refused('blocked', `You can't go ${direction}: ${obstacle.description}.${hint}`);
  }
  if (!hasOpenCorners(from, to, walkability.isOpen)) {
    return refused('blocked', `You can't go ${direction}: both tiles beside a diagonal step must be free.`);
  }
  const body = walkability.bodyOn(to.x, to.y);
  if (body !== null && !mayStepAside(world, state, body.id)) {
    return refused(
      'blocked',
      `You can't go ${direction}: ${theName(world.bodies.get(body.id)?.name ?? body.id)} stands there.`,
    );
  }
  return { ok: true, path: [from, to] };
}

/** The whole path through the exit in a direction, to the tile behind its doorway. */
export function planExit(walker: Walker, direction: Direction): RoutePlan {
  const { exits } = walker.perception;
  const exitsOnSide = exits.filter((exit) => exit.direction === direction);
  if (exitsOnSide.length === 0) return planEdge(walker, direction) ?? noExit(walker, direction, exits);
  const plans = exitsOnSide.map((exit) => planThrough(walker, exit));
  const possible = plans.filter((plan) => plan.ok).toSorted((a, b) => a.path.length - b.path.length);
  return possible[0] ?? plans[0] ?? noExit(walker, direction, exits);
}

/**
 * If no exit is known on a side, the path leads to the edge of the room's unseen part on that side; null if
 * everything there has been seen.
 */
function planEdge(walker: Walker, direction: Direction): RoutePlan | null {
  const { view, map } = walker.perception;
  const side = CARDINALS.find((each) => each === direction);
  if (side === undefined) return null;
  const edge = roomEdges(walker.world, view, map.ground).get(side);
  const path = edge === undefined ? null : pathToEdge(walker, edge);
  return path && { ok: true, path };
}

/** The path to a frontier tile; null if none is known, or if the walker is already there. */
export function pathToEdge({ world, perception }: Walker, { x, y }: Point): readonly Point[] | null {
  const { isFree, isOpen, bodyOn } = perception.walkability;
  const isOccupied = bodyOn(x, y) !== null;
  for (const policy of ['go-round', 'pass-agents'] as const) {
    const path = pathToGoal(world, perception.view.self, {
      isFree: isFree[policy],
      isOpen,
      isGoal: (atX, atY) => atX === x && atY === y && !isOccupied,
    });
    if (path !== null && path.length > 1) return path;
  }
  return null;
}

function noExit(walker: Walker, direction: Direction, exits: readonly KnownExit[]): RoutePlan {
  const directions = new Set(exits.map((exit) => exit.direction));
  const others = CARDINALS.filter((each) => directions.has(each));
  const exitsText =
    others.length > 0 ? `The exits that you know lead ${joinList(others)}.` : suggestEdges(walker);
  return refused('no-exit', `You know no exit to the ${direction} from here. ${exitsText}`);
}

/** The part of a refusal that names the directions with unseen parts of the room, while no exit is known. */
function suggestEdges(walker: Walker): string {
  const openSides = CARDINALS.filter((each) => planEdge(walker, each) !== null);
  if (openSides.length === 0) return 'You know no exit yet.';
  return `You know no exit yet: GO ${openSides.map((each) => each.toUpperCase()).join(' or ')} to see more of the room.`;
}

/** The whole path through an exit. */
export function planThrough(walker: Walker, exit: KnownExit): RoutePlan {
  if (exit.state !== 'open') return refused('shut', closedExitText(exit));
  for (const policy of ['go-round', 'pass-agents'] as const) {
    const path = pathThrough(walker, exit, policy);
    if (path !== null) return { ok: true, path };
  }
  return refused('blocked', `The way to the ${exit.direction} exit is blocked, or you don't know it yet.`);
}

function closedExitText({ direction, name, state, isVisible }: KnownExit): string {
  const hint =
    state === 'locked' ? 'It needs its key: hold it and OPEN or USE it on the door.' : 'OPEN it first.';
  const lid = isVisible ? `is ${state}` : `was ${state} when you last saw it`;
  return `You can't go ${direction}: ${theName(name)} ${lid}. ${hint}`;
}

function pathThrough(walker: Walker, exit: KnownExit, policy: WalkPolicy): readonly Point[] | null {
  const { view, walkability } = walker.perception;
  const toDoor = pathToGoal(walker.world, view.self, {
    isFree: walkability.isFree[policy],
    isOpen: walkability.isOpen,
    isGoal: (x, y) => x === exit.x && y === exit.y,
  });
  const fromDoor = toDoor && pathBeyond(walker, exit, policy);
  return toDoor && fromDoor && [...toDoor, ...fromDoor.slice(1)];
}

/** From the doorway of an exit to the first free tile behind it. */
export function pathBeyond(
  { world, state, perception }: Walker,
  exit: KnownExit,
  policy: WalkPolicy,
): readonly Point[] | null {
  const { isFree, isOpen, bodyOn } = perception.walkability;
  const isFreeTile = isFree[policy];
  const door = known(world.doors.get(exit.door), exit.door);
  const beyond = exit.direction === door.direction ? door.between[1] : door.between[0];
  const doorway = { x: door.x, y: door.y };
  const entry = moved(doorway, exit.direction);
  // The tiles behind the doorway may be unseen: the actor steps into it and finds out.
  const isEntry = (x: number, y: number): boolean => x === entry.x && y === entry.y;
  const isUnseen = !knowsTile(state, perception.view.self.id, entry);
  return pathToGoal(world, doorway, {
    isFree: (x, y) =>
      (isUnseen && isEntry(x, y)) ||
      ((isEntry(x, y) || roomAt(world, x, y)?.id === beyond) && isFreeTile(x, y)),
    isOpen,
    isGoal: (x, y) => !(x === doorway.x && y === doorway.y) && bodyOn(x, y) === null,
  });
}

/** GO TO a thing, door, body or room: the path there or, with movement by tile, its first step. */
export function planTo(walker: Walker, target: string): RoutePlan {
  const agent = walker.perception.view.self.id;
  if (target === agent) return refused('already-there', 'You are where you are.');
  const goal = destinationOf(walker, target);
  if (goal === null) return { ok: false, problem: notPerceived(walker.state, agent, target) };
  return planToGoal(walker, goal);
}

/**
 * GO TO a tile by its coordinates, or up to the closed door on it. Tiles outside the map and unknown tiles
 * are refused in the same words.
 */
export function planToTile(walker: Walker, tile: Point): RoutePlan {
  const { world, state, perception } = walker;
  const name = tileText(tile);
  const obstacle = believedObstacle(world, state, perception.view, tile);
  if (obstacle?.kind === 'door' && obstacle.id !== null) return planTo(walker, obstacle.id);
  if (obstacle !== null) return refused('blocked', `You can't go to ${name}: ${obstacle.description}.`);
  return planToGoal(walker, {
    name,
    arrivalText: `at ${name}`,
    isReached: (x, y) => x === tile.x && y === tile.y,
    at: tile,
  });
}

function planToGoal(walker: Walker, goal: Destination): RoutePlan {
  const from = walker.perception.view.self;
  if (goal.isReached(from.x, from.y)) {
    return refused('already-there', `You are already ${goal.arrivalText}.`);
  }
  const isByTile = walker.world.definition.rules.movement === 'tile';
  for (const policy of ['go-round', 'pass-agents'] as const) {
    const path = pathTo(walker, goal, policy);
    if (path !== null) return { ok: true, path: isByTile ? path.slice(0, 2) : path };
  }
  return refused(
    'no-way',
    `You know no open way to ${goal.name}. Explore, or OPEN what is closed on the way.`,
  );
}

function pathTo(walker: Walker, goal: Destination, policy: WalkPolicy): readonly Point[] | null {
  const { view, walkability } = walker.perception;
  const { isFree, isOpen, bodyOn } = walkability;
  return pathToGoal(walker.world, view.self, {
    isFree: isFree[policy],
    isOpen,
    isGoal: (x, y) => goal.isReached(x, y) && bodyOn(x, y) === null,
  });
}

/** The path to one tile, for actions that walk before they act; null if the actor knows none. */
export function pathOnto(walker: Walker, tile: Point): readonly Point[] | null {
  const goal = onTile('', tile);
  return pathTo(walker, goal, 'go-round') ?? pathTo(walker, goal, 'pass-agents');
}
