/**
 * A scene drawn as a frame: its draw list blitted as palette indices at the art's own resolution, then the optional aids over it.
 * All integers, no canvas: the same scene and tileset give the same frame and hash on every machine. The hash is over
 * size, palette and indices (over RGB above 256 colours), never over PNG bytes, which `png.ts` makes and zlib versions change.
 */
import { createHash } from 'node:crypto';
import { assert } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import { REMEMBERED, type Scene } from '../environment/scene.js';
import { drawMarks, drawRuler } from './aids.js';
import { EMPTY, type Pixels } from './composites.js';
import { drawList, type DrawList } from './draw-list.js';
import type { Frame, FrameTiles } from './frame.js';
import type { Box, Raster } from './text.js';
import { newIndices, type Tileset } from './tileset.js';

/** Raised whenever the same scene and tileset would give other pixels. */
export const RENDER_VERSION = 1;

export interface DrawOptions {
  /** Pixels of a tile's side in the file, 8 … 64. */
  readonly cell: number;
  /** Column and row numbers of the world in a margin of one tile at the top and the left. */
  readonly ruler: boolean;
}

/** The window must be within LIMITS; larger maps are `preview.ts`'s. Throws UsageError for words without a font. */
export function drawFrame(scene: Scene, tileset: Tileset, options: DrawOptions): Frame {
  const side = LIMITS.frameSideTiles;
  assert(scene.width <= side && scene.height <= side, `a frame of ${scene.width}×${scene.height} tiles`);
  assert(options.cell >= 8 && options.cell <= LIMITS.frameTilePixels, `tiles of ${options.cell} pixels`);
  const list = drawList(scene, tileset);
  const margin = options.ruler ? 1 : 0;
  const { cells, ...raster } = drawTiles(list, tileset, { firstRow: 0, rows: list.rows, margin });
  const columns = raster.width / tileset.art;
  const aided = { ...raster, onFill: (box: Box) => forgetCells(cells, box, { columns, art: tileset.art }) };
  drawMarks(aided, scene, tileset, margin);
  if (options.ruler) drawRuler(aided, scene, tileset);
  const frame = {
    ...raster,
    tiles: tilesOf(raster, cells, tileset),
    palette: tileset.colours.palette,
    art: tileset.art,
    cell: options.cell,
  };
  return { ...frame, hash: frameHash(frame) };
}

export interface TileRows {
  readonly firstRow: number;
  readonly rows: number;
  /** Tiles left free at the top and the left. */
  readonly margin: number;
}

/** Rows of a draw list as indices. */
export function drawTiles(list: DrawList, tileset: Tileset, { firstRow, rows, margin }: TileRows) {
  const { art, composites } = tileset;
  const [width, height] = [(list.columns + margin) * art, (rows + margin) * art];
  const { indices, words } = newIndices(tileset, width * height);
  const cells: (Pixels | undefined)[] = [];
  const perIndex = indices.length / words.length;
  const [stride, side] = [width / perIndex, art / perIndex];
  composites.begin();
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < list.columns; x++) {
      const cell = list.cells[(firstRow + y) * list.columns + x];
      if (cell === undefined) continue;
      let stack = EMPTY;
      for (const tile of cell.tiles) stack = composites.push(stack, tile);
      const pixels = composites.pixels(stack, cell.visibility === REMEMBERED);
      cells[(y + margin) * (list.columns + margin) + x + margin] = pixels;
      blit({ words, stride }, (y + margin) * art * stride + (x + margin) * side, { pixels, side, rows: art });
    }
  return { indices, width, height, cells };
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

function tilesOf(
  { indices, width }: Raster,
  known: readonly (Pixels | undefined)[],
  { art, composites }: Tileset,
): FrameTiles | null {
  if (!(indices instanceof Uint8Array)) return null;
  const columns = width / art;
  const tile = new Uint8Array(art * art);
  const cells = Array.from({ length: indices.length / tile.length }, (_, i) => {
    const pixels = known[i];
    if (pixels !== undefined) return pixels;
    const from = Math.floor(i / columns) * art * width + (i % columns) * art;
    for (let y = 0; y < art; y++)
      tile.set(indices.subarray(from + y * width, from + y * width + art), y * art);
    return composites.other(tile);
  });
  return { cells, composites };
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

function frameHash(frame: Omit<Frame, 'hash' | 'tiles'>): string {
  const { width, height, art, cell, palette, indices } = frame;
  const hash = createHash('sha256');
  hash.update(`orchestrate-frame-v1\n${width} ${height} ${art} ${cell} ${palette.size}\n`);
  if (indices instanceof Uint8Array) return hash.update(palette.rgb).update(indices).digest('hex');
  return hash.update(frameRgb(frame)).digest('hex');
}

/** The frame's pixels at the art's resolution, 3 bytes each. */
export function frameRgb({ indices, palette }: Pick<Frame, 'indices' | 'palette'>): Uint8Array {
  const rgb = new Uint8Array(indices.length * 3);
  for (let i = 0; i < indices.length; i++) {
    const from = (indices[i] ?? 0) * 3;
    rgb[i * 3] = palette.rgb[from] ?? 0;
    rgb[i * 3 + 1] = palette.rgb[from + 1] ?? 0;
    rgb[i * 3 + 2] = palette.rgb[from + 2] ?? 0;
  }
  return rgb;
}
