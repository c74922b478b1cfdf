import { createCanvas, loadImage } from '@napi-rs/canvas';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawFrame } from '../../src/render/draw.js';
import { newIndices } from '../../src/render/palette.js';
import { encodePng, fileSize, type PngSource } from '../../src/render/png.js';
import { sceneOf, thing } from './scenes.js';
import { ownTileset } from './tilesets.js';

/** What the file must show, worked out pixel by pixel. */
function expectedRgb(frame: PngSource): Uint8Array {
  const { width, height } = fileSize(frame);
  const rgb = new Uint8Array(width * height * 3);
  const source = (i: number) =>
    Math.floor(i / frame.cell) * frame.art + Math.floor(((i % frame.cell) * frame.art) / frame.cell);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const index = frame.indices[source(y) * frame.width + source(x)] ?? 0;
      rgb.set(frame.palette.rgb.subarray(index * 3, index * 3 + 3), (y * width + x) * 3);
    }
  return rgb;
}

async function decodedBySharp(png: Uint8Array) {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return { channels: info.channels, width: info.width, height: info.height, data: new Uint8Array(data) };
}

async function decodedByCanvas(png: Uint8Array) {
  const image = await loadImage(Buffer.from(png));
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  return new Uint8Array(
    context.getImageData(0, 0, image.width, image.height).data.filter((_, i) => i % 4 !== 3),
  );
}

async function expectExact(frame: PngSource): Promise<void> {
  const png = encodePng(frame);
  const expected = expectedRgb(frame);
  const decoded = await decodedBySharp(png);
  expect({ width: decoded.width, height: decoded.height, channels: decoded.channels }).toEqual({
    ...fileSize(frame),
    channels: 3,
  });
  expect(Buffer.compare(decoded.data, expected)).toBe(0);
  expect(Buffer.compare(await decodedByCanvas(png), expected)).toBe(0);
}

const anyFrame = fc
  .record({
    art: fc.integer({ min: 8, max: 20 }),
    cell: fc.integer({ min: 8, max: 64 }),
    columns: fc.integer({ min: 1, max: 4 }),
    rows: fc.integer({ min: 1, max: 4 }),
    colours: fc.constantFrom(1, 2, 16, 200, 256, 257, 700, 70_000),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  })
  .map(({ art, cell, columns, rows, colours, seed }): PngSource => {
    let state = seed;
    const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8;
    const [width, height] = [columns * art, rows * art];
    const rgb = Uint8Array.from({ length: colours * 3 }, () => next() % 256);
    const numbers = Array.from({ length: width * height }, () => next() % colours);
    const palette = { rgb, size: colours };
    const indices = newIndices(palette, numbers.length);
    indices.set(numbers);
    return { art, cell, width, height, indices, palette };
  });

describe('a frame as PNG', () => {
  test('two decoders give back exactly its colours, at any cell size and with any palette', async () => {
    await fc.assert(fc.asyncProperty(anyFrame, expectExact), { numRuns: 60 });
  });

  test.each([8, 16, 28, 32, 33, 48, 56, 64])('a scene with tiles of %i pixels', async (cell) => {
    const scene = sceneOf(['####', '#.~#', '#D##'], ['vvvr', 'vvrr', 'vv  '], {
      things: [thing('figure/knight', 1, 1)],
    });
    await expectExact(drawFrame(scene, await ownTileset(), { cell, ruler: false }));
  });

  test('is a palette image if it shows at most 256 colours, RGB if more, and never has alpha', async () => {
    const palette = { rgb: Uint8Array.from({ length: 300 * 3 }, (_, i) => i % 251), size: 300 };
    const shown = [256, 257].map((count) => ({
      art: 8,
      cell: 8,
      width: 24,
      height: 16,
      palette,
      indices: Uint16Array.from({ length: 24 * 16 }, (_, i) => 299 - (i % count)),
    }));
    expect(shown.map((frame) => encodePng(frame)[25])).toEqual([3, 2]);
    for (const frame of shown) await expectExact(frame);
  });
});
