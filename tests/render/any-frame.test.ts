import * as fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Scene } from '../../src/environment/scene.js';
import { drawFrame } from '../../src/render/draw.js';
import type { Frame } from '../../src/render/frame.js';
import { encodePng, fileSize } from '../../src/render/png.js';
import { loadTileset, type Tileset } from '../../src/render/tileset.js';
import { sceneOf, thing } from './scenes.js';
import { manyColours, ownTileset, plainSource, ruleSource } from './tilesets.js';

let tilesets: readonly Tileset[];

beforeAll(async () => {
  tilesets = [
    await ownTileset(),
    await loadTileset(await ruleSource()),
    await manyColours(8),
    await manyColours(32),
  ];
});

async function decoded(png: Uint8Array) {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** The file's colours by its indices, worked out pixel by pixel. */
function expected(frame: Frame): Buffer {
  const { width, height } = fileSize(frame);
  const source = (i: number) =>
    Math.floor(i / frame.cell) * frame.art + Math.floor(((i % frame.cell) * frame.art) / frame.cell);
  const [columns, rows] = [width, height].map((length) => Array.from({ length }, (_, i) => source(i)));
  const out = Buffer.alloc(width * height * 3);
  let to = 0;
  for (const row of rows ?? [])
    for (const column of columns ?? []) {
      const from = (frame.indices[row * frame.width + column] ?? 0) * 3;
      for (let channel = 0; channel < 3; channel++) out[to++] = frame.palette.rgb[from + channel] ?? 0;
    }
  return out;
}

async function expectSame(frame: Frame): Promise<void> {
  const file = await decoded(encodePng(frame));
  const { width, height } = fileSize(frame);
  expect({ ...file, data: null }).toEqual({ data: null, width, height, channels: 3 });
  expect(Buffer.compare(file.data, expected(frame))).toBe(0);
}

/** Whether two frames of one size differ within a tile. */
function isOther(one: Frame, other: Frame, x: number, y: number): boolean {
  const { art, width } = one;
  const colour = ({ indices, palette }: Frame, at: number) => {
    const from = (indices[at] ?? 0) * 3;
    return palette.rgb.subarray(from, from + 3).join();
  };
  return Array.from(
    { length: art * art },
    (_, i) => (y * art + Math.floor(i / art)) * width + x * art + (i % art),
  ).some((at) => colour(one, at) !== colour(other, at));
}

const GROUNDS = ['.', '.', '.', '#', '#', '~', 'D', 'O', 'L', ' '];

const anyPicture = fc.record({
  width: fc.integer({ min: 1, max: 17 }),
  height: fc.integer({ min: 1, max: 9 }),
  cell: fc.constantFrom(8, 11, 16, 16, 21, 28, 32, 32, 33, 48, 64),
  ruler: fc.boolean(),
  skin: fc.nat(5),
  which: fc.nat(3),
  grounds: fc.array(fc.constantFrom(...GROUNDS), { minLength: 153, maxLength: 153 }),
  fog: fc.array(fc.constantFrom('v', 'v', 'v', 'r', ' '), { minLength: 153, maxLength: 153 }),
  origin: fc.record({ x: fc.integer({ min: -120, max: 120 }), y: fc.integer({ min: -120, max: 120 }) }),
  things: fc.array(fc.record({ sprite: fc.nat(), x: fc.nat(16), y: fc.nat(8) }), { maxLength: 40 }),
  marks: fc.array(
    fc.record({ x: fc.nat(16), y: fc.nat(8), text: fc.constantFrom('1', '7', '12', '-3', '480') }),
    { maxLength: 12 },
  ),
});
type Picture = typeof anyPicture extends fc.Arbitrary<infer T> ? T : never;

function drawn(picture: Picture): Frame {
  const { width, height, cell, ruler, which, origin, marks } = picture;
  const own = tilesets[which] ?? tilesets[0];
  if (own === undefined) throw new Error('no tileset');
  const rows = (list: readonly string[]) =>
    Array.from({ length: height }, (_, y) => list.slice(y * width, (y + 1) * width).join(''));
  const scene: Scene = {
    ...sceneOf(rows(picture.grounds), rows(picture.fog)),
    origin,
    things: picture.things.map(({ sprite, x, y }) => thing(own.names[sprite % own.names.length] ?? '', x, y)),
    marks,
  };
  return drawFrame(scene, which === 0 ? own.skinned(picture.skin) : own, { cell, ruler });
}

describe('the file of a frame', () => {
  test('shows the pixels of its indices, whatever is in it', async () => {
    await fc.assert(
      fc.asyncProperty(anyPicture, (picture) => expectSame(drawn(picture))),
      { numRuns: 100 },
    );
  });

  test('shows every tile of the tileset, lit and remembered', async () => {
    for (const tileset of tilesets) {
      const fog = ['v', 'r'].map((each) => each.repeat(20));
      for (let first = 0; first < tileset.names.length; first += 20) {
        const names = tileset.names.slice(first, first + 20);
        const things = [0, 1].flatMap((y) => names.map((name, x) => thing(name, x, y)));
        const framed = (shown: typeof things) =>
          drawFrame(sceneOf(['.'.repeat(20), '.'.repeat(20)], fog, { things: shown }), tileset, {
            cell: 32,
            ruler: false,
          });
        const [frame, bare] = [framed(things), framed([])];
        await expectSame(frame);
        const unseen = [0, 1].flatMap((y) => names.filter((_, x) => !isOther(frame, bare, x, y)));
        // Only the floor itself looks like the floor that it lies on.
        expect(unseen.filter((name) => !/^(?:terrain\/)?floor/.test(name))).toEqual([]);
      }
    }
  });

  test('is right for tiles of noise', async () => {
    const noise = (x: number, y: number) => {
      const number = (x * 29 + y * 53 + x * y * 7) % 110;
      return [(number * 37) % 256, (number * 91) % 256, number, 255] as const;
    };
    const set = await loadTileset(await plainSource({ floor: noise }, {}, 12));
    for (const cell of [12, 21])
      await expectSame(drawFrame(sceneOf(['...', '...']), set, { cell, ruler: true }));
  });

  test.each([
    [1, 1, 64],
    [63, 3, 64],
    [63, 2, 8],
    [3, 63, 8],
    [8, 8, 32],
  ])('is right for %i × %i tiles of %i pixels', async (width, height, cell) => {
    const map = Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_tile, x) => GROUNDS[(x * 7 + y * 3) % GROUNDS.length] ?? '.').join(''),
    );
    for (const tileset of tilesets)
      await expectSame(drawFrame(sceneOf(map), tileset, { cell, ruler: false }));
  });
});
