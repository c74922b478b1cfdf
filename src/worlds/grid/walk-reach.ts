/**
 * Where an agent believes that it could go: one search over the tiles that it believes free determines which
 * exits, edges and nouns can be reached.
 */
import { known } from '../../base/assert.js';
import { LIMITS } from '../../base/limits.js';
import { once } from '../../base/once.js';
import type { Direction, Point } from '../../environment/space.js';
import { CARDINALS, DIRECTIONS, stepOf } from '../../environment/space.js';
import type { Rect } from './definition.js';
import type { Destination, Walker } from './destinations.js';
import { destinationOf } from './destinations.js';
import type { KnownExit } from './exits.js';
import { roomEdges } from './frontier.js';
import { planThrough, pathBeyond, pathToEdge } from './journey.js';
import type { WalkedTiles } from './walk-search.js';
import { walkFrom } from './walk-search.js';
import type { GridWorld } from './world.js';

export interface WalkReach {
  /**
   * The directions that GO takes: by room, those of the known open exits and, on sides without one, those of
   * the room's unseen edge; by tile, those of the free adjacent tiles.
   */
  directions: readonly Direction[];
  /**
   * Ids of the nouns to which `planTo` would find a path. If more tiles can be walked than are searched, a
   * target that is farther away counts as reachable. Empty if GO takes no target.
   */
  targets: readonly string[];
  /** The bounding rectangle of the reached tiles; null if no action takes coordinates. */
  extent: Rect | null;
}

export function reachOf(walker: Walker): WalkReach {
  const { world, perception } = walker;
  const { movement, goTo, coordinates } = world.definition.rules;
  const reached = searchReachable(walker);
  return {
    directions: movement === 'tile' ? perception.walkability.steps : openSides(walker, reached),
    targets: goTo === false ? [] : reachedNouns(walker, reached),
    extent: coordinates === true ? extentOf(world, reached) : null,
  };
}

/** The tiles that the agent believes it could reach, up to `LIMITS.frontierTiles` unoccupied ones. */
function searchReachable({ world, perception }: Walker): WalkedTiles {
  const { isFree, isOpen, bodyOn } = perception.walkability;
  let freeTiles = 0;
  return walkFrom(world, perception.view.self, {
    isFree: isFree['pass-agents'],
    isOpen,
    isEnough: (x, y) => {
      if (bodyOn(x, y) === null) freeTiles += 1;
      return freeTiles >= LIMITS.frontierTiles;
    },
  });
}

/** The sides with a usable exit or, without an exit, with a reachable edge of the room's unseen part. */
function openSides(walker: Walker, walked: WalkedTiles): readonly Direction[] {
  const { world, perception } = walker;
  const { view, map, exits } = perception;
  const sidesWithExit = CARDINALS.filter((side) => exits.some(({ direction }) => direction === side));
  const edges = sidesWithExit.length === CARDINALS.length ? null : roomEdges(world, view, map.ground);
  return CARDINALS.filter((side) => {
    if (sidesWithExit.includes(side))
      return exits.some((exit) => exit.direction === side && canUseExit(walker, walked, exit));
    const edge = edges?.get(side);
    return edge !== undefined && canReachEdge(walker, walked, edge);
  });
}

/** Whether `planExit` would lead through an exit. */
function canUseExit(walker: Walker, walked: WalkedTiles, exit: KnownExit): boolean {
  if (exit.state !== 'open') return false;
  if (!walked.isWhole) return planThrough(walker, exit).ok;
  return walked.has(exit.x, exit.y) && pathBeyond(walker, exit, 'pass-agents') !== null;
}

/** Whether `planExit` would lead to an edge of what the agent knows. */
function canReachEdge(walker: Walker, walked: WalkedTiles, { x, y }: Point): boolean {
  if (!walked.isWhole) return pathToEdge(walker, { x, y }) !== null;
  return walked.has(x, y) && walker.perception.walkability.bodyOn(x, y) === null;
}

/** A tile and those around it, as steps. */
const AROUND = [{ x: 0, y: 0 }, ...DIRECTIONS.map(stepOf)];

/** Ids of the nouns that can be reached; held things are skipped, because the agent is where they are. */
function reachedNouns(walker: Walker, walked: WalkedTiles): readonly string[] {
  const { world, perception } = walker;
  const { self } = perception.view;
  const { bodyOn } = perception.walkability;
  const rooms = once(() => roomsOf(world, walked, bodyOn));
  const canStopAt = (goal: Destination, x: number, y: number): boolean =>
    walked.has(x, y) && goal.isReached(x, y) && bodyOn(x, y) === null;
  const canGoTo = (id: string): boolean => {
    const goal = id === self.id ? null : destinationOf(walker, id);
    if (goal === null || goal.isReached(self.x, self.y)) return false;
    if (!walked.isWhole) return true;
    const { at } = goal;
    return at === null ? rooms().has(id) : AROUND.some(({ x, y }) => canStopAt(goal, at.x + x, at.y + y));
  };
  return perception.nouns.flatMap(({ id, kinds }) => (!kinds.includes('held') && canGoTo(id) ? [id] : []));
}

/** Ids of the rooms in which one may end on one of the tiles. */
function roomsOf(
  world: GridWorld,
  { tiles }: WalkedTiles,
  bodyOn: Walker['perception']['walkability']['bodyOn'],
): ReadonlySet<string> {
  const { rooms, size } = world.definition;
  const roomIds = new Set<string>();
  let lastOwner = -1;
  for (const tile of tiles) {
    const owner = world.owners[tile] ?? -1;
    if (owner === lastOwner || owner === -1) continue;
    const x = tile % size.width;
    if (bodyOn(x, (tile - x) / size.width) !== null) continue;
    roomIds.add(known(rooms[owner], 'the room of a tile').id);
    // Adjacent tiles mostly belong to the same room, so most can be skipped.
    lastOwner = owner;
  }
  return roomIds;
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
