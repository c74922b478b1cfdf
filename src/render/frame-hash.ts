/**
 * What a frame is told apart by: SHA-256 over its size, palette and indices; above 256 colours over the SHA-256 of each of its tiles' red, green and blue,
 * row by row, since a tile that was seen before need not be hashed again. Both depend on the pixels alone, never on a file's bytes.
 */
import { createHash, type Hash } from 'node:crypto';
import type { Pixels } from './composites.js';
import type { Frame } from './frame.js';
import type { Palette } from './palette.js';
import type { Cells } from './raster.js';
import { frameRgb, tileRgb } from './rgb.js';

type Hashed = Omit<Frame, 'hash' | 'tiles'>;

/** `cells`: the tiles that the frame consists of; undefined ones, and all where it is null, are looked up in the pixels. */
export function frameHash(frame: Hashed, cells: Cells | null): string {
  const { width, height, art, cell, palette, indices } = frame;
  const hash = createHash('sha256');
  hash.update(`orchestrate-frame-v1\n${width} ${height} ${art} ${cell} ${palette.size}\n`);
  if (indices instanceof Uint8Array) hash.update(palette.rgb).update(indices);
  else addTiles(hash, frame, cells);
  return hash.digest('hex');
}

function addTiles(hash: Hash, frame: Hashed, cells: Cells | null): void {
  const columns = frame.width / frame.art;
  const count = columns * (frame.height / frame.art);
  for (let i = 0; i < count; i++) {
    const tile = cells?.[i];
    hash.update(
      tile === undefined
        ? sha256(pixelsAt(frame, i % columns, Math.floor(i / columns)))
        : tileHash(tile, frame.palette),
    );
  }
}

/** Red, green and blue of a place, row by row. */
function pixelsAt(frame: Hashed, column: number, row: number): Uint8Array {
  const { width, art } = frame;
  const rgb = frameRgb(frame);
  const out = new Uint8Array(art * art * 3);
  for (let y = 0; y < art; y++) {
    const from = ((row * art + y) * width + column * art) * 3;
    out.set(rgb.subarray(from, from + art * 3), y * art * 3);
  }
  return out;
}

const hashes = new WeakMap<Pixels, Buffer>();

function tileHash(tile: Pixels, palette: Palette): Buffer {
  const known = hashes.get(tile);
  if (known !== undefined) return known;
  const made = sha256(tileRgb(tile, palette));
  hashes.set(tile, made);
  return made;
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
