import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeptRows, type TileRow } from '../../src/render/tile-rows.js';

/** A row that tells of which tiles it was made: its own and those above that it may depend on. */
function toldBy(tiles: readonly string[], from: number, end: number): TileRow {
  const words = Uint32Array.from(tiles.slice(Math.max(0, from), end).join(' '), (c) => c.charCodeAt(0));
  return { bits: { words, bits: words.length * 32 }, sum: from < 0 ? 0 : 1, sumFromEnd: 0 };
}

test('rows that are kept are those that would be made, however little is kept', () => {
  const anyFrame = fc.array(fc.nat(5), { minLength: 1, maxLength: 6 });
  const anyLimits = fc.record({
    tilesMax: fc.constantFrom(18, 30, 0x1_0000),
    wordsMax: fc.constantFrom(0, 200, 2 ** 20),
  });
  const check = (frames: readonly (readonly number[])[], above: number, limits: object) => {
    const columns = 3;
    const tiles = Array.from({ length: 18 }, (_, i) => ({ name: `tile ${i}` }));
    const kept = new KeptRows<{ name: string }, string>({
      columns,
      above,
      code: ({ name }) => name,
      ...limits,
    });
    for (const rows of frames) {
      const cells = rows.flatMap((row) => tiles.slice(row * columns, (row + 1) * columns));
      const names = cells.map(({ name }) => name);
      const wanted = rows.map((_, y) => toldBy(names, (y - above) * columns, (y + 1) * columns));
      const made = kept.rowsOf(
        cells,
        (all) => (first) => toldBy(all, first - above * columns, first + columns),
      );
      expect(made).toEqual(wanted);
    }
  };
  fc.assert(fc.property(fc.array(anyFrame, { maxLength: 12 }), fc.nat(2), anyLimits, check));
});

test('a row that was written is not written again', () => {
  const [a, b] = [{}, {}];
  let written = 0;
  const kept = new KeptRows<object, object>({ columns: 2, above: 1, code: (tile) => tile });
  const rows = (...cells: readonly object[]) =>
    kept.rowsOf(cells, () => () => {
      written++;
      return toldBy([], 0, 0);
    });
  rows(a, b, a, a);
  rows(b, b, a, b, a, a);
  expect(written).toBe(4);
});
