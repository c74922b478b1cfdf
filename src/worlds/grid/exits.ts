/**
 * The exits that an agent knows of the room it is in. An exit is a door that it sees or has seen, with the
 * direction in which it leaves the room, its name, and its state now or as last seen. The room behind it is
 * included only if the agent has been there. Nothing reveals an unseen door, or what is behind one.
 */
import { known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import type { Direction } from '../../environment/space.js';
import { DIRECTIONS, bearing, distance } from '../../environment/space.js';
import { chunkGet } from './chunks.js';
import type { Door } from './definition.js';
import type { GridState } from './state.js';
import { nameText } from '../../environment/wording.js';
import type { AgentView } from './view.js';
import type { GridWorld } from './world.js';
import { doorAt, exitDirection, mindOf, roomBeyond } from './world.js';

export interface KnownExit {
  door: string;
  name: string;
  /** The side of the room that it is on. */
  direction: Direction;
  x: number;
  y: number;
  distance: number;
  /** From the agent's position; null: it is in the doorway. */
  bearing: Direction | null;
  /** The state as seen now, or as last seen. */
  state: 'open' | 'closed' | 'locked';
  isVisible: boolean;
  /** Id of the room beyond; null if the agent has never been in it. */
  leadsTo: string | null;
}

/** Sorted by direction clockwise from north, distance and id. In a doorway, both of its sides are exits. */
export function knownExits(world: GridWorld, state: GridState, view: AgentView): readonly KnownExit[] {
  const { self, room } = view;
  const doorway = doorAt(world, self);
  const ownDoorwayExits = (doorway?.between ?? []).map((side) => ({
    door: known(doorway, 'doorway'),
    room: side,
  }));
  const roomExits = (room === null ? [] : (world.doorsOfRoom.get(room.id) ?? []))
    .filter(({ id }) => id !== doorway?.id)
    .map((door) => ({ door, room: room?.id ?? '' }));
  return [...ownDoorwayExits, ...roomExits]
    .flatMap((exit) => exitOf(state, view, exit))
    .toSorted(
      (a, b) =>
        DIRECTIONS.indexOf(a.direction) - DIRECTIONS.indexOf(b.direction) ||
        a.distance - b.distance ||
        compareText(a.door, b.door),
    );
}

function exitOf(
  state: GridState,
  { self, doors }: AgentView,
  { door, room }: { door: Door; room: string },
): readonly KnownExit[] {
  const visibleState = doors.find(({ id }) => id === door.id)?.state ?? null;
  const lid = visibleState ?? rememberedState(state, self.id, door);
  if (lid === null) return [];
  const beyond = roomBeyond(door, room);
  return [
    {
      door: door.id,
      name: nameText(door.name),
      direction: known(exitDirection(door, room), `side of ${door.id}`),
      x: door.x,
      y: door.y,
      distance: distance(self, door),
      bearing: bearing(self, door),
      state: lid,
      isVisible: visibleState !== null,
      leadsTo: mindOf(state, self.id).visited.includes(beyond) ? beyond : null,
    },
  ];
}

function rememberedState(state: GridState, agent: string, door: Door): KnownExit['state'] | null {
  const things = chunkGet(mindOf(state, agent).known, door)?.things ?? {};
  return Object.hasOwn(things, door.id) ? (lookUp(things, door.id)?.lid ?? null) : null;
}
