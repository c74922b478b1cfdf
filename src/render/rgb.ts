/**
 * A frame's pixels as red, green and blue: what its hash covers and what its file holds where a palette has more than 256 colours. In: indices, or the
 * tiles that they were made of, whose colours are looked up once for each tile and not for each pixel; out: bytes.
 */
import type { Pixels } from './composites.js';
import type { Frame } from './frame.js';
import type { Palette } from './palette.js';
import type { Cells } from './raster.js';

type Indexed = Pick<Frame, 'indices' | 'palette'>;

/** A frame is hashed, then encoded: the second one finds it here. The memory is used for the next frame again, since new memory costs more than filling it. */
let last: { readonly indices: Frame['indices'] | null; readonly words: Uint32Array } = {
  indices: null,
  words: new Uint32Array(0),
};

/** At the art's resolution, 3 bytes a pixel. Never to be changed, nor kept: the next frame's take its place. */
export function frameRgb({ indices, palette }: Indexed): Uint8Array {
  const length = indices.length * 3;
  if (last.indices !== indices) {
    const words = wordsFor(length);
    coloursOf(indices, palette, new Uint8Array(words.buffer, 0, length));
    last = { indices, words };
  }
  return new Uint8Array(last.words.buffer, 0, length);
}

/** Room for so many bytes. */
function wordsFor(bytes: number): Uint32Array {
  const count = Math.ceil(bytes / 4);
  return last.words.length >= count ? last.words : new Uint32Array(count);
}

function coloursOf(
  indices: Pixels,
  palette: Palette,
  rgb: Uint8Array = new Uint8Array(indices.length * 3),
): Uint8Array {
  const colours = palette.rgb;
  for (let i = 0, to = 0; i < indices.length; i++) {
    const from = (indices[i] ?? 0) * 3;
    rgb[to++] = colours[from] ?? 0;
    rgb[to++] = colours[from + 1] ?? 0;
    rgb[to++] = colours[from + 2] ?? 0;
  }
  return rgb;
}

/** How the tiles of a frame lie. */
interface Tiled extends Indexed {
  /** Row by row, all that the frame shows. */
  readonly cells: Cells;
  readonly columns: number;
  /** Pixels of a tile's side. */
  readonly art: number;
}

/** Has `frameRgb` find what the tiles of these indices come to. Nothing where they are not the whole picture, or their rows no whole words. */
export function putTogetherRgb({ indices, palette, cells, columns, art }: Tiled): void {
  if (art % 4 !== 0) return;
  const side = (art * 3) / 4;
  if (cells.includes(undefined)) return;
  const words = wordsFor(indices.length * 3);
  for (const [i, cell] of cells.entries()) {
    if (cell === undefined) continue;
    const tile = new Uint32Array(tileRgb(cell, palette).buffer);
    let to = Math.floor(i / columns) * art * columns * side + (i % columns) * side;
    for (let from = 0; from < tile.length; to += columns * side)
      for (let x = 0; x < side; x++) words[to + x] = tile[from++] ?? 0;
  }
  last = { indices, words };
}

const tiles = new WeakMap<Pixels, Uint8Array>();

/** A tile's colours, row by row. Never to be changed. */
export function tileRgb(tile: Pixels, palette: Palette): Uint8Array {
  const known = tiles.get(tile);
  if (known !== undefined) return known;
  const { buffer, byteOffset, byteLength } = tile;
  // They may lie there as 32-bit words (`asWords`).
  const indices = palette.size <= 0x1_0000 ? new Uint16Array(buffer, byteOffset, byteLength / 2) : tile;
  const made = coloursOf(indices, palette);
  tiles.set(tile, made);
  return made;
}
