/**
 * A frame: one observation as a picture, in palette indices at the art's own resolution. Its hash covers
 * size, palette and indices, never PNG bytes, so it is the same on every machine. `png.ts` writes the file.
 */
import type { Indices, Palette } from './palette.js';

/** A picture as palette indices, at the resolution of the art. */
export interface Frame {
  /** The width and height in pixels of the art. */
  width: number;
  height: number;
  indices: Indices;
  palette: Palette;
  /** The side of a tile in pixels of the art, and in pixels of the file. */
  art: number;
  cell: number;
  /** SHA-256 over size, palette and indices. */
  hash: string;
}
