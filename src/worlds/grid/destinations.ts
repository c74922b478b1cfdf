/**
 * Where GO leads: onto or next to something that the walker perceives or remembers, or into a room that it
 * has been in. A destination contains nothing that the walker does not know.
 */
import type { Point } from '../../environment/space.js';
import type { Perception } from './perception.js';
import type { GridState } from './state.js';
import type { ActionTarget } from './targets.js';
import { memoryOf, perceivedTarget } from './targets.js';
import type { TileTest } from './walk-search.js';
import { theName } from '../../environment/wording.js';
import type { GridWorld } from './world.js';
import { isWithinReach, mindOf, roomAt } from './world.js';

/** An agent that walks, with what it perceives in that state. */
export interface Walker {
  world: GridWorld;
  state: GridState;
  perception: Perception;
}

/** The thing or place that a walk leads to. */
export interface Destination {
  name: string;
  /** "in the kitchen", "next to the rat". */
  arrivalText: string;
  isReached: TileTest;
  /** The walk ends on this tile or one of the eight around it; null for rooms, which are larger. */
  at: Point | null;
}

/** The destination for a thing, door, body or room; null if the agent neither perceives nor remembers it. */
export function destinationOf(walker: Walker, target: string): Destination | null {
  const { world, state, perception } = walker;
  const { view, walkability } = perception;
  const agent = view.self.id;
  const seen = perceivedTarget(world, state, agent, target);
  if (seen !== null) return (isEnterableTarget(perception, seen) ? onTile : besideTile)(seen.name, seen.at);
  const memory = memoryOf(state, agent, target);
  if (memory !== null) {
    const isEnterable = !world.doors.has(target) && walkability.isOpen(memory.x, memory.y);
    return (isEnterable ? onTile : besideTile)(theName(memory.name), memory);
  }
  const room = mindOf(state, agent).visited.includes(target) ? world.rooms.get(target) : undefined;
  if (room === undefined) return null;
  const name = theName(room.name);
  return {
    name,
    arrivalText: `in ${name}`,
    isReached: (x, y) => roomAt(world, x, y)?.id === target,
    at: null,
  };
}

/** Whether the walk ends on the target's tile: true for non-blocking things on an unoccupied tile. */
function isEnterableTarget({ view, walkability }: Perception, seen: ActionTarget): boolean {
  if (seen.kind !== 'thing' || (seen.holder !== null && seen.holder !== view.self.id)) return false;
  return walkability.isFree['go-round'](seen.at.x, seen.at.y);
}

/** A destination that is a single tile. */
export function onTile(name: string, at: Point): Destination {
  return { name, arrivalText: `where ${name} is`, isReached: (x, y) => x === at.x && y === at.y, at };
}

function besideTile(name: string, at: Point): Destination {
  return {
    name,
    arrivalText: `next to ${name}`,
    isReached: (x, y) => isWithinReach({ x, y }, at) && !(x === at.x && y === at.y),
    at,
  };
}
