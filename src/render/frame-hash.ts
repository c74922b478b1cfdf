/**
 * What a frame is told apart by: SHA-256 over its size, palette and indices; above 256 colours over the SHA-256 of each of its tiles' red, green and blue,
 * row by row, since a tile that was seen before need not be hashed again. Both depend on the pixels alone, never on a file's bytes.
 */
import { createHash } from 'node:crypto';
import { sha256 } from '../base/canonical.js';
import { laidOut } from './canvases.js';
import type { Pixels } from './composites.js';
import type { Frame } from './frame.js';
import type { Palette } from './palette.js';
import { tileRgb } from './rgb.js';

export function frameHash(frame: Omit<Frame, 'hash'>): string {
  const { palette } = frame;
  if (palette.size > 256) return colourHash(frame);
  return createHash('sha256').update(headOf(frame)).update(palette.rgb).update(frame.indices).digest('hex');
}

/** The same of a frame that shows its tiles and nothing else, without its indices being asked for. */
export function tiledHash(frame: Omit<Frame, 'hash' | 'indices'>): string {
  return frame.palette.size > 256 ? colourHash(frame) : sha256(laidOut(headOf(frame), frame));
}

function headOf({ width, height, art, cell, palette }: Omit<Frame, 'hash' | 'indices'>): string {
  return `orchestrate-frame-v1\n${width} ${height} ${art} ${cell} ${palette.size}\n`;
}

function colourHash(frame: Omit<Frame, 'hash' | 'indices'>): string {
  const hash = createHash('sha256').update(headOf(frame));
  for (const tile of frame.tiles.cells) hash.update(tileHash(tile, frame.palette));
  return hash.digest('hex');
}

const hashes = new WeakMap<Pixels, Buffer>();

function tileHash(tile: Pixels, palette: Palette): Buffer {
  const known = hashes.get(tile);
  if (known !== undefined) return known;
  const made = createHash('sha256').update(tileRgb(tile, palette)).digest();
  hashes.set(tile, made);
  return made;
}
