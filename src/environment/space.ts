/**
 * Points and directions, shared by all worlds with space. x increases to the east, y to the south, from 0.
 */
export interface Point {
  x: number;
  y: number;
}

export const DIRECTIONS = [
  'north',
  'north-east',
  'east',
  'south-east',
  'south',
  'south-west',
  'west',
  'north-west',
] as const;
/** One of the eight compass directions, by its full lower-case name as used in arguments. */
export type Direction = (typeof DIRECTIONS)[number];

export const CARDINALS = ['north', 'east', 'south', 'west'] as const;

const STEPS: Readonly<Record<Direction, Point>> = {
  north: { x: 0, y: -1 },
  'north-east': { x: 1, y: -1 },
  east: { x: 1, y: 0 },
  'south-east': { x: 1, y: 1 },
  south: { x: 0, y: 1 },
  'south-west': { x: -1, y: 1 },
  west: { x: -1, y: 0 },
  'north-west': { x: -1, y: -1 },
};

/** A direction as a number: 0 is north, and clockwise to 7, north-west. */
export function facingOf(direction: Direction): number {
  return DIRECTIONS.indexOf(direction);
}

export function stepOf(direction: Direction): Point {
  return STEPS[direction];
}

export function moved(from: Point, direction: Direction): Point {
  const step = STEPS[direction];
  return { x: from.x + step.x, y: from.y + step.y };
}

export function isDiagonal(direction: Direction): boolean {
  const step = STEPS[direction];
  return step.x !== 0 && step.y !== 0;
}

export function opposite(direction: Direction): Direction {
  return DIRECTIONS[(DIRECTIONS.indexOf(direction) + 4) % 8] as Direction;
}

export function samePoint(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y;
}

/** Manhattan distance in tiles. */
export function distance(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

/**
 * The compass direction from one point to another, null if they are the same. It is diagonal if the smaller
 * offset is more than half of the larger one, otherwise it follows the larger axis.
 */
export function bearing(from: Point, to: Point): Direction | null {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  if (dx === 0 && dy === 0) return null;
  const [wide, high] = [Math.abs(dx), Math.abs(dy)];
  const northSouth = high * 2 > wide ? (dy < 0 ? 'north' : 'south') : '';
  const eastWest = wide * 2 > high ? (dx < 0 ? 'west' : 'east') : '';
  const name = northSouth && eastWest ? `${northSouth}-${eastWest}` : northSouth || eastWest;
  return name as Direction;
}

/**
 * The offset between two points along each axis: "2 west, 1 north", "3 south"; '' if they are the same. The
 * only way in which an offset is expressed, in texts, refusals, events and questions alike.
 */
export function offsetWords(from: Point, to: Point): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const parts = [
    ...(dx === 0 ? [] : [`${Math.abs(dx)} ${dx < 0 ? 'west' : 'east'}`]),
    ...(dy === 0 ? [] : [`${Math.abs(dy)} ${dy < 0 ? 'north' : 'south'}`]),
  ];
  return parts.join(', ');
}
