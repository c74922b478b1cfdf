import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ScenarioError } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { imageNames, readManifest } from '../../src/render/manifest.js';
import { ownSource } from './tilesets.js';

const GOOD = {
  name: 'good',
  image: 'good.png',
  tile: 16,
  columns: 4,
  tiles: { floor: { index: 0 }, top: { index: 1 }, 'door/a': { index: 2 } },
};

/** The mistakes as `line:column message | suggestion`. */
function mistakes(manifest: unknown): readonly string[] {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest, null, 2);
  try {
    readManifest(text, 'set.json');
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    expect(error.message).toContain('set.json');
    return error.diagnostics.map((d) => {
      expect(text.split('\n')[d.line - 1]?.slice(0, 160)).toBe(d.source);
      return `${d.line}:${d.column} ${d.message}${d.suggestion === undefined ? '' : ` | ${d.suggestion}`}`;
    });
  }
}

test("the project's own manifest has no mistake, and names both of its images", () => {
  expect(mistakes(ownSource().manifest)).toEqual([]);
  expect(imageNames(ownSource().manifest)).toEqual(['tileset.png', 'font.png']);
});

test('the shortest manifest gets every default', () => {
  const manifest = readManifest(JSON.stringify(GOOD), 'set.json');
  expect(manifest).toMatchObject({
    shadow: null,
    font: null,
    fog: { mixPercent: 50, desaturatePercent: 35 },
  });
  expect([...manifest.doors]).toEqual(['door/a']);
  expect(imageNames(JSON.stringify(GOOD))).toEqual(['good.png']);
});

test('images are named however wrong the rest is, but only as plain names of PNG files', () => {
  const named = (manifest: object): readonly string[] => imageNames(JSON.stringify(manifest));
  expect(named({ image: 'cut.png', font: { image: 'letters.png', cell: 'x' }, surplus: 1 })).toEqual([
    'cut.png',
    'letters.png',
  ]);
  expect(named({ image: '../secret.png', font: { image: 'a/b.png' } })).toEqual([]);
  expect(named({ image: 7, font: 'none' })).toEqual([]);
  expect(imageNames('{ "image": "cut.png", ')).toEqual([]);
});

describe('mistakes are told with place and suggestion', () => {
  const ground = (entry: object) => ({
    ...GOOD,
    classes: { floor: { kind: 'ground', variants: ['floor'], ...entry } },
  });
  const skins = (floors: readonly string[]) => ({
    ...GOOD,
    classes: {
      floor: { kind: 'ground', variants: ['floor'] },
      tiled: { kind: 'ground', variants: ['floor'] },
      mat: { kind: 'ground', variants: ['floor'], under: 'floor' },
      wall: { kind: 'wall', join: 'wall', top: 'top' },
    },
    skins: { floors },
  });
  test.each<readonly [string, unknown, RegExp]>([
    ['not JSON', '{\n  "name": oops\n}', /^2:11 the file is not valid JSON from here on$/],
    ['nothing at all', '', /^1:1 .*not valid JSON/],
    ['a list', '[]', /must be a mapping/],
    ['a misspelt key', { ...GOOD, tilles: {} }, /"tilles" is an unknown key \| did you mean "tiles"\?/],
    ['a misspelt tile', ground({ variants: ['flor'] }), /there is no tile "flor" \| did you mean "floor"\?/],
    ['a misspelt part', ground({ shorse: {} }), /"shorse" is an unknown key \| did you mean "shores"\?/],
    [
      'a wall without a top',
      { ...GOOD, classes: { wall: { kind: 'wall', join: 'wall' } } },
      /wall › top must be text/,
    ],
    ['an unknown kind', ground({ kind: 'swamp' }), /kind must be one of ground, liquid, pit, wall/],
    ['a class without variants', ground({ variants: [] }), /needs variants/],
    ['under nothing', ground({ under: 'marsh' }), /there is no class "marsh"/],
    ['under itself', ground({ under: 'floor' }), /can't be under another class/],
    ['tiles too small', { ...GOOD, tile: 7 }, /tile must be a whole number from 8 to 64/],
    ['tiles too large', { ...GOOD, tile: 65 }, /from 8 to 64/],
    ['a broken number', { ...GOOD, tile: 16.5 }, /whole number/],
    ['a path as image', { ...GOOD, image: '../good.png' }, /not the name of a PNG file/],
    ['an address as image', { ...GOOD, image: 'https://example.org/a.png' }, /not the name of a PNG file/],
    ['an absolute image', { ...GOOD, image: '/etc/a.png' }, /not the name of a PNG file/],
    ['no tiles', { ...GOOD, tiles: {} }, /names no tiles/],
    [
      'a negative index',
      { ...GOOD, tiles: { floor: { index: -1 } } },
      /floor › index must be a whole number from 0/,
    ],
    ['a tile name with spaces', { ...GOOD, tiles: { 'my floor': { index: 0 } } }, /not a valid tile name/],
    ['a colour of two numbers', { ...GOOD, shadow: [1, 2] }, /shadow must have 4 numbers/],
    [
      'a colour beyond 255',
      { ...GOOD, shadow: [1, 2, 3, 256] },
      /shadow › 3 must be a whole number from 0 to 255/,
    ],
    [
      'fog beyond 100 %',
      { ...GOOD, fog: { unknown: [0, 0, 0], rememberedMixPercent: 101, rememberedDesaturatePercent: 0 } },
      /from 0 to 100/,
    ],
    [
      'a door without a tile',
      { ...GOOD, doors: { wood: { open: 'door/b' } } },
      /no tile "door\/b" \| did you mean "door\/a"\?/,
    ],
    [
      'a description that is too long',
      { ...GOOD, tiles: { floor: { index: 0, desc: 'x'.repeat(LIMITS.tilesetDescriptionCharacters + 1) } } },
      /desc/,
    ],
    [
      'a description that is a number',
      { ...GOOD, tiles: { floor: { index: 0, desc: 1 } } },
      /desc must be text/,
    ],
    [
      'an endless description',
      { ...GOOD, tiles: { floor: { index: 0, desc: 'x'.repeat(201) } } },
      /1 to 200/,
    ],
    ['a misspelt class of a skin', skins(['flor', 'tiled']), /no class "flor" \| did you mean "floor"\?/],
    ['a skin of one class', skins(['floor']), /at least two classes/],
    ['a skin that lists a class twice', skins(['floor', 'tiled', 'floor']), /"floor" is listed twice/],
    ['a skin of ground and wall', skins(['floor', 'wall']), /of one kind .*, not ground and wall/],
    [
      'a skin with a class that lies on another',
      skins(['floor', 'mat']),
      /"mat" is drawn on top of another class/,
    ],
    ['skins that are a list', { ...GOOD, skins: [['floor', 'tiled']] }, /skins must be a mapping/],
    [
      'a huge font cell',
      { ...GOOD, font: { image: 'f.png', cell: [99, 8], columns: 1, characters: 'a' } },
      /from 3×5 to 32×32/,
    ],
  ])('%s', (_, manifest, expected) => {
    expect(mistakes(manifest).join('\n')).toMatch(expected);
  });

  test('all at once, each at its own line and column', () => {
    const manifest = {
      ...GOOD,
      tile: 'big',
      classes: { floor: { kind: 'ground', variants: ['x1', 'floor', 'x2'] } },
    };
    expect(mistakes(manifest).map((line) => line.split(' ')[0])).toEqual(['4:11', '21:9', '23:9']);
  });

  test('a name that JavaScript reserves is a name like any other', () => {
    const text = JSON.stringify(GOOD).replace('"floor"', '"__proto__"');
    expect([...readManifest(text, 'set.json').tiles.keys()]).toContain('__proto__');
    expect(
      mistakes(
        JSON.stringify({ ...GOOD, classes: {} }).replace('"classes":{}', '"classes":{"constructor":{}}'),
      ),
    ).not.toEqual([]);
  });
});

describe('limits', () => {
  test('a manifest as large as allowed is read, one byte more is not', () => {
    const text = JSON.stringify(GOOD);
    const padded = text + ' '.repeat(LIMITS.tilesetManifestBytes - text.length);
    expect(mistakes(padded)).toEqual([]);
    expect(mistakes(`${padded} `).join()).toMatch(/larger than/);
  });

  test('as many tiles as allowed', { tags: ['long'] }, () => {
    const tiles = Object.fromEntries(
      Array.from({ length: LIMITS.tilesetTiles }, (_, i) => [`t${i}`, { index: 0 }]),
    );
    expect(mistakes(JSON.stringify({ ...GOOD, tiles }))).toEqual([]);
    const more = { ...tiles, another: { index: 0 } };
    expect(mistakes(JSON.stringify({ ...GOOD, tiles: more })).join()).toMatch(/more than 65536 tiles/);
  });

  test('no more mistakes are told than a person would read', () => {
    const classes = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`c${i}`, {}]));
    expect(mistakes({ ...GOOD, classes })).toHaveLength(LIMITS.diagnosticsPrinted);
  });
});

/** Line and column of the first mistake. */
function placeIn(text: string): string | undefined {
  return mistakes(text)[0]?.split(' ')[0];
}

test('of a repeated key, the last is meant', () => {
  const text = JSON.stringify({ ...GOOD, font: {} }).replace('"font":{}', '"tile":"big",\n"tile":"small"');
  expect(mistakes(text)).toEqual([expect.stringMatching(/^2:8 tile must be/)]);
});

test('broken JSON is shown where it breaks', () => {
  expect(placeIn('{"a": 1 "b": 2}')).toBe('1:9');
  expect(placeIn('{"a": [1, 2,]}')).toBe('1:13');
  expect(placeIn('{"a": tru}')).toBe('1:7');
  expect(placeIn('{"a": 1,}')).toBe('1:9');
  expect(placeIn('{"a": 1}\n}')).toBe('2:1');
  expect(placeIn('{"a": [1}')).toBe('1:9');
  expect(placeIn('{"a": {"b"\n')).toBe('2:1');
  expect(placeIn("{'a': 1}")).toBe('1:2');
  expect(placeIn('{"a": [1,\n2, b]}')).toBe('2:4');
  expect(placeIn('['.repeat(1_000_000))).toBe('1:1000001');
});

test('a place is found for every way of breaking a manifest', () => {
  const text = JSON.stringify(GOOD, null, 2);
  fc.assert(
    fc.property(
      fc.nat(text.length - 1),
      fc.constantFrom('', ']', '}', ',', '"', 'x', ':', '\\'),
      (at, put) => {
        mistakes(text.slice(0, at) + put + text.slice(at + 1));
      },
    ),
    { numRuns: 300 },
  );
});

test('any JSON is read or refused as a mistake', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('tiles', 'classes', 'doors', 'skins', 'font', 'fog', 'shadow', 'name'),
      (value, key) => {
        mistakes({ ...GOOD, [key]: value });
        mistakes(value);
      },
    ),
    { numRuns: 300 },
  );
});
