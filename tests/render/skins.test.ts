/** Skins: another look of floors and walls by number, and of nothing else. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import type { Scene } from '../../src/environment/scene.js';
import { drawList } from '../../src/render/draw-list.js';
import { drawFrame } from '../../src/render/draw.js';
import { readManifest } from '../../src/render/manifest.js';
import { loadTileset } from '../../src/render/tileset.js';
import { sceneOf, thing } from './scenes.js';
import { ownSource, ownTileset, ruleSource } from './tilesets.js';

const OPTIONS = { cell: 16, ruler: false } as const;
const tileset = await ownTileset();
const { skins, classes } = readManifest(ownSource().manifest, 'tileset.json');
const LOOKS = skins.reduce((count, list) => count * list.length, 1);

const ROOM = sceneOf(['#####', '#..~#', '#..D#', '#####'], undefined, {
  things: [thing('figure/knight', 1, 1), thing('item/apple', 2, 1)],
});
const hashOf = (scene: Scene, skin: number) => drawFrame(scene, tileset.skinned(skin), OPTIONS).hash;

test('number 0 is the look that the tileset has without skins', () => {
  expect(hashOf(ROOM, 0)).toBe(drawFrame(ROOM, tileset, OPTIONS).hash);
});

test('every number up to the product of the lists looks different, then they begin again', () => {
  const hashes = Array.from({ length: LOOKS }, (_, skin) => hashOf(ROOM, skin));
  expect(LOOKS).toBe(25);
  expect(new Set(hashes).size).toBe(LOOKS);
  expect(hashOf(ROOM, LOOKS)).toBe(hashes[0]);
});

describe('whatever the number', () => {
  const anySkin = fc.nat(LIMITS.skinNumber);

  test('classes that differ still differ, and stay floors or walls', () => {
    fc.assert(
      fc.property(anySkin, (skin) => {
        const worn = tileset.skinned(skin);
        for (const list of skins) {
          const tiles = list.map((name) => worn.look(name).wall?.top ?? worn.look(name).variants[0]);
          expect(new Set(tiles).size).toBe(list.length);
          for (const name of list) expect(worn.look(name).kind).toBe(tileset.look(name).kind);
        }
      }),
    );
  });

  test('what is in no list is drawn as ever', () => {
    const listed = new Set(skins.flat());
    const others = [...classes].filter(([name, { under }]) => !listed.has(name) && !listed.has(under ?? ''));
    expect(others.length).toBeGreaterThan(5);
    fc.assert(
      fc.property(anySkin, fc.constantFrom(...others.map(([name]) => name)), (skin, name) => {
        expect(tileset.skinned(skin).look(name)).toEqual(tileset.look(name));
      }),
    );
  });

  test('things, bodies and doors keep their tiles', () => {
    const top = (skin: number, cell: number) =>
      drawList(ROOM, tileset.skinned(skin)).cells[cell]?.tiles.at(-1);
    const door = 2 * ROOM.width + 3;
    for (const cell of [ROOM.width + 1, ROOM.width + 2, door])
      fc.assert(
        fc.property(anySkin, (skin) => {
          expect(top(skin, cell)).toBe(top(0, cell));
        }),
      );
  });
});

test('what lies on a floor lies on the floor that is shown', () => {
  // A class that names the floor below it, and a tile that lets it through.
  for (const ground of ['rubble', 'item/apple']) {
    const scene = { ...sceneOf(['.']), legend: [ground] };
    const below = drawList(scene, tileset.skinned(1)).cells[0]?.tiles[0];
    expect(below, ground).toBe(tileset.sprite('terrain/checker'));
  }
});

test('descriptions follow the skin', () => {
  expect(tileset.describe('floor')).toMatch(/^Stone floor/);
  expect(tileset.skinned(1).describe('floor')).toMatch(/^Chequered floor/);
  expect(tileset.skinned(1).describe('item/apple')).toBe(tileset.describe('item/apple'));
  expect(tileset.describe('no/such-tile')).toBeNull();
});

test('the next number changes every list', () => {
  for (const [name] of skins)
    expect(tileset.skinned(1).look(name ?? '')).not.toEqual(tileset.look(name ?? ''));
});

test('a skin of a skin is counted from the own look', () => {
  expect(tileset.skinned(3).skinned(1).describe('floor')).toBe(tileset.skinned(1).describe('floor'));
});

test('a tileset without skins refuses to look otherwise', async () => {
  const plain = await loadTileset(await ruleSource());
  expect(plain.skinned(0).look('floor')).toEqual(plain.look('floor'));
  expect(() => plain.skinned(1)).toThrow('has no skins');
});
