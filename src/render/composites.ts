/**
 * Composites: the pixels of stacked tiles, computed once and cached. A stack of tiles is a number, and
 * pushing a tile on a stack always gives the same other number, so drawing a cell that looks like an earlier
 * one costs two look-ups. The cache only saves time: its results depend on the tileset alone. It is cleared
 * when it is full.
 */
import { at } from '../base/assert.js';
import { TILE_CORNERS, type TileCorner } from '../environment/shared-tiles.js';
import { CLEAR, newIndices, SHADE, type Colours, type Indices } from './palette.js';
import { moreTile, smallTile } from './small.js';

/**
 * Palette indices, also available as 32-bit words if a row of a tile fills whole words, so that blits move
 * four at once.
 */
export type Pixels = Indices;

export interface Composites {
  /** Call it before each frame: earlier stacks may be dropped. */
  begin(): void;
  /** The stack with one more tile. */
  push(stack: number, tile: number): number;
  /** The pixels of a stack as words; they must not be changed. */
  pixels(stack: number, isRemembered: boolean): Pixels;
  /**
   * Draws a tile over pixels, with its top left corner at any of them; the part outside is cut. For moving
   * bodies.
   */
  drawOver(raster: DrawnTile, tile: number, x: number, y: number): void;
  /** The number of the tile that shows another tile in a corner, at reduced size. */
  small(tile: number, spot: TileCorner): number;
  /** The number of the tile that indicates further things. */
  more: number;
}

/** Palette indices, row by row. */
export interface DrawnTile {
  indices: Indices;
  width: number;
  height: number;
}

/** The stack without tiles: the colour of unknown cells. */
export const EMPTY = 0;

const STACKS_MAX = 8192;

export function composites(colours: Colours, tiles: readonly Uint32Array[], side: number): Composites {
  let next = new Map<number, number>();
  let visiblePixels: Uint32Array[] = [];
  let finishedPixels: (Pixels | undefined)[][] = [];
  const derivedTiles = new Map<number, Uint32Array>();
  const moreTileNumber = tiles.length * (1 + TILE_CORNERS.length);
  const clear = () => {
    next = new Map();
    visiblePixels = [new Uint32Array(side * side).fill(colours.unknown)];
    finishedPixels = [[]];
  };
  clear();
  const tileAt = (tile: number) => {
    if (tile < tiles.length) return at(tiles, tile);
    const known = derivedTiles.get(tile);
    if (known !== undefined) return known;
    const derived =
      tile === moreTileNumber
        ? moreTile(side, colours.ink, colours.paper)
        : smallTile(at(tiles, tile % tiles.length), {
            side,
            spot: at(TILE_CORNERS, Math.floor(tile / tiles.length) - 1),
            line: colours.paper,
          });
    derivedTiles.set(tile, derived);
    return derived;
  };
  return {
    begin: () => {
      if (visiblePixels.length > STACKS_MAX) clear();
    },
    push: (stack, tile) => {
      // Small whole numbers are faster to look up than large ones.
      const key = stack * (moreTileNumber + 1) + tile;
      const known = next.get(key);
      if (known !== undefined) return known;
      const over = tileAt(tile);
      const pixels = at(visiblePixels, stack).map((under, i) =>
        coveredPixel(under, over[i] ?? CLEAR, colours),
      );
      const newStack = visiblePixels.push(pixels) - 1;
      finishedPixels.push([]);
      next.set(key, newStack);
      return newStack;
    },
    pixels: (stack, isRemembered) => {
      const cached = at(finishedPixels, stack);
      const variant = isRemembered ? 1 : 0;
      return (cached[variant] ??= finishPixels(at(visiblePixels, stack), isRemembered, colours, side));
    },
    drawOver: (raster, tile, x, y) => {
      const { indices, width, height } = raster;
      const pixels = at(tiles, tile);
      for (let row = Math.max(0, -y); row < Math.min(side, height - y); row++)
        for (let column = Math.max(0, -x); column < Math.min(side, width - x); column++) {
          const to = (y + row) * width + x + column;
          indices[to] = coveredPixel(indices[to] ?? 0, pixels[row * side + column] ?? CLEAR, colours);
        }
    },
    small: (tile, spot) => tiles.length * (1 + TILE_CORNERS.indexOf(spot)) + tile,
    more: moreTileNumber,
  };
}

function coveredPixel(under: number, over: number, { shaded }: Colours): number {
  if (over === CLEAR) return under;
  return over === SHADE ? (shaded[under] ?? under) : over;
}

function finishPixels(lit: Uint32Array, isRemembered: boolean, colours: Colours, side: number): Pixels {
  const indices = newIndices(colours.palette, lit.length);
  for (const [i, index] of lit.entries())
    indices[i] = isRemembered ? (colours.remembered[index] ?? index) : index;
  return asWords(indices, side);
}

/** The same memory as 32-bit words, if a tile's row is a whole number of them; otherwise unchanged. */
export function asWords(indices: Indices, side: number): Pixels {
  return (side * indices.BYTES_PER_ELEMENT) % 4 === 0
    ? new Uint32Array(indices.buffer, indices.byteOffset, indices.byteLength / 4)
    : indices;
}
