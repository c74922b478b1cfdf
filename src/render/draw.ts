/**
 * A scene drawn as a frame: its draw list blitted as palette indices at the art's own resolution, then the optional aids over it.
 * All integers, no canvas: the same scene and tileset give the same frame and hash (`frame-hash.ts`) on every machine.
 */
import { assert } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import type { Scene } from '../environment/scene.js';
import { drawMarks, drawRuler } from './aids.js';
import type { Pixels } from './composites.js';
import { drawList } from './draw-list.js';
import type { Frame, FrameTiles } from './frame.js';
import { frameHash } from './frame-hash.js';
import { blitCells, cellsOf, type Cells } from './raster.js';
import { putTogetherRgb } from './rgb.js';
import { recentFrame } from './recent-frames.js';
import type { Box, Raster } from './text.js';
import type { Tileset } from './tileset.js';

/** Raised whenever the same scene and tileset would give other pixels. */
export const RENDER_VERSION = 1;

/** How a frame is drawn. */
export interface DrawOptions {
  /** Pixels of a tile's side in the file, 8 … 64. */
  readonly cell: number;
  /** Column and row numbers of the world in a margin of one tile at the top and the left. */
  readonly ruler: boolean;
}

/**
 * A scene as pixels. Throws UsageError where words are to be written and the tileset has no font; a window of more than
 * LIMITS.frameSideTiles tiles or a cell out of its range is an AssertionError.
 */
export function drawFrame(scene: Scene, tileset: Tileset, options: DrawOptions): Frame {
  const side = LIMITS.frameSideTiles;
  assert(scene.width <= side && scene.height <= side, `a frame of ${scene.width}×${scene.height} tiles`);
  assert(options.cell >= 8 && options.cell <= LIMITS.frameTilePixels, `tiles of ${options.cell} pixels`);
  const list = drawList(scene, tileset);
  const rows = { firstRow: 0, rows: list.rows, margin: options.ruler ? 1 : 0 };
  const columns = list.columns + rows.margin;
  const view = {
    cells: cellsOf(list, tileset, rows),
    columns,
    aids: aidsKey(scene, options),
    cell: options.cell,
  };
  return recentFrame(tileset.composites, view, () => {
    const raster = blitCells(view.cells, tileset, columns);
    const tiles = drawAids(raster, view.cells, { scene, tileset, options });
    const { width, height, indices } = raster;
    const { art } = tileset;
    const { palette } = tileset.colours;
    const { cell } = options;
    const isPlain = view.aids === '' && !(indices instanceof Uint8Array);
    if (isPlain) putTogetherRgb({ indices, palette, cells: view.cells, columns, art });
    const hash = frameHash({ width, height, indices, palette, art, cell }, isPlain ? view.cells : null);
    return { width, height, indices, tiles, palette, art, cell, hash };
  });
}

/** What is drawn over the tiles: marks, and with a ruler the place in the world. */
function aidsKey({ marks, origin }: Scene, { ruler }: DrawOptions): string {
  return marks.length === 0 && !ruler ? '' : JSON.stringify([marks, ruler ? [origin.x, origin.y] : null]);
}

interface Aided {
  readonly scene: Scene;
  readonly tileset: Tileset;
  readonly options: DrawOptions;
}

/** Gives the tiles that the picture then consists of. */
function drawAids(raster: Raster, cells: Cells, { scene, tileset, options }: Aided): FrameTiles | null {
  const { art } = tileset;
  if (scene.marks.length === 0 && !options.ruler) return tilesOf(raster, cells, tileset);
  const left = [...cells];
  const onFill = (box: Box) => forgetCells(left, box, { columns: raster.width / art, art });
  drawMarks({ ...raster, onFill }, scene, tileset, options.ruler ? 1 : 0);
  if (options.ruler) drawRuler({ ...raster, onFill }, scene, tileset);
  return tilesOf(raster, left, tileset);
}

/** A tile that was drawn over is no longer what its stack says. */
function forgetCells(
  cells: (Pixels | undefined)[],
  box: Box,
  { columns, art }: { readonly columns: number; readonly art: number },
): void {
  const [right, bottom] = [
    Math.floor((box.x + box.width - 1) / art),
    Math.floor((box.y + box.height - 1) / art),
  ];
  for (let y = Math.floor(box.y / art); y <= bottom; y++)
    for (let x = Math.floor(box.x / art); x <= right; x++) cells[y * columns + x] = undefined;
}

function tilesOf({ indices, width }: Raster, known: Cells, { art, composites }: Tileset): FrameTiles | null {
  if (!(indices instanceof Uint8Array)) return null;
  if (known.every((pixels) => pixels !== undefined)) return { cells: known, composites };
  const columns = width / art;
  const tile = new Uint8Array(art * art);
  const cells = known.map((pixels, i) => {
    if (pixels !== undefined) return pixels;
    const from = Math.floor(i / columns) * art * width + (i % columns) * art;
    for (let y = 0; y < art; y++)
      tile.set(indices.subarray(from + y * width, from + y * width + art), y * art);
    return composites.other(tile);
  });
  return { cells, composites };
}
