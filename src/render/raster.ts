/**
 * Scenes as palette indices: the tiles of a draw list blitted at the art's own resolution, and the optional aids over them. Pure, without
 * anything of Node, since the page of `view` draws with the very same code in a browser; `draw.ts` makes a hashed frame of it.
 */
import { REMEMBERED, type Scene } from '../environment/scene.js';
import { drawMarks, drawRuler } from './aids.js';
import { asWords, EMPTY, type Pixels } from './composites.js';
import { drawList, type DrawList } from './draw-list.js';
import { newIndices } from './palette.js';
import type { Raster } from './text.js';
import type { Tileset } from './tileset.js';

/** A scene whole, as a frame shows it; `ruler`: with the world's coordinates in a margin of one tile. */
export function drawScene(scene: Scene, tileset: Tileset, { ruler }: { readonly ruler: boolean }): Raster {
  const list = drawList(scene, tileset);
  const raster = drawTiles(list, tileset, { firstRow: 0, rows: list.rows, margin: ruler ? 1 : 0 });
  drawMarks(raster, scene, tileset, ruler ? 1 : 0);
  if (ruler) drawRuler(raster, scene, tileset);
  return raster;
}

export interface TileRows {
  readonly firstRow: number;
  readonly rows: number;
  /** Tiles left free at the top and the left. */
  readonly margin: number;
}

/** Row by row; undefined in the margin, and where something was drawn over a tile. */
export type Cells = readonly (Pixels | undefined)[];

/** Rows of a draw list as indices. */
export function drawTiles(list: DrawList, tileset: Tileset, rows: TileRows): Raster {
  return blitCells(cellsOf(list, tileset, rows), tileset, list.columns + rows.margin);
}

export function cellsOf(
  list: DrawList,
  { composites }: Tileset,
  { firstRow, rows, margin }: TileRows,
): Cells {
  const cells: (Pixels | undefined)[] = [];
  composites.begin();
  for (let y = -margin; y < rows; y++)
    for (let x = -margin; x < list.columns; x++) {
      const cell = x < 0 || y < 0 ? undefined : list.cells[(firstRow + y) * list.columns + x];
      let stack = EMPTY;
      if (cell !== undefined) for (const tile of cell.tiles) stack = composites.push(stack, tile);
      cells.push(cell && composites.pixels(stack, cell.visibility === REMEMBERED));
    }
  return cells;
}

export function blitCells(cells: Cells, tileset: Tileset, columns: number): Raster {
  const { art } = tileset;
  const [width, height] = [columns * art, (cells.length / columns) * art];
  const { indices, words } = newRaster(tileset, width * height);
  const perIndex = indices.length / words.length;
  const [stride, side] = [width / perIndex, art / perIndex];
  for (let i = 0; i < cells.length; i++) {
    const pixels = cells[i];
    if (pixels === undefined) continue;
    const offset = Math.floor(i / columns) * art * stride + (i % columns) * side;
    blit({ words, stride }, offset, { pixels, side, rows: art });
  }
  return { indices, width, height };
}

function blit(
  target: { readonly words: Pixels; readonly stride: number },
  offset: number,
  tile: { readonly pixels: Pixels; readonly side: number; readonly rows: number },
): void {
  const { words, stride } = target;
  const { pixels, side, rows } = tile;
  let from = 0;
  let to = offset;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < side; x++) words[to + x] = pixels[from++] ?? 0;
    to += stride;
  }
}

/** Memory for the indices of a frame of `length` pixels, and the same as words. */
export function newRaster(tileset: Tileset, length: number) {
  const indices = newIndices(tileset.colours.palette, length);
  return { indices, words: asWords(indices, tileset.art) };
}
