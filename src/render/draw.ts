/**
 * A scene drawn as a frame: its draw list blitted as palette indices at the art's own resolution, then the optional aids over it.
 * All integers, no canvas: the same scene and tileset give the same frame and hash (`frame-hash.ts`) on every machine.
 */
import { assert } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import type { Scene } from '../environment/scene.js';
import { drawMarks, drawRuler } from './aids.js';
import { drawList } from './draw-list.js';
import type { Frame } from './frame.js';
import { frameHash } from './frame-hash.js';
import { blitCells, cellsOf } from './raster.js';
import { recentFrame, type FrameView } from './recent-frames.js';
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
  return recentFrame(tileset.composites, view, () => drawnFrame(view, { scene, tileset, options }));
}

function drawnFrame({ cells, columns, cell }: FrameView, { scene, tileset, options }: AidedDrawing): Frame {
  const { art, colours } = tileset;
  const raster = blitCells(cells, tileset, columns);
  drawMarks(raster, scene, tileset, options.ruler ? 1 : 0);
  if (options.ruler) drawRuler(raster, scene, tileset);
  const frame = { ...raster, palette: colours.palette, art, cell };
  return { ...frame, hash: frameHash(frame) };
}

/** What is drawn over the tiles: marks, and with a ruler the place in the world. */
function aidsKey({ marks, origin }: Scene, { ruler }: DrawOptions): string {
  return marks.length === 0 && !ruler ? '' : JSON.stringify([marks, ruler ? [origin.x, origin.y] : null]);
}

interface AidedDrawing {
  readonly scene: Scene;
  readonly tileset: Tileset;
  readonly options: DrawOptions;
}
