/**
 * A scene drawn as a frame: its draw list is blitted as palette indices at the art's own resolution, followed
 * by the optional aids. Integer arithmetic only, without a canvas: the same scene and tileset give the same
 * frame and hash on every machine.
 */
import { createHash } from 'node:crypto';
import { assert } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import type { Scene } from '../environment/scene.js';
import { drawMarks, drawRuler } from './aids.js';
import { drawList } from './draw-list.js';
import type { Frame } from './frame.js';
import type { Palette } from './palette.js';
import { blitCells, cellsOf } from './raster.js';
import { frameRgb } from './rgb.js';
import type { Tileset } from './tileset.js';

/** Raised whenever the same scene and tileset would give different pixels. */
export const RENDER_VERSION = 2;

/** Options for drawing a frame. */
export interface DrawOptions {
  /** The side of a tile in pixels of the file, 8 to 64. */
  cell: number;
  /** Column and row numbers of the world, in a margin of one tile at the top and the left. */
  ruler: boolean;
  /** A frame of the same size that is grey all over, which shows nothing. Default: no. */
  blank?: boolean;
}

/**
 * Draws a scene. Throws UsageError if text must be written and the tileset has no font; a window of more than
 * LIMITS.frameSideTiles tiles, or a cell outside its range, is an AssertionError.
 */
export function drawFrame(scene: Scene, tileset: Tileset, options: DrawOptions): Frame {
  const side = LIMITS.frameSideTiles;
  assert(scene.width <= side && scene.height <= side, `a frame of ${scene.width}×${scene.height} tiles`);
  assert(options.cell >= 8 && options.cell <= LIMITS.frameTilePixels, `tiles of ${options.cell} pixels`);
  const list = drawList(scene, tileset);
  const rows = { firstRow: 0, rows: list.rows, margin: options.ruler ? 1 : 0 };
  const columns = list.columns + rows.margin;
  const { art, colours } = tileset;
  const { cell } = options;
  if (options.blank === true) {
    const [width, height] = [columns * art, (list.rows + rows.margin) * art];
    const grey = { width, height, indices: new Uint8Array(width * height), palette: GREY, art, cell };
    return { ...grey, hash: frameHash(grey) };
  }
  const raster = blitCells(cellsOf(list, tileset, rows), tileset, columns);
  drawMarks(raster, scene, tileset, rows.margin);
  if (options.ruler) drawRuler(raster, scene, tileset);
  const frame = { ...raster, palette: colours.palette, art, cell };
  return { ...frame, hash: frameHash(frame) };
}

const GREY: Palette = { size: 1, rgb: Uint8Array.of(128, 128, 128) };

// What identifies a frame: SHA-256 over its size, palette and indices; above 256 colours, over the SHA-256 of
// each of its tiles' red, green and blue, row by row. Both depend only on the pixels, never on a file's
// bytes.

function frameHash(frame: Omit<Frame, 'hash'>): string {
  const { width, height, art, cell, palette } = frame;
  const head = `orchestrate-frame-v1\n${width} ${height} ${art} ${cell} ${palette.size}\n`;
  const hash = createHash('sha256').update(head);
  if (palette.size <= 256) return hash.update(palette.rgb).update(frame.indices).digest('hex');
  const rgb = frameRgb(frame);
  const tile = new Uint8Array(art * art * 3);
  for (let top = 0; top < height; top += art)
    for (let left = 0; left < width; left += art) {
      for (let y = 0; y < art; y++) {
        const from = ((top + y) * width + left) * 3;
        tile.set(rgb.subarray(from, from + art * 3), y * art * 3);
      }
      hash.update(createHash('sha256').update(tile).digest());
    }
  return hash.digest('hex');
}
