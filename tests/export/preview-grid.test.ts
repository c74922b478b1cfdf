/** The preview of an export: which pictures it shows follows from the pictures alone, and each lies whole in its place. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PreviewGrid } from '../../src/export/preview-grid.js';
import type { SampleImage } from '../../src/export/prompt-turn.js';

const [CELL, GAP] = [256, 4];

/** Of one colour, so that a look at the middle of a cell tells whose it is. */
async function flat(i: number, size = { width: 40, height: 30 }, palette = false): Promise<SampleImage> {
  const background = { r: 10 * i + 5, g: 200 - 10 * i, b: 77 };
  const picture = sharp({ create: { ...size, channels: 3, background } });
  return {
    hash: `${String(i).padStart(2, '0')}${'a'.repeat(62)}`,
    png: await picture.png({ palette }).toBuffer(),
  };
}

async function gridOf(pictures: readonly SampleImage[]): Promise<Uint8Array> {
  const grid = new PreviewGrid();
  for (const picture of pictures) grid.add(picture);
  return (await grid.png()) ?? new Uint8Array();
}

/** Red in the middle of each cell, row by row. */
async function reds(png: Uint8Array): Promise<readonly number[]> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  const found: number[] = [];
  for (let y = GAP + CELL / 2; y < info.height; y += CELL + GAP)
    for (let x = GAP + CELL / 2; x < info.width; x += CELL + GAP)
      found.push(data[(y * info.width + x) * info.channels] ?? -1);
  return found;
}

describe('the preview', () => {
  it('is none without a picture', async () => {
    expect(await new PreviewGrid().png()).toBeNull();
  });

  it('shows twelve at the most, the same in whatever order and however often they come', async () => {
    const pictures = await Promise.all(Array.from({ length: 20 }, (_, i) => flat(i)));
    const grid = await gridOf(pictures);
    expect(await reds(grid)).toEqual(Array.from({ length: 12 }, (_, i) => 10 * i + 5));
    expect(await sharp(grid).metadata()).toMatchObject({ width: 4 * 260 + 4, height: 3 * 260 + 4 });
    const again = [...pictures.toReversed(), ...pictures, ...pictures.slice(3, 9)];
    expect(Buffer.from(await gridOf(again)).equals(grid)).toBe(true);
  });

  it('is as large as what it shows, whatever sizes and kinds of colours', async () => {
    const grid = await gridOf([
      await flat(1, { width: 600, height: 30 }),
      await flat(2, { width: 20, height: 300 }, true),
      await flat(3),
    ]);
    expect(await sharp(grid).metadata()).toMatchObject({ width: 3 * 260 + 4, height: 264, channels: 3 });
    expect(await reds(grid)).toEqual([15, 25, 35]);
  });
});
