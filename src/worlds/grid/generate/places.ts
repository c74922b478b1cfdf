/**
 * Positions of things and bodies in a generated map: each on its own tile. A blocking thing is placed only if
 * all eight tiles around it are floor of the room without another blocking thing, so that it cuts nothing
 * off.
 */
import { at } from '../../../base/assert.js';
import type { Point } from '../../../environment/space.js';
import type { Rect } from '../definition.js';
import type { Dice } from './dice.js';

export interface FreeFloor {
  /** A free tile in one of the rooms, tried in this order; null where none is left. */
  take(rooms: readonly number[], options?: { readonly isBlocking: boolean }): Point | null;
}

/** `rooms` are those of the layout; the floor remembers what it gave away. */
export function openFloor(rooms: readonly Rect[], dice: Dice): FreeFloor {
  const taken = new Map<string, boolean>();
  const isFree = (point: Point): boolean => !taken.has(keyOf(point));
  const blocks = (point: Point): boolean => taken.get(keyOf(point)) === true;
  const isClear = (room: Rect, tile: Point): boolean =>
    around(tile).every((each) => isIn(room, each) && !blocks(each));
  return {
    take: (list, { isBlocking } = { isBlocking: false }) => {
      for (const index of list) {
        const room = at(rooms, index);
        const tile = tilesOf(room, dice).find((each) => isFree(each) && (!isBlocking || isClear(room, each)));
        if (tile === undefined) continue;
        taken.set(keyOf(tile), isBlocking);
        return tile;
      }
      return null;
    },
  };
}

function keyOf({ x, y }: Point): string {
  return `${x} ${y}`;
}

/** All tiles of a room, in order from one drawn at random on. */
function tilesOf({ x, y, width, height }: Rect, dice: Dice): readonly Point[] {
  const count = width * height;
  const first = dice.below(count);
  return Array.from({ length: count }, (_tile, index) => {
    const tile = (first + index) % count;
    return { x: x + (tile % width), y: y + Math.floor(tile / width) };
  });
}

function around({ x, y }: Point): readonly Point[] {
  return [-1, 0, 1].flatMap((dy) =>
    [-1, 0, 1].flatMap((dx) => (dx === 0 && dy === 0 ? [] : [{ x: x + dx, y: y + dy }])),
  );
}

function isIn(room: Rect, { x, y }: Point): boolean {
  return x >= room.x && y >= room.y && x < room.x + room.width && y < room.y + room.height;
}
