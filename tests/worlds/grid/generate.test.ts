/**
 * The map generator: the same seed the same map for ever (golden hashes), and for any request that fits: every room reached,
 * every key before its lock, everything on a floor tile of its own.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { known } from '../../../src/base/assert.js';
import { hashJson } from '../../../src/base/canonical.js';
import { LIMITS } from '../../../src/base/limits.js';
import type { Point } from '../../../src/environment/space.js';
import type { Rect } from '../../../src/worlds/grid/definition.js';
import type { GeneratedMap } from '../../../src/worlds/grid/generate/generator.js';
import { generateMap } from '../../../src/worlds/grid/generate/generator.js';
import type { MapRequest } from '../../../src/worlds/grid/generate/request.js';
import { cellGridFor, roomsThatFit } from '../../../src/worlds/grid/generate/request.js';

const REQUEST: MapRequest = {
  seed: '1',
  width: 48,
  height: 32,
  rooms: 8,
  sideMin: 3,
  sideMax: 9,
  loops: 2,
  locked: 2,
  decor: 8,
  agents: ['ada', 'bea'],
  npcs: ['rat'],
  things: [
    { id: 'gem', blocking: false },
    { id: 'altar', blocking: true },
  ],
  deepest: ['gem'],
  near: [],
  far: [],
  in: {},
  apart: [],
  taken: [],
};

function made(change: Partial<MapRequest> = {}): GeneratedMap {
  const map = generateMap({ ...REQUEST, ...change });
  if (map === null) throw new Error('it does not fit');
  return map;
}

function keyOf({ x, y }: Point): string {
  return `${x} ${y}`;
}

function tilesOf({ x, y, width, height }: Rect): readonly Point[] {
  return Array.from({ length: width * height }, (_tile, index) => ({
    x: x + (index % width),
    y: y + Math.floor(index / width),
  }));
}

/** Every tile that can be walked to; `shut` tiles can't be entered. */
function reached({ rows }: GeneratedMap, from: Point, shut: readonly Point[]): ReadonlySet<string> {
  const closed = new Set(shut.map(keyOf));
  const found = new Map([[keyOf(from), from]]);
  for (const { x, y } of found.values()) {
    for (const next of [
      { x: x + 1, y },
      { x: x - 1, y },
      { x, y: y + 1 },
      { x, y: y - 1 },
    ]) {
      const isFloor = (rows[next.y]?.[next.x] ?? '#') !== '#';
      if (isFloor && !closed.has(keyOf(next))) found.set(keyOf(next), next);
    }
  }
  return new Set(found.keys());
}

/** Opens one lock after another with the keys that can be walked to; what stays out of reach. */
function unreachable(map: GeneratedMap): readonly string[] {
  const furniture = map.things.filter(({ kind }) => kind === 'furniture');
  const altar = map.places['altar'];
  const blocking = [...furniture, ...(altar === undefined ? [] : [altar])];
  const start = map.places['ada'] ?? { x: 0, y: 0 };
  let locked = map.doors.filter(({ state }) => state === 'locked');
  for (;;) {
    const tiles = reached(map, start, [...blocking, ...locked]);
    const held = map.things
      .filter((thing) => thing.kind === 'key' && tiles.has(keyOf(thing)))
      .map(({ id }) => id);
    const still = locked.filter(({ key }) => key === null || !held.includes(key));
    if (still.length === locked.length) {
      const rooms = map.rooms.filter(
        ({ areas }) => !areas.flatMap(tilesOf).some((tile) => tiles.has(keyOf(tile))),
      );
      return [...locked, ...rooms].map(({ id }) => id);
    }
    locked = still;
  }
}

const anyRequest: fc.Arbitrary<MapRequest> = fc
  .record({
    seed: fc.string(),
    width: fc.integer({ min: 11, max: 70 }),
    height: fc.integer({ min: 11, max: 70 }),
    share: fc.integer({ min: 0, max: 100 }),
    sideMin: fc.integer({ min: 3, max: 6 }),
    more: fc.integer({ min: 0, max: 12 }),
    loops: fc.nat(8),
    locks: fc.nat(100),
    decor: fc.nat(30),
  })
  .map(({ share, more, locks, ...request }) => {
    const rooms = Math.max(1, Math.floor((roomsThatFit(request) * share) / 100));
    return {
      ...REQUEST,
      ...request,
      rooms,
      sideMax: request.sideMin + more,
      locked: Math.floor(((rooms - 1) * locks) / 100),
    };
  });

describe('a seed', () => {
  it.each([
    ['1', 'fc6f454960347051'],
    ['2', '861121de4ed154d5'],
    ['crypt', '43304cb339b83934'],
    ['ö', '720e1dbb3852c322'],
  ])('%s makes the same map for ever', (seed, hash) => {
    expect(hashJson('map', JSON.parse(JSON.stringify(made({ seed })))).slice(0, 16)).toBe(hash);
  });

  it('and another one makes another map', () => {
    expect(made({ seed: '1' }).rows).not.toEqual(made({ seed: '2' }).rows);
  });
});

describe('whatever is asked for', () => {
  it('every room can be reached, and every key before its lock', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const map = made(request);
        expect(map.doors.filter(({ state }) => state === 'locked')).toHaveLength(request.locked);
        expect(map.rooms.filter(({ id }) => id.startsWith('room-'))).toHaveLength(request.rooms);
        if (map.places['ada'] !== undefined) expect(unreachable(map)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('everything has a floor tile of its own, in a room, and nothing is lost', { tags: ['long'] }, () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const map = made(request);
        const points = [...map.things, ...Object.values(map.places)];
        expect(new Set(points.map(keyOf)).size).toBe(points.length);
        for (const { x, y } of points) expect(map.rows[y]?.[x]).toMatch(/[._]/);
        expect([...Object.keys(map.places), ...map.unplaced].sort()).toEqual(
          ['ada', 'altar', 'bea', 'gem', 'rat'].sort(),
        );
        expect(map.rows).toHaveLength(request.height);
        expect(new Set(map.rows.map((row) => row.length))).toEqual(new Set([request.width]));
        expect(map.rows.every((row) => row.startsWith('#') && row.endsWith('#'))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('no two rooms or corridors share a tile', { tags: ['long'] }, () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const map = made(request);
        const owners = new Map<string, string>();
        for (const { id, areas } of map.rooms) {
          for (const key of areas.flatMap(tilesOf).map(keyOf)) {
            expect(owners.get(key) ?? id).toBe(id);
            owners.set(key, id);
          }
        }
        for (const door of map.doors) expect(owners.has(keyOf(door))).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it('the thing for the last room lies there', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { rooms, places } = made({ ...request, decor: 0 });
        const last = rooms.filter(({ id }) => id.startsWith('room-')).at(-1);
        expect(last?.areas.flatMap(tilesOf)).toContainEqual(places['gem']);
      }),
      { numRuns: 100 },
    );
  });
});

describe('what is bound to certain rooms', () => {
  const things = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, index) => ({ id, blocking: index % 2 === 1 }));
  const roomOf = ({ rooms, places }: GeneratedMap, id: string): string | undefined =>
    rooms.find(({ areas }) =>
      areas.flatMap(tilesOf).some((tile) => keyOf(tile) === keyOf(known(places[id], id))),
    )?.id;
  const numberOf = (map: GeneratedMap, id: string): number => Number(roomOf(map, id)?.slice('room-'.length));
  const seeds = Array.from({ length: 60 }, (_, seed) => String(seed));
  /** Small rooms full of furniture, in which an obstacle finds a tile only if it comes first. */
  const SMALL: Partial<MapRequest> = { width: 26, height: 18, rooms: 7, sideMax: 3, decor: 40, things };

  it('stands in different rooms if it is apart, the first not where agents start', () => {
    const starts = new Set<string | undefined>();
    for (const seed of seeds) {
      const map = made({ ...SMALL, seed, apart: ['a', 'b', 'c', 'd', 'f', 'rat'] });
      const rooms = ['a', 'b', 'c', 'd', 'f', 'rat'].map((id) => roomOf(map, id));
      expect(new Set(rooms).size).toBe(6);
      expect(rooms[0]).not.toBe('room-1');
      for (const room of rooms) starts.add(room);
    }
    expect(starts.size).toBe(7);
  });

  it('stands in the first or last third of the rooms, in a room, or in the last one', () => {
    const found = new Map(things.map(({ id }) => [id, new Set<number>()]));
    for (const seed of seeds) {
      const map = made({
        ...SMALL,
        seed,
        near: ['a', 'rat'],
        far: ['b', 'c'],
        in: { 'room-2': ['d', 'e'] },
        deepest: ['f'],
        apart: ['f', 'c', 'b'],
      });
      expect(map.unplaced).toEqual([]);
      for (const [id, rooms] of found) rooms.add(numberOf(map, id));
      expect(numberOf(map, 'rat')).toBeLessThanOrEqual(3);
    }
    expect([...found].map(([id, rooms]) => [id, ...[...rooms].sort((a, b) => a - b)])).toEqual([
      ['a', 1, 2, 3],
      ['b', 5, 6],
      ['c', 5, 6],
      ['d', 2],
      ['e', 2],
      ['f', 7],
    ]);
  });

  it('has a room of its own whenever the rooms suffice', () => {
    // Only one room is left for each: a room-2, b room-1, c and d room-3 and room-4.
    for (const seed of seeds) {
      const wishes = {
        things: things.slice(0, 4),
        near: ['b'],
        far: ['c', 'd'],
        apart: ['a', 'b', 'c', 'd'],
        deepest: [],
      };
      const map = made({ ...SMALL, seed, rooms: 4, ...wishes });
      expect([numberOf(map, 'a'), numberOf(map, 'b')]).toEqual([2, 1]);
      expect(made({ ...SMALL, seed, rooms: 3, ...wishes }).unplaced).toHaveLength(1);
    }
  });
});

describe('what fits', () => {
  it('is known beforehand', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 80 }), fc.integer({ min: 5, max: 80 }), (width, height) => {
        const most = roomsThatFit({ width, height });
        expect(cellGridFor({ width, height, rooms: most })).not.toBeNull();
        expect(cellGridFor({ width, height, rooms: most + 1 })).toBeNull();
      }),
    );
  });

  it('is no map where it does not fit', () => {
    expect(generateMap({ ...REQUEST, width: 10, rooms: 50 })).toBeNull();
    expect(generateMap({ ...REQUEST, rooms: 3, locked: 3 })).toBeNull();
  });

  it('goes up to the limits', { tags: ['long'] }, () => {
    const side = LIMITS.mapSideTiles;
    const map = made({
      width: side,
      height: side,
      rooms: LIMITS.generatedRooms,
      sideMax: 40,
      loops: 100,
      locked: 100,
    });
    expect(map.rows).toHaveLength(side);
    expect(unreachable(map)).toEqual([]);
  });
});
