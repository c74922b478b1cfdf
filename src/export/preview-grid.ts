/**
 * `preview.png`: some of an export's pictures side by side, for whoever looks at the folder. Which ones follows from the pictures alone, and a few are held at a time.
 */
import sharp from 'sharp';
import { sha256 } from '../base/canonical.js';
import { compareText } from '../base/ids.js';
import type { Picture } from './sample.js';

const COLUMNS = 4;
const ROWS = 3;
const CELL_PIXELS = 256;
const GAP_PIXELS = 4;

/** Keeps those whose hashes come first in an order of its own, so that equal rows in another order give the same grid. */
export class PreviewGrid {
  #kept: { readonly rank: string; readonly picture: Picture }[] = [];
  readonly #ranks = new Set<string>();
  #last = '';

  add(picture: Picture): void {
    const rank = sha256(`orchestrate-preview-v1\n${picture.hash}`);
    if (this.#ranks.has(rank) || (this.#kept.length === COLUMNS * ROWS && rank > this.#last)) return;
    this.#ranks.add(rank);
    this.#kept.push({ rank, picture });
    this.#kept.sort((a, b) => compareText(a.rank, b.rank));
    for (const { rank: dropped } of this.#kept.splice(COLUMNS * ROWS)) this.#ranks.delete(dropped);
    this.#last = this.#kept.at(-1)?.rank ?? '';
  }

  /** A PNG; null where there was no picture. */
  async png(): Promise<Uint8Array | null> {
    if (this.#kept.length === 0) return null;
    const cells = await Promise.all(
      this.#kept.map(async ({ picture }, i) => ({
        ...(await cellOf(picture)),
        left: GAP_PIXELS + (i % COLUMNS) * (CELL_PIXELS + GAP_PIXELS),
        top: GAP_PIXELS + Math.floor(i / COLUMNS) * (CELL_PIXELS + GAP_PIXELS),
      })),
    );
    const across = Math.min(COLUMNS, cells.length);
    const down = Math.ceil(cells.length / COLUMNS);
    const side = (count: number): number => GAP_PIXELS + count * (CELL_PIXELS + GAP_PIXELS);
    return sharp({ create: { width: side(across), height: side(down), channels: 3, background: '#444' } })
      .composite(cells)
      .png()
      .toBuffer();
  }
}

/** As plain pixels: a PNG would be made only to be taken apart again. */
async function cellOf({ png }: Picture) {
  const { data, info } = await sharp(png)
    .resize({
      width: CELL_PIXELS,
      height: CELL_PIXELS,
      fit: 'contain',
      background: '#000',
      kernel: 'nearest',
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { input: data, raw: { width, height, channels } };
}
