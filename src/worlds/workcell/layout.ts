/**
 * The layout of the workshop, a floor of 15 × 15 tiles: the car in the middle with its front up, a row of
 * places for robots along each side, the shelf at the left wall, the incinerator at the right one. The rules
 * use only sides; the tiles are for the picture and for the distance of speakers.
 */
import { at } from '../../base/assert.js';
import { LIMITS } from '../../base/limits.js';
import type { Point } from '../../environment/space.js';
import type { Angle } from './definition.js';

export const FLOOR_SIDE = 15;

/** The car's size and its front left tile. */
export const CAR = { x: 6, y: 5, width: 3, height: 6 } as const;

/**
 * The tile of the tileset for each tile of the bare car, without its parts: row by row, `car/shell-<name>`.
 */
export const SHELL: readonly (readonly string[])[] = [
  ['front-left', 'front', 'front-right'],
  ['left-axle', 'middle', 'right-axle'],
  ['left', 'middle', 'right'],
  ['left', 'roof', 'right'],
  ['left-axle', 'middle', 'right-axle'],
  ['rear-left', 'rear', 'rear-right'],
];

export const INCINERATOR: Point = { x: 13, y: 7 };

/**
 * Tiles of the car that belong to a side, in the order in which custom parts take them. The roof belongs to
 * none.
 */
export const SIDE_TILES: Readonly<Record<Angle, readonly Point[]>> = {
  0: [tile(1, 0), tile(1, 2), tile(1, 1), tile(0, 0), tile(2, 0)],
  90: [tile(0, 1), tile(0, 2), tile(0, 3), tile(0, 4)],
  180: [tile(1, 5), tile(1, 4), tile(0, 5), tile(2, 5)],
  270: [tile(2, 1), tile(2, 2), tile(2, 3), tile(2, 4)],
};

function tile(x: number, y: number): Point {
  return { x, y };
}

/** The shelf's tile for the spare of that index. */
export function shelfTile(index: number): Point {
  return { x: 1, y: 3 + (index % LIMITS.spares) };
}

/** Whether a tile belongs to the shelf. */
export function isShelf({ x, y }: Point): boolean {
  return Array.from({ length: LIMITS.spares }, (_, i) => shelfTile(i)).some(
    (shelf) => shelf.x === x && shelf.y === y,
  );
}

/** Places along a side, for the robots by their index: the first in the middle. */
const ACROSS = [7, 6, 8, 5] as const;
const ALONG = [7, 8, 6, 9] as const;

/**
 * The tile of the robot with that index; its held part is one tile further from the car, and the side's sign
 * beyond.
 */
export function stationOf(side: Angle, index: number): { robot: Point; hands: Point } {
  const x = at(ACROSS, index % LIMITS.robots);
  const y = at(ALONG, index % LIMITS.robots);
  if (side === 0) return { robot: tile(x, 4), hands: tile(x, 3) };
  if (side === 90) return { robot: tile(5, y), hands: tile(4, y) };
  if (side === 180) return { robot: tile(x, 11), hands: tile(x, 12) };
  return { robot: tile(9, y), hands: tile(10, y) };
}

/** A sign on the floor with the angle of its side. */
export const SIGNS: readonly (Point & { angle: Angle })[] = [
  { angle: 0, x: 7, y: 2 },
  { angle: 90, x: 3, y: 7 },
  { angle: 180, x: 7, y: 13 },
  { angle: 270, x: 11, y: 7 },
];
