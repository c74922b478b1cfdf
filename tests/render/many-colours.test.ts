/** Above 256 colours a frame is told apart and written by the colours of its pixels, whichever frames were drawn before it and in whatever order they are written. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Scene } from '../../src/environment/scene.js';
import { drawFrame } from '../../src/render/draw.js';
import type { Frame } from '../../src/render/frame.js';
import { encodePng } from '../../src/render/png.js';
import { sceneOf, thing } from './scenes.js';
import { manyColours } from './tilesets.js';

const OPTIONS = { cell: 32, ruler: false };

const SCENES: readonly Scene[] = [
  sceneOf(['####', '#.~#', '####'], ['vvvr', 'vvrr', 'vv  '], { things: [thing('figure/knight', 1, 1)] }),
  sceneOf(['####', '#..#', '####'], ['vvvv', 'vvrr', 'rr  '], { things: [thing('figure/knight', 2, 1)] }),
  sceneOf(['~~~~', '~~~~', '~~~~'], ['vvvv', 'rrrr', '    ']),
];

/** Red, green and blue of each pixel at the art's size, looked up one by one. */
function coloursOf({ indices, palette }: Frame): Buffer {
  return Buffer.from([...indices].flatMap((index) => [...palette.rgb.subarray(index * 3, index * 3 + 3)]));
}

/** As `draw.ts` says. */
function hashOf(frame: Frame): string {
  const { width, height, art, cell, palette } = frame;
  const rgb = coloursOf(frame);
  const hash = createHash('sha256').update(
    `orchestrate-frame-v1\n${width} ${height} ${art} ${cell} ${palette.size}\n`,
  );
  for (let top = 0; top < height; top += art)
    for (let left = 0; left < width; left += art) {
      const rows = Array.from({ length: art }, (_, y) => {
        const from = ((top + y) * width + left) * 3;
        return rgb.subarray(from, from + art * 3);
      });
      hash.update(createHash('sha256').update(Buffer.concat(rows)).digest());
    }
  return hash.digest('hex');
}

describe.each([
  [8, 32],
  [32, 32],
  [32, 48],
])('tiles of %i pixels shown at %i', (side, cell) => {
  test('frames are hashed and written by their pixels, in any order', async () => {
    const tileset = await manyColours(side);
    expect(tileset.colours.palette.size > 0x1_0000).toBe(side === 32);
    expect(tileset.colours.palette.size).toBeGreaterThan(256);
    const frames = SCENES.map((scene) => drawFrame(scene, tileset, { ...OPTIONS, cell }));
    expect(new Set(frames.map(({ hash }) => hash)).size).toBe(SCENES.length);
    for (const frame of [...frames, ...frames.toReversed()]) {
      expect(frame.hash).toBe(hashOf(frame));
      const { width } = frame;
      const { data } = await sharp(encodePng(frame))
        .resize({ width, kernel: 'nearest' })
        .raw()
        .toBuffer({ resolveWithObject: true });
      // At a whole multiple of the art each pixel is shown alike, so shrinking the file gives the art again.
      if (cell % side === 0) expect(Buffer.compare(data, coloursOf(frame))).toBe(0);
    }
  });

  test('marks drawn over the tiles count', async () => {
    const tileset = await manyColours(side);
    const [scene] = SCENES as readonly [Scene];
    const marked = { ...scene, marks: [{ x: 1, y: 1, text: '7' }] };
    const [plain, shown] = [scene, marked].map((one) => drawFrame(one, tileset, { ...OPTIONS, cell }));
    expect(shown?.hash).not.toBe(plain?.hash);
    for (const frame of [plain, shown, plain]) expect(frame?.hash).toBe(frame && hashOf(frame));
  });
});
