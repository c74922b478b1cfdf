/**
 * Palette indices as red, green and blue: what a frame of more than 256 colours is told apart by and what its file holds. In: indices, or a tile, whose
 * colours are looked up once, however often it is seen; out: bytes, three a pixel. Never to be changed.
 */
import type { Pixels } from './composites.js';
import type { Frame } from './frame.js';
import type { Palette } from './palette.js';

/** All of a frame at the art's resolution, row by row. */
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

const tiles = new WeakMap<Pixels, Uint8Array>();

/** A tile of a palette of more than 256 colours, row by row. */
export function tileRgb(tile: Pixels, palette: Palette): Uint8Array {
  const known = tiles.get(tile);
  if (known !== undefined) return known;
  const made = frameRgb({ indices: asIndices(tile, palette), palette });
  tiles.set(tile, made);
  return made;
}

/** They may lie there as 32-bit words (`asWords`). */
function asIndices(tile: Pixels, { size }: Palette): Pixels {
  const { buffer, byteOffset, byteLength } = tile;
  return size <= 0x1_0000 ? new Uint16Array(buffer, byteOffset, byteLength / 2) : tile;
}
