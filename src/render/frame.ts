/**
 * A frame: one observation as a picture, in palette indices at the art's own resolution. Its hash covers size, palette
 * and indices, never PNG bytes, so it is the same on every machine. `png.ts` makes the file.
 */
export interface Palette {
  /** RGB triplets, 3 bytes a colour. */
  readonly rgb: Uint8Array;
  readonly size: number;
}

export interface Frame {
  /** Art pixels. */
  readonly width: number;
  readonly height: number;
  readonly indices: Uint8Array | Uint16Array;
  readonly palette: Palette;
  /** Art pixels per tile side, and the pixels that a tile gets in the file. */
  readonly art: number;
  readonly cell: number;
  /** SHA-256 over all of the above. */
  readonly hash: string;
}
