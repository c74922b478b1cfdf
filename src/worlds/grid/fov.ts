/**
 * Three ways to compute sight over a small square of cells with the observer in its middle. `sight.ts` knows
 * which part of the world the square is. All of them light a round area (x² + y² ≤ r² + r), including the
 * cells that stop the light: a cell that isn't lit never influences which ones are, so sight reveals nothing
 * unseen. Only `symmetric` guarantees that A lights B exactly when B lights A, for every two cells that light
 * passes; it uses integers, because rounding would break this.
 */
import { FOV } from 'rot-js';
import { assertNever } from '../../base/assert.js';
import type { GridRules } from './definition.js';

/** A cell that lets light pass. */
export const CLEAR = 0;
/** A cell that stops light. */
export const OPAQUE = 1;

/** (2 · radius + 1)² cells, row by row; the observer is in the middle, its own cell never stops its sight. */
export interface Surroundings {
  radius: number;
  cells: Uint8Array;
}

/** Which cells are lit (1), in the layout of the surroundings. */
export function castSight(algorithm: GridRules['sight'], surroundings: Surroundings): Uint8Array {
  const lit = new Uint8Array(surroundings.cells.length);
  lit[cellIndex(surroundings, 0, 0)] = 1;
  if (algorithm === 'recursive') castRecursive(surroundings, lit);
  else if (algorithm === 'symmetric') castSymmetric(surroundings, lit);
  else if (algorithm === 'rays') castRays(surroundings, lit);
  else assertNever(algorithm, 'sight algorithm');
  lightWalls(surroundings, lit);
  return lit;
}

function cellIndex({ radius }: Surroundings, dx: number, dy: number): number {
  return (dy + radius) * (2 * radius + 1) + dx + radius;
}

/** Whether an offset is within a radius of sight, whose circle is rounded up by half a tile. */
export function isInRange(radius: number, dx: number, dy: number): boolean {
  return dx * dx + dy * dy <= radius * radius + radius;
}

function isClear(surroundings: Surroundings, dx: number, dy: number): boolean {
  return surroundings.cells[cellIndex(surroundings, dx, dy)] === CLEAR;
}

function castRecursive(surroundings: Surroundings, lit: Uint8Array): void {
  const { radius } = surroundings;
  // rot-js also asks for cells one beyond the radius, which are outside the square.
  const passes = (dx: number, dy: number): boolean =>
    Math.abs(dx) <= radius && Math.abs(dy) <= radius && isClear(surroundings, dx, dy);
  new FOV.RecursiveShadowcasting(passes).compute(0, 0, radius, (dx, dy, _distance, visibility) => {
    if (visibility > 0 && isInRange(surroundings.radius, dx, dy)) lit[cellIndex(surroundings, dx, dy)] = 1;
  });
}

/** Depth and column of a quadrant as offsets from the observer: x = depth · xd + column · xc, y alike. */
const QUADRANTS = [
  { xd: 0, xc: 1, yd: -1, yc: 0 },
  { xd: 1, xc: 0, yd: 0, yc: 1 },
  { xd: 0, xc: 1, yd: 1, yc: 0 },
  { xd: -1, xc: 0, yd: 0, yc: 1 },
] as const;

/** A fraction; `den` is above 0. */
interface Slope {
  num: number;
  den: number;
}

/** The lit part of the row at `depth`: between two slopes (columns per depth). */
interface LitRow {
  depth: number;
  start: Slope;
  end: Slope;
}

function castSymmetric(surroundings: Surroundings, lit: Uint8Array): void {
  for (const quadrant of QUADRANTS) {
    const rows: LitRow[] = [{ depth: 1, start: { num: -1, den: 1 }, end: { num: 1, den: 1 } }];
    for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
      if (row.depth <= surroundings.radius) scanRow(surroundings, lit, { quadrant, row, rows });
    }
  }
}

/** `rows` are still to be scanned; this row's lit parts are added for the next depth. */
function scanRow(
  surroundings: Surroundings,
  lit: Uint8Array,
  { quadrant, row, rows }: { quadrant: (typeof QUADRANTS)[number]; row: LitRow; rows: LitRow[] },
): void {
  const { depth, end } = row;
  let start = row.start;
  let wasClear: boolean | null = null;
  for (let column = firstColumn(row); column <= lastColumn(row); column++) {
    const dx = depth * quadrant.xd + column * quadrant.xc;
    const dy = depth * quadrant.yd + column * quadrant.yc;
    const cell = surroundings.cells[cellIndex(surroundings, dx, dy)];
    const isMiddleLit = column * start.den >= depth * start.num && column * end.den <= depth * end.num;
    if ((cell === OPAQUE || isMiddleLit) && isInRange(surroundings.radius, dx, dy))
      lit[cellIndex(surroundings, dx, dy)] = 1;
    const edge = { num: 2 * column - 1, den: 2 * depth };
    if (wasClear === false && cell === CLEAR) start = edge;
    if (wasClear === true && cell !== CLEAR) rows.push({ depth: depth + 1, start, end: edge });
    wasClear = cell === CLEAR;
  }
  if (wasClear === true) rows.push({ depth: depth + 1, start, end });
}

/** The column nearest to where the row's light starts, a tie going to the later one. */
function firstColumn({ depth, start }: LitRow): number {
  return Math.floor((2 * depth * start.num + start.den) / (2 * start.den));
}

/** The column nearest to where the row's light ends, a tie going to the earlier one. */
function lastColumn({ depth, end }: LitRow): number {
  return -Math.floor((end.den - 2 * depth * end.num) / (2 * end.den));
}

function castRays(surroundings: Surroundings, lit: Uint8Array): void {
  const { radius } = surroundings;
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      if (isInRange(surroundings.radius, dx, dy)) castRay(surroundings, lit, { dx, dy });
    }
  }
}

/**
 * Lights the straight line of cells (Bresenham) from the observer to a cell, up to the first that stops
 * light.
 */
function castRay(surroundings: Surroundings, lit: Uint8Array, { dx, dy }: { dx: number; dy: number }): void {
  const [wide, high] = [Math.abs(dx), Math.abs(dy)];
  const [stepX, stepY] = [Math.sign(dx), Math.sign(dy)];
  let [x, y, error] = [0, 0, wide - high];
  while (x !== dx || y !== dy) {
    const doubled = 2 * error;
    if (doubled > -high) {
      error -= high;
      x += stepX;
    }
    if (doubled < wide) {
      error += wide;
      y += stepY;
    }
    lit[cellIndex(surroundings, x, y)] = 1;
    if (!isClear(surroundings, x, y)) return;
  }
}

/** An opaque cell that the light just misses is lit if a lit clear neighbour is nearer to the observer. */
function lightWalls(surroundings: Surroundings, lit: Uint8Array): void {
  const { radius, cells } = surroundings;
  const side = 2 * radius + 1;
  const isLitFloor = (cell: number): boolean => cells[cell] === CLEAR && lit[cell] === 1;
  let cell = 0;
  for (let dy = -radius; dy <= radius; dy++) {
    const row = Math.sign(dy) * side;
    for (let dx = -radius; dx <= radius; dx++, cell++) {
      if (cells[cell] !== OPAQUE || lit[cell] === 1 || !isInRange(surroundings.radius, dx, dy)) continue;
      const beside = cell - Math.sign(dx);
      if (isLitFloor(beside) || isLitFloor(cell - row) || isLitFloor(beside - row)) lit[cell] = 1;
    }
  }
}
