/**
 * `preview.png`: some of an export's pictures side by side, for people who open the folder. The choice
 * depends on the pictures alone, and only a few are in memory at a time.
 */
import sharp from 'sharp';
import { compareText } from '../base/ids.js';
import type { SampleImage } from './prompt-turn.js';

const COLUMNS = 4;
const ROWS = 3;
const CELL_PIXELS = 256;
const GAP_PIXELS = 4;
const GREY = 0x44;
const CHANNELS = 3;
const CELL_ROW_BYTES = CELL_PIXELS * CHANNELS;

/**
 * Keeps the pictures with the lowest hashes: a random choice that is the same for equal rows in another
 * order.
 */
export class PreviewGrid {
  #kept: SampleImage[] = [];
  /** The highest hash of those kept, once there are enough. */
  #last = '';

  add(picture: SampleImage): void {
    const { hash } = picture;
    if (this.#kept.length === COLUMNS * ROWS && hash >= this.#last) return;
    if (this.#kept.some((one) => one.hash === hash)) return;
    this.#kept.push(picture);
    this.#kept.sort((a, b) => compareText(a.hash, b.hash));
    this.#kept.length = Math.min(this.#kept.length, COLUMNS * ROWS);
    this.#last = this.#kept.at(-1)?.hash ?? '';
  }

  /** Returns a PNG; null if there was no picture. */
  async png(): Promise<Uint8Array | null> {
    if (this.#kept.length === 0) return null;
    // Pictures that can't be drawn, as in a forged log, are not in the preview; the rows contain them
    // unchanged.
    const drawn = await Promise.all(this.#kept.map((one) => cellOf(one).catch(() => null)));
    const cells = drawn.filter((cell) => cell !== null);
    if (cells.length === 0) return null;
    const width = side(Math.min(COLUMNS, cells.length));
    const height = side(Math.ceil(cells.length / COLUMNS));
    const pixels = Buffer.alloc(width * height * CHANNELS, GREY);
    for (const [i, cell] of cells.entries()) {
      const left = side(i % COLUMNS);
      const top = side(Math.floor(i / COLUMNS));
      for (let y = 0; y < CELL_PIXELS; y++)
        cell.copy(
          pixels,
          ((top + y) * width + left) * CHANNELS,
          y * CELL_ROW_BYTES,
          (y + 1) * CELL_ROW_BYTES,
        );
    }
    return sharp(pixels, { raw: { width, height, channels: CHANNELS } })
      .png()
      .toBuffer();
  }
}

/** The length in pixels of this many cells, with the gaps around them. */
function side(cells: number): number {
  return GAP_PIXELS + cells * (CELL_PIXELS + GAP_PIXELS);
}

/** The pixels of a cell. They are copied here, because sharp's `composite` is much slower. */
function cellOf({ png }: SampleImage): Promise<Buffer> {
  return sharp(png)
    .resize({
      width: CELL_PIXELS,
      height: CELL_PIXELS,
      fit: 'contain',
      background: '#000',
      kernel: 'nearest',
    })
    .toColourspace('srgb')
    .flatten({ background: '#000' })
    .raw()
    .toBuffer();
}
