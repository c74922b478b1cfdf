/**
 * What a frame is told apart by: SHA-256 over its size, palette and indices; above 256 colours over the SHA-256 of each of its tiles' red, green and blue,
 * row by row, since a tile that was seen before need not be hashed again. Both depend on the pixels alone, never on a file's bytes.
 */
import { createHash } from 'node:crypto';
import type { Pixels } from './composites.js';
import type { Frame } from './frame.js';
import type { Palette } from './palette.js';
import { tileRgb } from './rgb.js';

export function frameHash(frame: Omit<Frame, 'hash'>): string {
  const { width, height, art, cell, palette, tiles } = frame;
  const hash = createHash('sha256');
  hash.update(`orchestrate-frame-v1\n${width} ${height} ${art} ${cell} ${palette.size}\n`);
  if (palette.size <= 256) hash.update(palette.rgb).update(frame.indices);
  else for (const tile of tiles.cells) hash.update(tileHash(tile, palette));
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
