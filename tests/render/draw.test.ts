import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { AssertionError } from '../../src/base/assert.js';
import { LIMITS } from '../../src/base/limits.js';
import { UNKNOWN, type Scene } from '../../src/environment/scene.js';
import { drawFrame } from '../../src/render/draw.js';
import { frameRgb } from '../../src/render/rgb.js';
import type { Frame } from '../../src/render/frame.js';
import { encodePng } from '../../src/render/png.js';
import { loadTileset, type Tileset } from '../../src/render/tileset.js';
import { sceneOf, thing } from './scenes.js';
import { plainSource, ruleSource, ownTileset } from './tilesets.js';

const PLAIN = { cell: 32, ruler: false } as const;
let tileset: Tileset;

beforeAll(async () => {
  tileset = await loadTileset(await ruleSource());
});

/** The colour at a pixel of the art. */
function colourAt(frame: Frame, x: number, y: number): readonly number[] {
  const from = (y * frame.width + x) * 3;
  return [...frameRgb(frame).subarray(from, from + 3)];
}

const ROOM = ['#####', '#..~#', 'D...#', '#..##', '#### '];
const FOG = ['vvvvr', 'vvvrr', 'vvvrr', 'vv rr', 'vvv  '];
const ROOM_SCENE = sceneOf(ROOM, FOG, {
  things: [thing('item/key', 2, 1), thing('figure/knight', 1, 2), thing('item/key', 3, 2)],
  marks: [{ x: 2, y: 1, text: '7' }],
});

describe('pixels', () => {
  test('are the same on every machine and in every version (raise RENDER_VERSION when this changes)', () => {
    expect(drawFrame(ROOM_SCENE, tileset, PLAIN).hash).toBe(
      '85205b97409bba911815738f63e33cd2c3c1e2096629093a68950b0b5a04827a',
    );
    expect(drawFrame(ROOM_SCENE, tileset, { cell: 28, ruler: true }).hash).toBe(
      '3cc19a83d25e55a3bdba7e245c5c6be8caea08df843133347fd86c1db74cd3d7',
    );
  });

  test('do not depend on what was drawn before', async () => {
    const fresh = await loadTileset(await ruleSource());
    for (let i = 0; i < 50; i++) drawFrame({ ...ROOM_SCENE, origin: { x: i * 7, y: -i } }, tileset, PLAIN);
    const [late, first] = [drawFrame(ROOM_SCENE, tileset, PLAIN), drawFrame(ROOM_SCENE, fresh, PLAIN)];
    expect({ ...late, tiles: null }).toEqual({ ...first, tiles: null });
    expect(encodePng(late)).toEqual(encodePng(first));
  });

  test('do not depend on how full the cache of composites is', async () => {
    const fresh = await loadTileset(await ruleSource());
    const names = tileset.names.filter((name) => name.includes('-') || name.length < 3);
    const crowd = (seed: number) =>
      sceneOf(
        Array.from({ length: 40 }, () => '.'.repeat(40)),
        undefined,
        {
          things: Array.from({ length: 6400 }, (_, i) =>
            thing(names[(i * 7 + seed * (i % 13)) % names.length] ?? '', i % 40, Math.floor(i / 40) % 40),
          ),
        },
      );
    for (let seed = 0; seed < 12; seed++) drawFrame(crowd(seed), tileset, PLAIN);
    expect(drawFrame(ROOM_SCENE, tileset, PLAIN).hash).toBe(drawFrame(ROOM_SCENE, fresh, PLAIN).hash);
  });

  test('of a lit, a shaded, a remembered and an unknown cell are worked out in integers', () => {
    const frame = drawFrame(sceneOf(['#', '.', '.'], ['v', 'v', 'r']), tileset, PLAIN);
    expect(colourAt(frame, 4, 14)).toEqual([80, 90, 100]);
    // (0 · 128 + 80 · 127 + 127) / 255, rounded down.
    expect(colourAt(frame, 4, 8)).toEqual([40, 45, 50]);
    // Grey is (2126·80 + 7152·90 + 722·100) / 10000 = 88.596; 35 % of it, then half of that with the unknown.
    expect(colourAt(frame, 4, 20)).toEqual([0, 1, 2].map((channel) => remembered([80, 90, 100], channel)));
    expect(colourAt(drawFrame(sceneOf([' ']), tileset, PLAIN), 0, 0)).toEqual([10, 10, 20]);
  });

  test('of two shadows are no darker than those of one', () => {
    const corner = drawFrame(sceneOf(['##', '#.']), tileset, PLAIN);
    expect(colourAt(corner, 8, 8)).toEqual(colourAt(corner, 12, 8));
  });
});

/** The rule of assets/README.md in floating point, for a floor remembered over the unknown of the test tileset. */
function remembered(rgb: readonly [number, number, number], channel: number): number {
  const grey = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
  const dull = (rgb[channel] ?? 0) * 0.65 + grey * 0.35;
  return Math.round(dull * 0.5 + ([10, 10, 20][channel] ?? 0) * 0.5);
}

describe('nothing leaks', () => {
  const anyMap = fc.array(
    fc.array(fc.constantFrom('.', '#', '~', 'D', 'O'), { minLength: 7, maxLength: 7 }),
    {
      minLength: 7,
      maxLength: 7,
    },
  );
  const anyFog = fc.array(fc.constantFrom('v', 'r', ' ', ' '), { minLength: 49, maxLength: 49 });

  test('what is hidden changes no pixel', () => {
    fc.assert(
      fc.property(anyMap, anyMap, anyFog, (map, other, fog) => {
        const rows = Array.from({ length: 7 }, (_, y) => fog.slice(y * 7, y * 7 + 7).join(''));
        const seen = map.map((row) => row.join(''));
        const changed = map.map((row, y) =>
          row.map((c, x) => (rows[y]?.[x] === ' ' ? other[y]?.[x] : c)).join(''),
        );
        // As a leaking scene would have it: the ground of hidden cells is there, only the visibility says no.
        const leaky = (text: string[]): Scene => ({
          ...sceneOf(text),
          visibility: sceneOf(text, rows).visibility,
        });
        const hash = drawFrame(leaky(seen), tileset, PLAIN).hash;
        expect(drawFrame(leaky(changed), tileset, PLAIN).hash).toBe(hash);
        expect(drawFrame(sceneOf(seen, rows), tileset, PLAIN).hash).toBe(hash);
      }),
      { numRuns: 200 },
    );
  });

  test('the edge of the window looks like the edge of what is known', () => {
    fc.assert(
      fc.property(anyMap, (map) => {
        const inner = map.map((row) => row.join(''));
        const hidden = sceneOf(['       ', ...inner], undefined, { origin: { x: 0, y: -1 } });
        expect(new Set(hidden.visibility.slice(0, 7))).toEqual(new Set([UNKNOWN]));
        const low = drawFrame(hidden, tileset, PLAIN);
        const alone = drawFrame(sceneOf(inner, undefined, { origin: { x: 0, y: 0 } }), tileset, PLAIN);
        expect(low.indices.slice(7 * 8 * 8)).toEqual(alone.indices);
      }),
      { numRuns: 50 },
    );
  });

  test('a thing on an unknown cell is not drawn', () => {
    const things = [thing('figure/knight', 1, 0)];
    const fogged = sceneOf(['..'], ['v ']);
    expect(drawFrame({ ...fogged, things }, tileset, PLAIN).hash).toBe(
      drawFrame(fogged, tileset, PLAIN).hash,
    );
  });
});

describe('the hash', () => {
  test('is that of the indices, whatever was drawn before', async () => {
    const own = await ownTileset();
    const anyRow = fc.array(fc.constantFrom('.', '.', '#', '~', 'D', ' '), { minLength: 5, maxLength: 5 });
    const anyScene = fc.record({
      rows: fc.array(anyRow, { minLength: 3, maxLength: 4 }),
      cell: fc.constantFrom(16, 32),
      key: fc.nat(4),
    });
    const check = (scenes: readonly { rows: string[][]; cell: number; key: number }[], which: number) => {
      for (const { rows, cell, key } of scenes) {
        const things = [thing('item/key', key, 0)];
        const scene = sceneOf(
          rows.map((row) => row.join('')),
          undefined,
          { things },
        );
        const frame = drawFrame(scene, which === 0 ? own : tileset, { cell, ruler: false });
        const { width, height, art, palette, indices } = frame;
        const head = `orchestrate-frame-v1\n${width} ${height} ${art} ${cell} ${palette.size}\n`;
        const told = createHash('sha256').update(head).update(palette.rgb).update(indices).digest('hex');
        expect(frame.hash).toBe(told);
      }
    };
    fc.assert(fc.property(fc.array(anyScene, { maxLength: 20 }), fc.nat(1), check), { numRuns: 50 });
  });

  test('covers size, tile size and every pixel', () => {
    const hashes = [
      drawFrame(sceneOf(['..', '..']), tileset, PLAIN).hash,
      drawFrame(sceneOf(['....']), tileset, PLAIN).hash,
      drawFrame(sceneOf(['..', '..']), tileset, { cell: 28, ruler: false }).hash,
      drawFrame(sceneOf(['..', '.~']), tileset, PLAIN).hash,
      drawFrame(sceneOf(['..', '..'], ['vv', 'vr']), tileset, PLAIN).hash,
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('covers the palette', async () => {
    const hashes: string[] = [];
    for (const grey of [100, 101]) {
      const set = await loadTileset(await plainSource({ floor: [grey, grey, grey, 255] }));
      hashes.push(drawFrame(sceneOf(['.']), set, PLAIN).hash);
    }
    expect(hashes[0]).not.toBe(hashes[1]);
  });
});

/** A square of floor. */
function field(side: number): Scene {
  return sceneOf(Array.from({ length: side }, () => '.'.repeat(side)));
}

test('a frame is as large as the limits allow, and no larger', () => {
  const largest = drawFrame(field(LIMITS.frameSideTiles), tileset, {
    cell: LIMITS.frameTilePixels,
    ruler: true,
  });
  expect(largest.width).toBe((LIMITS.frameSideTiles + 1) * 8);
  expect(() => drawFrame(field(LIMITS.frameSideTiles + 1), tileset, PLAIN)).toThrow(AssertionError);
  expect(() => drawFrame(field(1), tileset, { cell: 65, ruler: false })).toThrow(AssertionError);
  expect(() => drawFrame(field(1), tileset, { cell: 7, ruler: false })).toThrow(AssertionError);
});

describe('aids', () => {
  test('a mark covers only a corner of its tile', async () => {
    const own = await ownTileset();
    const map = ['...', '...', '...'];
    const plain = drawFrame(sceneOf(map), own, PLAIN);
    const marked = drawFrame(sceneOf(map, undefined, { marks: [{ x: 1, y: 1, text: '12' }] }), own, PLAIN);
    const changed = [...plain.indices.keys()].filter((i) => marked.indices[i] !== plain.indices[i]);
    const columns = changed.map((i) => i % plain.width);
    const rows = changed.map((i) => Math.floor(i / plain.width));
    expect([Math.min(...columns), Math.min(...rows)]).toEqual([16, 16]);
    expect(Math.max(...columns)).toBeLessThan(16 + 9);
    expect(Math.max(...rows)).toBeLessThan(16 + 7);
  });

  test('several marks of one tile take different corners', async () => {
    const own = await ownTileset();
    const frame = (count: number) =>
      drawFrame(
        sceneOf(['.'], undefined, {
          marks: Array.from({ length: count }, () => ({ x: 0, y: 0, text: '1' })),
        }),
        own,
        PLAIN,
      ).hash;
    expect(new Set([0, 1, 2, 3, 4].map(frame)).size).toBe(5);
  });

  test('marks outside of the window are left out', () => {
    const marks = [{ x: 3, y: 0, text: '1' }];
    expect(drawFrame(sceneOf(['.'], undefined, { marks }), tileset, PLAIN).hash).toBe(
      drawFrame(sceneOf(['.']), tileset, PLAIN).hash,
    );
  });

  test('the ruler adds one tile at the top and the left, and shows the world coordinates', () => {
    const [here, there] = [0, -9].map((x) =>
      drawFrame(sceneOf(['.'], undefined, { origin: { x, y: 0 } }), tileset, { cell: 32, ruler: true }),
    );
    expect([here?.width, here?.height]).toEqual([16, 16]);
    expect(here?.hash).not.toBe(there?.hash);
  });

  test('words need a font, numbers do not', async () => {
    const marks = [{ x: 0, y: 0, text: 'key' }];
    const worded = sceneOf(['.'], undefined, { marks });
    expect(() => drawFrame(worded, tileset, PLAIN)).toThrow(/no font/);
    expect(drawFrame(worded, await ownTileset(), PLAIN).hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
