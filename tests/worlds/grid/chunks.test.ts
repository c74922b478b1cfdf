import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chunkGet,
  chunkSet,
  chunksIn,
  shardDelete,
  shardGet,
  shardOf,
  shardSet,
  shardValues,
} from '../../../src/worlds/grid/chunks.js';
import type { ChunkTree, Shards } from '../../../src/worlds/grid/state.js';

describe('chunk trees', () => {
  it('give back what was set, and copy one branch only', () => {
    const tile = fc.record({ x: fc.nat(999), y: fc.nat(999) });
    fc.assert(
      fc.property(fc.array(tile, { minLength: 1, maxLength: 20 }), tile, (tiles, other) => {
        let tree: ChunkTree<number> = {};
        for (const [index, each] of tiles.entries()) tree = chunkSet(tree, each, index);
        const after = chunkSet(tree, other, -1);
        expect(chunkGet(after, other)).toBe(-1);
        const touched = `${Math.floor(other.x / 256)}_${Math.floor(other.y / 256)}`;
        for (const region of Object.keys(tree))
          if (region !== touched) expect(after[region]).toBe(tree[region]);
        expect(chunkSet(after, other, -1)).toBe(after);
        const before = chunkGet(tree, other);
        expect(chunkSet(after, other, before)).toEqual(tree);
      }),
    );
  });

  it('are empty again when the last value is removed', () => {
    const one = chunkSet<string>({}, { x: 300, y: 20 }, 'a');
    expect(one).toEqual({ '1_0': { '18_1': 'a' } });
    expect(chunkSet(one, { x: 303, y: 31 }, undefined)).toEqual({});
    expect(chunkSet({}, { x: 0, y: 0 }, undefined)).toEqual({});
  });

  it('list the chunks of a rectangle row by row', () => {
    expect(chunksIn({ x: 15, y: 15, width: 2, height: 2 })).toEqual([
      { cx: 0, cy: 0 },
      { cx: 1, cy: 0 },
      { cx: 0, cy: 1 },
      { cx: 1, cy: 1 },
    ]);
    expect(chunksIn({ x: 5, y: 5, width: 0, height: 3 })).toEqual([]);
  });
});

describe('shards', () => {
  it('are 64, by FNV-1a of the id', () => {
    expect(shardOf('a')).toBe('2c'); // FNV-1a of "a" is e40c292c
    expect(shardOf('foobar')).toBe('28'); // bf9cf968
    const used = new Set(Array.from({ length: 2000 }, (_id, index) => shardOf(`thing-${index}`)));
    expect(used.size).toBe(64);
    expect([...used].toSorted()[63]).toBe('3f');
  });

  it('hold ids that every object inherits', () => {
    const shards: Shards<number> = shardSet({}, 'constructor', 1);
    expect(shardGet({ [shardOf('constructor')]: {} }, 'constructor')).toBeUndefined();
    expect(shardGet(shards, 'constructor')).toBe(1);
    expect(shardValues(shards)).toEqual([1]);
    expect(shardDelete(shards, 'constructor')).toEqual({});
    expect(shardSet(shards, 'constructor', 1)).toBe(shards);
  });
});
