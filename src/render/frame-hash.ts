/**
 * A frame's identity: SHA-256 over its size, palette and indices; above 256 colours over the SHA-256 of each
 * of its tiles' red, green and blue, row by row. Both depend on the pixels alone, never on a file's bytes.
 */
import { createHash } from 'node:crypto';
import type { Frame } from './frame.js';
import { frameRgb } from './rgb.js';

export function frameHash(frame: Omit<Frame, 'hash'>): string {
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
