/**
 * A scene drawn as a frame: its draw list is blitted as palette indices at the art's own resolution, followed
 * by the optional aids. Integer arithmetic only, without a canvas: the same scene and tileset give the same
 * frame and hash on every machine.
 */
import { assert } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import type { Scene } from '../environment/scene.js';
import { drawMarks, drawRuler } from './aids.js';
import { drawList } from './draw-list.js';
import type { Frame } from './frame.js';
import type { Palette } from './palette.js';
import { blitCells, cellsOf } from './raster.js';
import type { Tileset } from './tileset.js';
import { createHash } from 'node:crypto';
import { frameRgb } from './rgb.js';
import type { Composites, Pixels } from './composites.js';

// The last few frames of a tileset, so that a view that has not changed is neither drawn nor hashed again. A
// view consists of its tiles and everything drawn over them; frames are never changed, so the same one may be
// returned twice.

/** Everything that a frame depends on, apart from its tileset. */
interface FrameView {
  /** Row by row, before anything is drawn over them; the same object for the same pixels. */
  readonly cells: readonly (Pixels | undefined)[];
  readonly columns: number;
  /** Everything drawn over them, as a text; different texts for different drawings. */
  readonly aids: string;
  /** The side of a tile in pixels of the file. */
  readonly cell: number;
}

interface KeptFrame {
  readonly view: FrameView;
  readonly frame: Frame;
}

/** About one for each agent. */
const FRAMES_MAX = 8;
const recentFrames = new WeakMap<Composites, KeptFrame[]>();

/** The frame of this view, drawn if it is not among the recent ones. */
function recentFrame(composites: Composites, view: FrameView, draw: () => Frame): Frame {
  const frames = recentFrames.get(composites) ?? [];
  const known = frames.find((one) => isSame(one.view, view));
  if (known !== undefined) return known.frame;
  const frame = draw();
  frames.unshift({ view, frame });
  if (frames.length > FRAMES_MAX) frames.pop();
  recentFrames.set(composites, frames);
  return frame;
}

function isSame(one: FrameView, other: FrameView): boolean {
  if (one.cell !== other.cell || one.columns !== other.columns || one.aids !== other.aids) return false;
  if (one.cells.length !== other.cells.length) return false;
  for (let i = one.cells.length - 1; i >= 0; i--) if (one.cells[i] !== other.cells[i]) return false;
  return true;
}

/** Raised whenever the same scene and tileset would give different pixels. */
export const RENDER_VERSION = 2;

/** Options for drawing a frame. */
export interface DrawOptions {
  /** The side of a tile in pixels of the file, 8 to 64. */
  readonly cell: number;
  /** Column and row numbers of the world, in a margin of one tile at the top and the left. */
  readonly ruler: boolean;
  /** A frame of the same size that is grey all over, which shows nothing. Default: no. */
  readonly blank?: boolean;
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
  if (options.blank === true)
    return blankFrame(tileset.art, { columns, rows: list.rows + rows.margin, cell: options.cell });
  const view = {
    cells: cellsOf(list, tileset, rows),
    columns,
    aids: aidsKey(scene, options),
    cell: options.cell,
  };
  return recentFrame(tileset.composites, view, () => drawWithAids(view, { scene, tileset, options }));
}

const GREY: Palette = { size: 1, rgb: Uint8Array.of(128, 128, 128) };

function blankFrame(
  art: number,
  { columns, rows, cell }: { readonly columns: number; readonly rows: number; readonly cell: number },
): Frame {
  const [width, height] = [columns * art, rows * art];
  const frame = { width, height, indices: new Uint8Array(width * height), palette: GREY, art, cell };
  return { ...frame, hash: frameHash(frame) };
}

function drawWithAids({ cells, columns, cell }: FrameView, { scene, tileset, options }: AidedDrawing): Frame {
  const { art, colours } = tileset;
  const raster = blitCells(cells, tileset, columns);
  drawMarks(raster, scene, tileset, options.ruler ? 1 : 0);
  if (options.ruler) drawRuler(raster, scene, tileset);
  const frame = { ...raster, palette: colours.palette, art, cell };
  return { ...frame, hash: frameHash(frame) };
}

/** Drawn over the tiles: marks and, with a ruler, the position in the world. */
function aidsKey({ marks, origin }: Scene, { ruler }: DrawOptions): string {
  return marks.length === 0 && !ruler ? '' : JSON.stringify([marks, ruler ? [origin.x, origin.y] : null]);
}

interface AidedDrawing {
  readonly scene: Scene;
  readonly tileset: Tileset;
  readonly options: DrawOptions;
}

// What identifies a frame: SHA-256 over its size, palette and indices; above 256 colours, over the SHA-256 of
// each of its tiles' red, green and blue, row by row. Both depend only on the pixels, never on a file's
// bytes.

function frameHash(frame: Omit<Frame, 'hash'>): string {
  const { palette } = frame;
  if (palette.size > 256) return colourHash(frame);
  return createHash('sha256').update(headOf(frame)).update(palette.rgb).update(frame.indices).digest('hex');
}

function headOf({ width, height, art, cell, palette }: Omit<Frame, 'hash'>): string {
  return `orchestrate-frame-v1\n${width} ${height} ${art} ${cell} ${palette.size}\n`;
}

function colourHash(frame: Omit<Frame, 'hash'>): string {
  const { width, height, art } = frame;
  const hash = createHash('sha256').update(headOf(frame));
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
