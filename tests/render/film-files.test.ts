/** Films as files: what an independent decoder reads is what was drawn, for how long, and only what changed is written. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { changedBox, isSameRaster } from '../../src/render/film-changes.js';
import type { FilmWriter } from '../../src/render/film-frame.js';
import { gifWriter } from '../../src/render/gif.js';
import type { Palette } from '../../src/render/palette.js';
import type { Raster } from '../../src/render/text.js';
import { boxRgb, webpWriter } from '../../src/render/webp.js';

function paletteOf(size: number): Palette {
  const rgb = Uint8Array.from({ length: size * 3 }, (_, i) => (Math.floor(i / 3) * 37 + (i % 3) * 91) % 256);
  return { rgb, size };
}

function raster(width: number, height: number, index: (x: number, y: number) => number): Raster {
  const indices = Uint8Array.from({ length: width * height }, (_, i) =>
    index(i % width, Math.floor(i / width)),
  );
  return { indices, width, height };
}

const SIZE = { width: 61, height: 47 };
/** Noise, long runs, one pixel changed, nothing changed but the time, a box in the middle. */
const FILM = [
  raster(61, 47, (x, y) => (x * x * 7 + y * 31 + ((x * y) % 13) * 17) % 200),
  raster(61, 47, (x) => (x < 30 ? 3 : 199)),
  raster(61, 47, (x, y) => (x === 60 && y === 46 ? 5 : x < 30 ? 3 : 199)),
  raster(61, 47, (x, y) => (x > 12 && x < 41 && y > 7 && y < 21 ? (x * y) % 200 : x < 30 ? 3 : 199)),
];
const TIMES = [120, 700, 40, 3000];

async function written(
  open: (file: { write(b: Uint8Array): void; patch(o: number, b: Uint8Array): void }) => FilmWriter,
) {
  let bytes = Buffer.alloc(0);
  const sizes: number[] = [];
  const writer = open({
    write: (more) => (bytes = Buffer.concat([bytes, more])),
    patch: (offset, over) => bytes.set(over, offset),
  });
  for (const [i, one] of FILM.entries()) {
    const before = bytes.length;
    await writer.add({ raster: one, delayMs: TIMES[i] ?? 0 });
    sizes.push(bytes.length - before);
  }
  await writer.end();
  return { bytes, sizes };
}

/** Pixels of one picture, three bytes each. */
async function decoded(file: Buffer, page: number): Promise<Uint8Array> {
  const { data } = await sharp(file, { page }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return data;
}

const whole = { x: 0, y: 0, ...SIZE };

describe.each([
  ['gif', (palette: Palette) => written((file) => gifWriter(SIZE, palette, (bytes) => file.write(bytes)))],
  ['webp', (palette: Palette) => written((file) => webpWriter(SIZE, palette, file))],
] as const)('a film as %s', (format, write) => {
  it('shows every picture exactly, for its time, for ever', async () => {
    const palette = paletteOf(200);
    const { bytes } = await write(palette);
    const facts = await sharp(bytes, { pages: -1 }).metadata();
    expect(facts).toMatchObject({ format, pages: FILM.length, loop: 0, width: 61, pageHeight: 47 });
    expect(facts.delay).toEqual(TIMES);
    for (const [page, one] of FILM.entries())
      expect(Buffer.compare(await decoded(bytes, page), boxRgb(one, whole, palette))).toBe(0);
  });

  it('holds only what changed', async () => {
    const { sizes } = await write(paletteOf(200));
    expect(sizes[2]).toBeLessThan(120);
    expect(sizes[3]).toBeLessThan((sizes[0] ?? 0) / 3);
  });
});

it('a gif of more than 256 colours shows near ones', async () => {
  const palette = paletteOf(400);
  const { bytes } = await written((file) => gifWriter(SIZE, palette, (bytes) => file.write(bytes)));
  for (const [page, one] of FILM.entries()) {
    const [made, meant] = [await decoded(bytes, page), boxRgb(one, whole, palette)];
    expect(made.every((value, i) => Math.abs(value - (meant[i] ?? 0)) <= 43)).toBe(true);
  }
});

it('a gif of one large noisy picture is read whole: its codes are begun anew', async () => {
  const palette = paletteOf(256);
  const noise = raster(300, 200, (x, y) => (Math.imul(x * 2654435761 + y * 40503, 2246822519) >>> 24) & 255);
  let bytes = Buffer.alloc(0);
  const writer = gifWriter(noise, palette, (more) => (bytes = Buffer.concat([bytes, more])));
  await writer.add({ raster: noise, delayMs: 100 });
  await writer.end();
  const meant = boxRgb(noise, { x: 0, y: 0, width: 300, height: 200 }, palette);
  expect(Buffer.compare(await decoded(bytes, 0), meant)).toBe(0);
});

describe('what changed', () => {
  it('is the smallest box around it', () => {
    const [, bars, dot, box] = FILM as [Raster, Raster, Raster, Raster];
    expect(changedBox(null, bars)).toEqual(whole);
    expect(changedBox(bars, dot)).toEqual({ x: 60, y: 46, width: 1, height: 1 });
    expect(changedBox(bars, box)).toMatchObject({ y: 8, height: 13 });
    expect(changedBox(bars, bars)).toEqual({ x: 0, y: 0, width: 1, height: 1 });
    expect([isSameRaster(bars, bars), isSameRaster(bars, dot)]).toEqual([true, false]);
  });
});
