/**
 * Palette indices as red, green and blue: the basis of the hash and the file of a frame with more than 256
 * colours.
 */
import type { Frame } from './frame.js';

/** A whole frame at the art's resolution, row by row, three bytes per pixel. */
export function frameRgb({ indices, palette }: Pick<Frame, 'indices' | 'palette'>): Uint8Array {
  const colours = palette.rgb;
  const rgb = new Uint8Array(indices.length * 3);
  for (let i = 0, to = 0; i < indices.length; i++) {
    const from = (indices[i] ?? 0) * 3;
    rgb[to++] = colours[from] ?? 0;
    rgb[to++] = colours[from + 1] ?? 0;
    rgb[to++] = colours[from + 2] ?? 0;
  }
  return rgb;
}
