import sharp from 'sharp';
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { previewMap } from '../../src/render/preview.js';
import { loadTileset } from '../../src/render/tileset.js';
import { sceneOf, thing } from './scenes.js';
import { ownTileset, ruleSource } from './tilesets.js';

const PLAIN = { title: '', rooms: [], ids: [] } as const;
const MAP = sceneOf(['####', '#..#', '#..#', '####'], undefined, { things: [thing('figure/knight', 1, 2)] });

async function pixelsOf(png: Uint8Array) {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

test('a preview shows the whole map with its edge', async () => {
  const { width, height } = await pixelsOf(previewMap(MAP, await ownTileset(), PLAIN));
  expect([width, height]).toEqual([4 * 32 + 48, 4 * 32 + 48]);
});

test('title, rooms and ids are written into it', async () => {
  const tileset = await ownTileset();
  const plain = await pixelsOf(previewMap(MAP, tileset, PLAIN));
  const named = await pixelsOf(previewMap(MAP, tileset, { ...PLAIN, rooms: [{ x: 1, y: 1, text: 'Hall' }] }));
  const ids = await pixelsOf(previewMap(MAP, tileset, { ...PLAIN, ids: [{ x: 1, y: 2, text: 'knight' }] }));
  const titled = await pixelsOf(previewMap(MAP, tileset, { ...PLAIN, title: 'A keep' }));
  expect(Buffer.compare(plain.data, named.data)).not.toBe(0);
  expect(Buffer.compare(plain.data, ids.data)).not.toBe(0);
  expect(titled.height).toBeGreaterThan(plain.height);
});

test('its pixels do not depend on the fonts of the machine: the same twice, and boxed text is two colours', async () => {
  const tileset = await ownTileset();
  const options = { title: 'A keep', rooms: [{ x: 1, y: 1, text: 'Hall' }], ids: [] };
  const [one, two] = [previewMap(MAP, tileset, options), previewMap(MAP, tileset, options)];
  expect(Buffer.compare(Buffer.from(one), Buffer.from(two))).toBe(0);
  const { data, width } = await pixelsOf(one);
  const colours = new Set<string>();
  for (let y = 0; y < 40; y++)
    for (let x = 0; x < width; x++)
      colours.add(data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3).join());
  expect(colours.size).toBe(2);
});

test('a large map is drawn with smaller tiles, within the limit', async () => {
  const wide = sceneOf(['.'.repeat(1000), '#'.repeat(1000)]);
  const { width } = await pixelsOf(previewMap(wide, await ownTileset(), PLAIN));
  expect(width).toBeGreaterThan(3900);
  expect(width).toBeLessThanOrEqual(LIMITS.previewSidePixels);
});

test('a tileset without a font gives a picture without words', async () => {
  const tileset = await loadTileset(await ruleSource());
  expect((await pixelsOf(previewMap(MAP, tileset, { ...PLAIN, title: 'x' }))).width).toBe(176);
});
