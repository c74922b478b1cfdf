/**
 * Small tiles: a thing that shares its tile with something larger is drawn at half its size in a corner, with
 * a dark outline. Its tile is transparent except in that corner, so that it can be drawn over others like any
 * tile.
 */
import type { TileCorner } from '../environment/shared-tiles.js';
import { CLEAR, SHADE } from './palette.js';

/** A square picture, row by row. */
interface Square {
  pixels: Uint32Array;
  side: number;
}

/** The side in pixels of the corner that contains the thing; the outline is around it. */
function smallSide(side: number): number {
  return Math.floor(side / 2);
}

/** `line`: the colour of the outline. */
export function smallTile(
  tile: Uint32Array,
  { side, spot, line }: { side: number; spot: TileCorner; line: number },
): Uint32Array {
  const half = smallSide(side);
  const small = shrink({ pixels: tile, side }, half);
  const left = spot === 'south-west' ? 0 : side - half;
  const top = spot === 'north-east' ? 0 : side - half;
  return placeInCorner(small, side, { left, top, line });
}

/** A plus in the north-west corner: there are more things than the tile shows. */
export function moreTile(side: number, colour: number, line: number): Uint32Array {
  const half = smallSide(side);
  const unit = Math.max(1, Math.floor(side / 16));
  const isBar = (position: number) => Math.floor(position / unit) === 3;
  const isArm = (position: number) => position >= unit && position < 6 * unit;
  const pixels = Uint32Array.from({ length: half * half }, (_, i) => {
    const [x, y] = [i % half, Math.floor(i / half)];
    return (isBar(x) && isArm(y)) || (isBar(y) && isArm(x)) ? colour : CLEAR;
  });
  return placeInCorner({ pixels, side: half }, side, { left: 0, top: 0, line });
}

/** The part of a tile that is not transparent, fitted into a square. */
function shrink(tile: Square, side: number): Square {
  const box = boxOf(tile);
  const pixels = new Uint32Array(side * side).fill(CLEAR);
  const span = Math.max(box.width, box.height, 1);
  const from = { x: box.x - (span - box.width) / 2, y: box.y + box.height - span };
  const scale = span / side;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      pixels[y * side + x] = dominantColour(tile, {
        left: Math.floor(from.x + x * scale),
        top: Math.floor(from.y + y * scale),
        right: Math.max(Math.floor(from.x + (x + 1) * scale), Math.floor(from.x + x * scale) + 1),
        bottom: Math.max(Math.floor(from.y + (y + 1) * scale), Math.floor(from.y + y * scale) + 1),
      });
  return { pixels, side };
}

function boxOf({ pixels, side }: Square) {
  let [left, top, right, bottom] = [side, side, 0, 0];
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      if (!isSolid(pixels[y * side + x])) continue;
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x + 1);
      bottom = Math.max(bottom, y + 1);
    }
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

function isSolid(pixel: number | undefined): boolean {
  return pixel !== undefined && pixel !== CLEAR && pixel !== SHADE;
}

/**
 * The most frequent colour of an area, with the tile's own outline last; CLEAR if less than half of the area
 * is drawn.
 */
function dominantColour(
  tile: Square,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
): number {
  const votes = new Map<number, number>();
  let solid = 0;
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const pixel = pixelAt(tile, x, y);
      if (!isSolid(pixel)) continue;
      solid += 1;
      votes.set(pixel, (votes.get(pixel) ?? 0) + (isEdge(tile, x, y) ? 1 : 4));
    }
  if (2 * solid < (right - left) * (bottom - top)) return CLEAR;
  return [...votes].reduce((best, one) => (one[1] > best[1] ? one : best), [CLEAR, 0])[0];
}

function pixelAt({ pixels, side }: Square, x: number, y: number): number {
  return x < 0 || y < 0 || x >= side || y >= side ? CLEAR : (pixels[y * side + x] ?? CLEAR);
}

function isEdge(tile: Square, x: number, y: number): boolean {
  return NEIGHBOURS.some(([dx, dy]) => !isSolid(pixelAt(tile, x + dx, y + dy)));
}

const NEIGHBOURS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

function placeInCorner(
  small: Square,
  side: number,
  { left, top, line }: { left: number; top: number; line: number },
): Uint32Array {
  return Uint32Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [(i % side) - left, Math.floor(i / side) - top];
    const pixel = pixelAt(small, x, y);
    if (pixel !== CLEAR) return pixel;
    return NEIGHBOURS.some(([dx, dy]) => isSolid(pixelAt(small, x + dx, y + dy))) ? line : CLEAR;
  });
}
