import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { drawFrame } from '../../src/render/draw.js';
import { frameRgb } from '../../src/render/rgb.js';
import { encodePng } from '../../src/render/png.js';
import { loadTileset, withFont } from '../../src/render/tileset.js';
import { sceneOf, thing } from './scenes.js';
import { ownSource, ownTileset, plainSource, rgbaPng, ruleSource, type Paint } from './tilesets.js';

const PLAIN = { cell: 32, ruler: false } as const;

describe("the project's tileset", () => {
  test('fits a palette PNG with its shadows, its fog and the colours of labels', async () => {
    expect((await ownTileset()).colours.palette.size).toBeLessThanOrEqual(256);
  });

  test('has what the rules draw with', async () => {
    const own = await ownTileset();
    expect(own.font).not.toBeNull();
    expect([own.names[own.unknownTile], own.names[own.bodyShadow], own.names[own.doorShadow]]).toEqual([
      'fx/unknown',
      'fx/shadow',
      'wall/shadow-n',
    ]);
  });
});

const diagonal: Paint = (x, y) => (x === y ? [250, 250, 250, 255] : [10, 20, 30, 255]);

describe('a foreign tileset', () => {
  test('without classes draws each ground with the tile of that name', async () => {
    const set = await loadTileset(await plainSource({ floor: [1, 2, 3, 255], wall: [4, 5, 6, 255] }));
    const frame = drawFrame(sceneOf(['.#']), set, PLAIN);
    expect([...frameRgb(frame).subarray(0, 3)]).toEqual([1, 2, 3]);
    expect([...frameRgb(frame).subarray(8 * 3, 8 * 3 + 3)]).toEqual([4, 5, 6]);
  });

  test('may give one tile several names', async () => {
    const source = await plainSource({ floor: [1, 2, 3, 255] });
    const tiles = { floor: { index: 0 }, 'item/a': { index: 0 }, ground: { index: 0 } };
    const manifest = JSON.stringify({ name: 'n', image: 'plain.png', tile: 8, columns: 1, tiles });
    const set = await loadTileset({ ...source, manifest });
    expect(set.names).toEqual(['floor', 'missing', 'unknown']);
    expect([set.sprite('ground'), set.sprite('item/a')]).toEqual([0, 0]);
  });

  test('cuts alpha at 128, and shows what is below', async () => {
    const set = await loadTileset(
      await plainSource({ floor: [10, 20, 30, 255], 'item/a': [200, 0, 0, 127], 'item/b': [200, 0, 0, 128] }),
    );
    const red = (sprite: string) =>
      frameRgb(drawFrame(sceneOf(['.'], undefined, { things: [thing(sprite, 0, 0)] }), set, PLAIN))[0];
    expect([red('item/a'), red('item/b')]).toEqual([10, 200]);
  });

  test.each([8, 9, 10, 17, 64])('may have tiles of %i pixels', async (side) => {
    const set = await loadTileset(await plainSource({ floor: diagonal }, {}, side));
    const frame = drawFrame(sceneOf(['.r', '..'], ['vv', 'rv']), set, PLAIN);
    const rgb = frameRgb(frame);
    expect([frame.width, frame.height]).toEqual([2 * side, 2 * side]);
    for (let i = 0; i < side; i++) expect(rgb[(i * frame.width + i) * 3]).toBe(250);
  });

  test('with 256 colours is exact, in RGB where shadow and fog need more', async () => {
    const paints: Record<string, Paint> = {};
    for (let t = 0; t < 4; t++) paints[`t${t}`] = (x, y) => [t * 60, y * 8 + x, 255 - x, 255];
    const set = await loadTileset(await plainSource(paints));
    expect(set.colours.palette.size).toBeGreaterThan(256);
    const scene = {
      ...sceneOf(['....', '....'], ['vvvv', 'rrrr']),
      legend: ['t0', 't1', 't2', 't3'],
      ground: [0, 1, 2, 3, 0, 1, 2, 3],
    };
    const frame = drawFrame(scene, set, { cell: 8, ruler: false });
    expect(frame.indices).toBeInstanceOf(Uint16Array);
    expect([...frameRgb(frame).subarray(9 * 3, 9 * 3 + 3)]).toEqual([60, 1, 254]);
    expect(encodePng(frame)[25]).toBe(2);
  });

  test('with more colours than 16 bits can count is exact too', async () => {
    const paints: Record<string, Paint> = {};
    // 12 tiles of 64 × 64 pixels, each with colours of its own, and again in the fog.
    for (let t = 0; t < 12; t++) paints[`t${t}`] = (x, y) => [t * 20, y * 4, x * 4, 255];
    const set = await loadTileset(await plainSource(paints, {}, 64));
    expect(set.colours.palette.size).toBeGreaterThan(0x1_0000);
    const scene = {
      ...sceneOf(['....', '....'], ['vvvv', 'rr v']),
      legend: Object.keys(paints),
      ground: [0, 5, 11, 3, 4, 5, -1, 11],
    };
    const frame = drawFrame(scene, set, { cell: 64, ruler: false });
    expect(frame.indices).toBeInstanceOf(Uint32Array);
    const rgb = frameRgb(frame);
    expect([...rgb.subarray((64 + 9) * 3, (64 + 9) * 3 + 3)]).toEqual([100, 0, 36]);
    const { data } = await sharp(encodePng(frame)).raw().toBuffer({ resolveWithObject: true });
    expect(Buffer.compare(data, Buffer.from(rgb))).toBe(0);
  });

  test('with one colour too many is refused in words', { tags: ['long'] }, async () => {
    const side = 1024;
    const image = async (colours: number) => {
      const data = Buffer.alloc(side * side * 4);
      for (let i = 0; i < side * side; i++)
        data.writeUInt32BE((0x20_0000 + Math.min(i, colours - 1)) * 256 + 255, i * 4);
      return { 'plain.png': await rgbaPng(side, side, data) };
    };
    const tiles = Object.fromEntries(Array.from({ length: 256 }, (_, index) => [`t${index}`, { index }]));
    const manifest = JSON.stringify({ name: 'many', image: 'plain.png', tile: 64, columns: 16, tiles });
    const most = LIMITS.tilesetColours;
    await expect(loadTileset({ manifest, images: await image(most) })).resolves.toBeDefined();
    await expect(loadTileset({ manifest, images: await image(most + 1) })).rejects.toThrow(
      `more than ${most} colours`,
    );
  });

  test('without its image, or with one too small, is refused in words', async () => {
    const source = await plainSource({ floor: [1, 2, 3, 255] });
    await expect(loadTileset({ ...source, images: {} })).rejects.toThrow(/plain\.png is missing/);
    const narrow = { 'plain.png': await rgbaPng(4, 8, Buffer.alloc(128)) };
    await expect(loadTileset({ ...source, images: narrow })).rejects.toThrow(/4 pixels wide/);
    const manifest = source.manifest.replace('"index": 0', '"index": 7');
    await expect(loadTileset({ ...source, manifest })).rejects.toThrow(/"floor" has index 7.*only 1 tile$/);
  });

  test('without a font can borrow one', async () => {
    const source = await ruleSource();
    const scene = sceneOf(['...'], undefined, { marks: [{ x: 0, y: 0, text: 'key' }] });
    const borrowed = await loadTileset(withFont(source, ownSource()));
    expect(drawFrame(scene, borrowed, PLAIN).hash).toMatch(/^[0-9a-f]{64}$/);
    expect(withFont(ownSource(), source)).toEqual(ownSource());
  });
});
