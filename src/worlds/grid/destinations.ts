/**
 * Where GO leads: onto or next to what the walker perceives or remembers, or into a room that it has been in.
 * In: an id; out: the tiles at which the walker has arrived. A destination contains nothing that the walker
 * does not know.
 */
import type { Point } from '../../environment/space.js';
import type { Perception } from './perception.js';
import type { GridState } from './state.js';
import type { ActionTarget } from './targets.js';
import { memoryOf, perceivedTarget } from './targets.js';
import type { TileTest } from './walk-search.js';
import { theName } from './wording.js';
import type { GridWorld } from './world.js';
import { isWithinReach, mindOf, roomAt } from './world.js';

/** The walker: an agent with what it perceives in that state. */
export interface Walker {
  readonly world: GridWorld;
  readonly state: GridState;
  readonly perception: Perception;
}

/** The thing or place that a walk leads to. */
export interface Destination {
  readonly name: string;
  /** "in the kitchen", "next to the rat". */
  readonly there: string;
  readonly isReached: TileTest;
  /** Reached on this tile or one of those around it; null: elsewhere too. */
  readonly at: Point | null;
}

/** Of a thing, door, body or room by its id; null if the agent neither perceives nor remembers it. */
export function destinationOf(walker: Walker, target: string): Destination | null {
  const { world, state, perception } = walker;
  const { view, walkability } = perception;
  const agent = view.self.id;
  const seen = perceivedTarget(world, state, agent, target);
  if (seen !== null) return (isOnSeen(perception, seen) ? onto : nextTo)(seen.name, seen.at);
  const memory = memoryOf(state, agent, target);
  if (memory !== null) {
    const isOn = !world.doors.has(target) && walkability.isOpen(memory.x, memory.y);
    return (isOn ? onto : nextTo)(theName(memory.name), memory);
  }
  const room = mindOf(state, agent).visited.includes(target) ? world.rooms.get(target) : undefined;
  if (room === undefined) return null;
  const name = theName(room.name);
  return { name, there: `in ${name}`, isReached: (x, y) => roomAt(world, x, y)?.id === target, at: null };
}

/** Whether the walk goes onto the target: non-blocking things on an unoccupied tile. */
function isOnSeen({ view, walkability }: Perception, seen: ActionTarget): boolean {
  if (seen.kind !== 'thing' || (seen.holder !== null && seen.holder !== view.self.id)) return false;
  return walkability.isFree['go-round'](seen.at.x, seen.at.y);
}

/** The tile itself. */
export function onto(name: string, at: Point): Destination {
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
