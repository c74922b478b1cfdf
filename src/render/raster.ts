/**
 * Scenes as palette indices: the tiles of a draw list blitted at the art's own resolution, and the optional
 * aids over them. Pure and without Node, because the page of `view` draws with the same code in a browser;
 * `draw.ts` makes a hashed frame of it.
 */
import { REMEMBERED, type Scene } from '../environment/scene.js';
import { drawMarks, drawRuler } from './aids.js';
import { asWords, EMPTY, type Composites, type Pixels } from './composites.js';
import { drawList, type DrawCell, type DrawList } from './draw-list.js';
import { newIndices } from './palette.js';
import type { Raster } from './text.js';
import type { Tileset } from './tileset.js';

/** A whole scene, as in a frame; `ruler`: with the world's coordinates in a margin of one tile. */
export function drawScene(scene: Scene, tileset: Tileset, { ruler }: { ruler: boolean }): Raster {
  const list = drawList(scene, tileset);
  const raster = drawTiles(list, tileset, { firstRow: 0, rows: list.rows, margin: ruler ? 1 : 0 });
  drawMarks(raster, scene, tileset, ruler ? 1 : 0);
  if (ruler) drawRuler(raster, scene, tileset);
  return raster;
}

export interface TileRows {
  firstRow: number;
  rows: number;
  /** Tiles left free at the top and the left. */
  margin: number;
}

/** Row by row; undefined in the margin, and if something was drawn over a tile. */
export type PixelCells = readonly (Pixels | undefined)[];

/** Rows of a draw list as indices. */
export function drawTiles(list: DrawList, tileset: Tileset, rows: TileRows): Raster {
  return blitCells(cellsOf(list, tileset, rows), tileset, list.columns + rows.margin);
}

export function cellsOf(
  list: DrawList,
  { composites }: Tileset,
  { firstRow, rows, margin }: TileRows,
): PixelCells {
  const cells: (Pixels | undefined)[] = [];
  composites.begin();
  // All unknown cells are the same object.
  let [last, pixels]: [DrawCell | undefined, Pixels | undefined] = [undefined, undefined];
  for (let y = -margin; y < rows; y++)
    for (let x = -margin; x < list.columns; x++) {
      const cell = x < 0 || y < 0 ? undefined : list.cells[(firstRow + y) * list.columns + x];
      if (cell !== last) pixels = cell && pixelsOf(cell, composites);
      last = cell;
      cells.push(pixels);
    }
  return cells;
}

function pixelsOf({ tiles, visibility }: DrawCell, composites: Composites): Pixels {
  let stack = EMPTY;
  for (const tile of tiles) stack = composites.push(stack, tile);
  return composites.pixels(stack, visibility === REMEMBERED);
}

export function blitCells(cells: PixelCells, tileset: Tileset, columns: number): Raster {
  const { art } = tileset;
  const [width, height] = [columns * art, (cells.length / columns) * art];
  const indices = newIndices(tileset.colours.palette, width * height);
  const words = asWords(indices, art);
  const stride = words.length / height;
  const side = stride / columns;
  // One step of the loop copies four words, which takes half the time.
  const copyTile = side % 4 === 0 ? copyByFours : copyByOnes;
  for (let i = 0, row = 0; i < cells.length; row += art * stride)
    for (let to = row; to < row + stride; to += side, i++) {
      const pixels = cells[i];
      if (pixels !== undefined) copyTile({ words, stride, to }, pixels, side);
    }
  return { indices, width, height };
}

interface RasterSpot {
  words: Pixels;
  /** Words of a row. */
  stride: number;
  to: number;
}

function copyByOnes({ words, stride, to }: RasterSpot, pixels: Pixels, side: number): void {
  for (let from = 0, row = to; from < pixels.length; from += side, row += stride)
    for (let x = 0; x < side; x++) words[row + x] = pixels[from + x] ?? 0;
}

function copyByFours({ words, stride, to }: RasterSpot, pixels: Pixels, side: number): void {
  for (let from = 0, row = to; from < pixels.length; from += side, row += stride)
    for (let x = 0; x < side; x += 4) {
      words[row + x] = pixels[from + x] ?? 0;
      words[row + x + 1] = pixels[from + x + 1] ?? 0;
      words[row + x + 2] = pixels[from + x + 2] ?? 0;
      words[row + x + 3] = pixels[from + x + 3] ?? 0;
    }
}
