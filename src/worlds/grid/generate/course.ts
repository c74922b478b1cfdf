/**
 * In which order a generated map opens: from the first room, one lock after another, each key laid into a room that is open
 * before its door. Rooms are then counted in this order, so that the last one is the deepest.
 */
import { at } from '../../../base/assert.js';
import type { Dice } from './dice.js';
import type { RoomLayout, RoomLink } from './layout.js';
import { depths, regionsOf } from './layout.js';

export interface RoomCourse {
  /** Indices of the layout's rooms, the first room first. */
  readonly order: readonly number[];
  /** The locked links in the order in which they open, each with the rooms for its key: the one drawn, then all that are open. */
  readonly keys: readonly { readonly link: RoomLink; readonly rooms: readonly number[] }[];
}

export function courseOf(layout: RoomLayout, dice: Dice): RoomCourse {
  const start = dice.below(layout.rooms.length);
  const regions = regionsOf(
    layout.rooms.length,
    layout.links.filter(({ isLocked }) => !isLocked),
  );
  const roomsIn = (region: number): readonly number[] =>
    layout.rooms.flatMap((_room, index) => (at(regions, index) === region ? [index] : []));
  const opened = [at(regions, start)];
  const keys: { readonly link: RoomLink; readonly rooms: readonly number[] }[] = [];
  let shut = layout.links.filter(({ isLocked }) => isLocked);
  while (shut.length > 0) {
    const isOpen = (room: number): boolean => opened.includes(at(regions, room));
    const link = dice.pick(shut.filter(({ a, b }) => isOpen(a) || isOpen(b)));
    const rooms = opened.flatMap(roomsIn);
    const others = rooms.filter((room) => room !== start);
    keys.push({ link, rooms: [dice.pick(others.length > 0 ? others : rooms), ...rooms] });
    opened.push(at(regions, isOpen(link.a) ? link.b : link.a));
    shut = shut.filter((other) => other !== link);
  }
  const steps = depths(layout, start);
  const rank = (room: number): number => opened.indexOf(at(regions, room));
  const order = layout.rooms
    .map((_room, index) => index)
    .toSorted((a, b) => rank(a) - rank(b) || at(steps, a) - at(steps, b) || a - b);
  return { order, keys };
}
