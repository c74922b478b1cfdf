import { beforeAll, describe, expect, test } from 'vitest';
import { drawList } from '../../src/render/draw-list.js';
import { loadTileset, type Tileset } from '../../src/render/tileset.js';
import type { Scene } from '../../src/environment/scene.js';
import { TILE_CORNERS } from '../../src/environment/shared-tiles.js';
import { sceneOf, thing } from './scenes.js';
import { ownTileset, ruleSource } from './tilesets.js';

let tileset: Tileset;

beforeAll(async () => {
  tileset = await loadTileset(await ruleSource());
});

/** Names of the tiles of one cell, the lowest first. */
function tilesAt(scene: Scene, x: number, y: number, set = tileset): string {
  const cell = drawList(scene, set).cells[y * scene.width + x];
  return (cell?.tiles ?? []).map((tile) => tileName(tile, set)).join(' ');
}

function tileName(tile: number, set: Tileset): string {
  const { names, composites } = set;
  if (tile === composites.more) return 'more';
  const spot = TILE_CORNERS.find((one) => names.some((_, whole) => composites.small(whole, one) === tile));
  const whole = names.find((_, i) => spot !== undefined && composites.small(i, spot) === tile);
  return whole === undefined ? (names[tile] ?? '') : `${whole}@${spot ?? ''}`;
}

function firstRow(scene: Scene): readonly string[] {
  return Array.from({ length: scene.width }, (_, x) => tilesAt(scene, x, 0));
}

describe('walls join with walls, doors and the unknown (the middle cell)', () => {
  test.each([
    ['alone', ['...', '.#.', '...'], 'front n w e'],
    ['between east and west', ['...', '###', '...'], 'front n'],
    ['between north and south', ['.#.', '.#.', '.#.'], 'top w e'],
    ['end of a wall from the north', ['.#.', '.#.', '...'], 'front w e'],
    ['corner with the room to the south-east', ['...', '.##', '.#.'], 'top n w se'],
    ['corner with the room to the north-west', ['.#.', '##.', '...'], 'front e nw'],
    ['crossing', ['.#.', '###', '.#.'], 'top nw ne sw se'],
    ['filled', ['###', '###', '###'], 'top'],
    ['doors to the east and west', ['...', 'D#O', '...'], 'front n'],
    ['a door brings its own frame', ['###', 'D##', '.##'], 'top'],
    ['without the door the corner is drawn', ['###', '###', '.##'], 'top sw'],
    ['unknown all round', ['   ', ' # ', '   '], 'top'],
    ['unknown to the north', ['   ', '.#.', '...'], 'front w e'],
  ])('%s', (_, map, expected) => {
    expect(tilesAt(sceneOf(map), 1, 1)).toBe(expected);
  });

  test('what lies beyond the window counts as unknown', () => {
    expect(tilesAt(sceneOf(['#']), 0, 0)).toBe('top');
  });
});

describe('ground', () => {
  test('walls throw shadows to the south and the east, doors to the south', () => {
    expect(tilesAt(sceneOf(['##', '#.']), 1, 1)).toBe('floor shadow-n shadow-w');
    expect(tilesAt(sceneOf(['D', '.']), 0, 1)).toBe('floor shadow-n');
    expect(tilesAt(sceneOf(['D.']), 1, 0)).toMatch(/^(floor|pebble)$/);
  });

  test('the unknown throws no shadow, and nothing is drawn on it', () => {
    expect(tilesAt(sceneOf([' .']), 1, 0)).toMatch(/^(floor|pebble)$/);
    expect(tilesAt(sceneOf([' .'], undefined, { things: [thing('item/key', 0, 0)] }), 0, 0)).toBe('unknown');
  });

  test('water has shores at known ground, not at water, walls or the unknown', () => {
    expect(tilesAt(sceneOf(['...', '.~.', '...']), 1, 1)).toBe('water shore-e shore-s shore-w shore-n');
    expect(tilesAt(sceneOf([' ~ ', '~~.', '   ']), 1, 1)).toBe('water shore-e');
    expect(tilesAt(sceneOf(['.#.', '.~.', '...']), 1, 1)).toBe('water shore-e shore-s shore-w shadow-n');
  });

  test('variants follow the world, not the window', () => {
    const wide = sceneOf(['.'.repeat(40)], undefined, { origin: { x: 0, y: 0 } });
    const moved = sceneOf(['.'.repeat(30)], undefined, { origin: { x: 10, y: 0 } });
    expect(firstRow(moved)).toEqual(firstRow(wide).slice(10));
    expect(new Set(firstRow(wide))).toEqual(new Set(['floor', 'pebble']));
  });

  test('negative and large world coordinates are as good as any', () => {
    const field = Array.from({ length: 30 }, () => '.'.repeat(30));
    for (const origin of [-40, 0, 999_999]) {
      const { cells } = drawList(sceneOf(field, undefined, { origin: { x: origin, y: -origin } }), tileset);
      const count = cells.filter((cell) => tileset.names[cell.tiles[0] ?? 0] === 'pebble').length;
      expect(count).toBeGreaterThan(45);
      expect(count).toBeLessThan(150);
    }
  });
});

describe('things', () => {
  const crowded = (sprites: readonly string[], ground = '.') =>
    tilesAt(sceneOf([ground], undefined, { things: sprites.map((sprite) => thing(sprite, 0, 0)) }), 0, 0);

  test('bodies stand on a shadow, and what they stand on is small in a corner, over them', () => {
    expect(crowded(['item/key', 'figure/knight'])).toBe('floor fx/shadow figure/knight item/key@south-east');
    expect(crowded(['figure/knight', 'item/key'])).toBe('floor fx/shadow figure/knight item/key@south-east');
  });

  test('of objects the first is whole; beyond four a sign tells of more', () => {
    const things = Array.from({ length: 5 }, (_, i) => ({ ...thing('item/key', 0, 0), id: `key-${i}` }));
    const four = tilesAt(sceneOf(['.'], undefined, { things: things.slice(0, 4) }), 0, 0);
    expect(four).toBe('floor item/key item/key@south-east item/key@south-west item/key@north-east');
    expect(tilesAt(sceneOf(['.'], undefined, { things }), 0, 0)).toBe(`${four} more`);
  });

  test('a door shows small beside who stands in it, and not where nobody does', () => {
    expect(crowded(['figure/knight'], 'D')).toBe(
      'door/wood-closed fx/shadow figure/knight door/wood-closed@south-east',
    );
    expect(crowded([], 'D')).toBe('door/wood-closed');
  });

  test('a door for which no corner is left is told by the sign of more', () => {
    const corners = 'item/key@south-east item/key@south-west item/key@north-east';
    const three = ['figure/knight', 'item/key', 'item/key'];
    expect(crowded(three, 'D')).not.toContain('more');
    expect(crowded([...three, 'item/key'], 'D')).toBe(
      `door/wood-closed fx/shadow figure/knight ${corners} more`,
    );
  });

  test('of two bodies on one tile the small one throws no shadow over the other', () => {
    expect(crowded(['figure/knight', 'figure/knight'])).toBe(
      'floor fx/shadow figure/knight figure/knight@south-east',
    );
  });

  test('signs lie over what is there and leave it whole', () => {
    const things = [{ ...thing('figure/knight', 0, 0), layer: 2 }, thing('item/key', 0, 0)];
    expect(tilesAt(sceneOf(['.'], undefined, { things }), 0, 0)).toBe('floor item/key figure/knight');
  });

  test('outside of the window they are left out', () => {
    const things = [thing('item/key', 5, 0), thing('item/key', -1, 0)];
    expect(drawList(sceneOf(['.'], undefined, { things }), tileset).cells[0]?.tiles).toHaveLength(1);
  });

  test('a sprite or a ground that the tileset lacks is drawn as the missing tile', () => {
    const things = [thing('item/unheard-of', 0, 0)];
    expect(tilesAt(sceneOf(['.'], undefined, { things }), 0, 0)).toBe('floor missing');
    expect(tilesAt(sceneOf(['.'], undefined, { legend: ['marsh'] }), 0, 0)).toBe('missing');
  });
});

test('each cell keeps how well it is known', () => {
  const list = drawList(sceneOf(['...'], ['vr ']), tileset);
  expect(list.cells.map((cell) => cell.visibility)).toEqual([2, 1, 0]);
});

test('a cell of unknown visibility is not drawn, even where a scene wrongly has its ground', () => {
  const scene = sceneOf(['..'], ['v ']);
  expect(drawList({ ...scene, ground: [0, 1] }, tileset)).toEqual(drawList(scene, tileset));
});

test('walls do not join to trapdoors, which lie on the ground', async () => {
  const own = await ownTileset();
  expect([own.look('door/gate-open').kind, own.look('terrain/trapdoor-closed').kind]).toEqual([
    'door',
    'tile',
  ]);
});

test.each([
  ['east to west', ['~~~', '.=.', '~~~'], /^terrain\/water terrain\/bridge-ew/],
  ['north to south', ['~.~', '~=~', '~.~'], /^terrain\/water terrain\/bridge-ns/],
])('a bridge lies %s where the way leads so', async (_, map, expected) => {
  const water = sceneOf(map);
  const legend = [...water.legend, 'bridge'];
  const ground = water.ground.map((index) => (index < 0 ? legend.length - 1 : index));
  expect(tilesAt({ ...water, legend, ground }, 1, 1, await ownTileset())).toMatch(expected);
});
