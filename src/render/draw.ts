/**
 * A scene drawn as a frame: its draw list blitted as palette indices at the art's own resolution, then the optional aids over it.
 * All integers, no canvas: the same scene and tileset give the same frame and hash (`frame-hash.ts`) on every machine.
 */
import { assert, known } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import { once } from '../base/once.js';
import type { Scene } from '../environment/scene.js';
import { drawMarks, drawRuler } from './aids.js';
import type { Pixels } from './composites.js';
import { drawList } from './draw-list.js';
import type { Frame, FrameTiles } from './frame.js';
import { frameHash, tiledHash } from './frame-hash.js';
import { blitCells, cellsOf, type Cells } from './raster.js';
import { recentFrame, type View } from './recent-frames.js';
import type { Box, Raster } from './text.js';
import type { Tileset } from './tileset.js';

/** Raised whenever the same scene and tileset would give other pixels. */
export const RENDER_VERSION = 2;

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
  return recentFrame(tileset.composites, view, () =>
    view.aids === '' ? tiledFrame(view, tileset) : drawnFrame(view, { scene, tileset, options }),
  );
}

function drawnFrame({ cells, columns, cell }: View, aided: Aided): Frame {
  const { art, colours } = aided.tileset;
  const raster = blitCells(cells, aided.tileset, columns);
  const tiles = tilesOf(raster, drawAids(raster, cells, aided), aided.tileset);
  const frame = { ...raster, tiles, palette: colours.palette, art, cell };
  return { ...frame, hash: frameHash(frame) };
}

/** Hash and file are made of the tiles: indices that nobody asks for would be half the work. */
function tiledFrame({ cells, columns, cell }: View, tileset: Tileset): Frame {
  const { art, colours, composites } = tileset;
  const indices = once(() => blitCells(cells, tileset, columns).indices);
  const frame = {
    width: columns * art,
    height: (cells.length / columns) * art,
    get indices() {
      return indices();
    },
    tiles: { cells: cells.map((one) => known(one, 'a tile of a plain frame')), composites },
    palette: colours.palette,
    art,
    cell,
    hash: '',
  };
  frame.hash = tiledHash(frame);
  return frame;
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

/** Gives the tiles that are left as they were. */
function drawAids(raster: Raster, cells: Cells, { scene, tileset, options }: Aided): Cells {
  if (scene.marks.length === 0 && !options.ruler) return cells;
  const { art } = tileset;
  const left = [...cells];
  const onFill = (box: Box) => forgetCells(left, box, { columns: raster.width / art, art });
  drawMarks({ ...raster, onFill }, scene, tileset, options.ruler ? 1 : 0);
  if (options.ruler) drawRuler({ ...raster, onFill }, scene, tileset);
  return left;
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

/** The tiles that a picture consists of; those that were drawn over as they are now. */
function tilesOf({ indices, width }: Raster, left: Cells, { art, composites }: Tileset): FrameTiles {
  const columns = width / art;
  const tile = indices.slice(0, art * art);
  const cells = left.map((pixels, i) => {
    if (pixels !== undefined) return pixels;
    const from = Math.floor(i / columns) * art * width + (i % columns) * art;
    for (let y = 0; y < art; y++)
      tile.set(indices.subarray(from + y * width, from + y * width + art), y * art);
    return composites.other(tile);
  });
  return { cells, composites };
}
