/** What shares a tile with something larger can be made out in the picture: half its size, in its corner, in its own colours, with a line around it. */
import { describe, expect, test } from 'vitest';
import { TILE_CORNERS } from '../../src/environment/shared-tiles.js';
import { CLEAR } from '../../src/render/palette.js';
import { moreTile, smallTile } from '../../src/render/small.js';

const LINE = 9;

/** Rows of characters; a point is clear. */
function tileOf(rows: readonly string[]): Uint32Array {
  return Uint32Array.from(rows.join(''), (c) => (c === '.' ? CLEAR : Number(c)));
}

function rowsOf(tile: Uint32Array, side: number): readonly string[] {
  const chars = Array.from(tile, (pixel) => (pixel === CLEAR ? '.' : String(pixel)));
  return Array.from({ length: side }, (_, y) => chars.slice(y * side, (y + 1) * side).join(''));
}

/** A square of four colours, which half of it shows with a pixel each … */
const SQUARE = tileOf([
  '33334444',
  '33334444',
  '33334444',
  '33334444',
  '55556666',
  '55556666',
  '55556666',
  '55556666',
]);

describe('a tile made small', () => {
  test('is half as large in its corner, and clear elsewhere but for a line', () => {
    const shown = TILE_CORNERS.map((spot) => rowsOf(smallTile(SQUARE, { side: 8, spot, line: LINE }), 8));
    expect(shown).toEqual([
      ['........', '........', '........', '....9999', '...93344', '...93344', '...95566', '...95566'],
      ['........', '........', '........', '9999....', '33449...', '33449...', '55669...', '55669...'],
      ['...93344', '...93344', '...95566', '...95566', '....9999', '........', '........', '........'],
    ]);
  });

  test('fills its corner however small it was drawn, and keeps its inner colour rather than its outline', () => {
    const coin = tileOf([
      '........',
      '........',
      '..1111..',
      '..1771..',
      '..1771..',
      '..1111..',
      '........',
      '........',
    ]);
    const rows = rowsOf(smallTile(coin, { side: 8, spot: 'south-east', line: LINE }), 8);
    expect(rows.slice(4).map((row) => row.slice(4))).toEqual(['1111', '1771', '1771', '1111']);
    const dot = tileOf([
      '........',
      '.11.....',
      '.11.....',
      '........',
      '........',
      '........',
      '........',
      '........',
    ]);
    const drawn = rowsOf(smallTile(dot, { side: 8, spot: 'south-east', line: LINE }), 8);
    expect(drawn.slice(4).map((row) => row.slice(4))).toEqual(['1111', '1111', '1111', '1111']);
  });

  test('of an empty tile is empty', () => {
    const empty = new Uint32Array(64).fill(CLEAR);
    expect(smallTile(empty, { side: 8, spot: 'north-east', line: LINE })).toEqual(empty);
  });
});

test('the sign of more is in the corner that holds nothing', () => {
  for (const side of [8, 15, 16, 32]) {
    const rows = rowsOf(moreTile(side, 1, LINE), side);
    expect(rows.join('')).toContain('1');
    for (const row of rows.slice(Math.ceil(side / 2) + 1)) expect(row).toBe('.'.repeat(side));
    for (const row of rows) expect(row.slice(Math.ceil(side / 2) + 1)).not.toContain('1');
  }
});
