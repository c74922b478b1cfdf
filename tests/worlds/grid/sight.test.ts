import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setBody } from '../../../src/worlds/grid/change.js';
import type { Sight } from '../../../src/worlds/grid/sight.js';
import { canSee, sightOf, visibleTiles } from '../../../src/worlds/grid/sight.js';
import { isOpaque, openWorld } from '../../../src/worlds/grid/world.js';
import { RULES, aDoor, aThing, aWorld, anAgent, played, rowsOf } from './random-world.js';

const ALGORITHMS = ['recursive', 'symmetric', 'rays'] as const;

function drawn(sight: Sight, rows: readonly string[]): readonly string[] {
  return rows.map((row, y) => Array.from(row, (tile, x) => (sight.has(x, y) ? tile : ' ')).join(''));
}

function outward(offset: number): number {
  return offset + Math.sign(offset);
}

const ROOM = ['#######', '#.....#', '#.....#', '#.....#', '#.....#', '#.....#', '#######'];

describe.each(ALGORITHMS)('sight by %s', (sight) => {
  it('lights a whole room with its walls and corners', () => {
    const { world, state } = played(aWorld(ROOM, { rules: { ...RULES, sight } }));
    expect(drawn(visibleTiles(world, state, { x: 3, y: 3 }, 8, null), ROOM)).toEqual(ROOM);
  });

  it('is round: x² + y² ≤ r² + r', () => {
    const rows = Array.from({ length: 21 }, () => '.'.repeat(21));
    const { world, state } = played(aWorld(rows, { rules: { ...RULES, sight } }));
    for (const radius of [0, 1, 2, 5, 8]) {
      const seen = visibleTiles(world, state, { x: 10, y: 10 }, radius, null);
      const round = rows.map((row, y) =>
        Array.from(row, (tile, x) =>
          (x - 10) ** 2 + (y - 10) ** 2 <= radius ** 2 + radius ? tile : ' ',
        ).join(''),
      );
      expect(drawn(seen, rows)).toEqual(round);
    }
  });

  it('ends at walls, closed doors and opaque things, which are lit themselves', () => {
    const rows = ['.........'];
    const hidden = (definition: Parameters<typeof aWorld>[1]) => {
      const { world, state } = played(aWorld(rows, { rules: { ...RULES, sight }, ...definition }));
      return drawn(visibleTiles(world, state, { x: 0, y: 0 }, 8, null), rows)[0]?.trimEnd().length;
    };
    expect(hidden({})).toBe(9);
    expect(hidden({ doors: [aDoor('oak', { x: 3, y: 0 }, { state: 'closed' })] })).toBe(4);
    expect(hidden({ doors: [aDoor('oak', { x: 3, y: 0 }, { state: 'locked' })] })).toBe(4);
    expect(hidden({ doors: [aDoor('oak', { x: 3, y: 0 }, { state: 'open' })] })).toBe(9);
    expect(hidden({ things: [aThing('veil', { at: 'tile', x: 5, y: 0 }, { opaque: true })] })).toBe(6);
    expect(hidden({ rows: ['....#....'] })).toBe(5);
  });

  it('is cut to the window, and cutting hides or shows nothing else', () => {
    fc.assert(
      fc.property(rowsOf(19, 19), (rows) => {
        const { world, state } = played(aWorld(rows, { rules: { ...RULES, sight } }));
        const from = { x: 9, y: 9 };
        const whole = visibleTiles(world, state, from, 12, null);
        const cut = visibleTiles(world, state, from, 12, { columns: 7, rows: 5 });
        const inWindow = [...whole].filter(({ x, y }) => Math.abs(x - 9) <= 3 && Math.abs(y - 9) <= 2);
        expect([...cut]).toEqual(inWindow);
      }),
      { numRuns: 60 },
    );
  });

  it('never leaves the map and always holds its own tile', () => {
    fc.assert(
      fc.property(rowsOf(9, 7), fc.nat(8), fc.nat(6), (rows, x, y) => {
        const { world, state } = played(aWorld(rows, { rules: { ...RULES, sight } }));
        const seen = visibleTiles(world, state, { x, y }, 32, null);
        expect(seen.has(x, y)).toBe(true);
        for (const tile of seen) expect(tile.x >= 0 && tile.y >= 0 && tile.x < 9 && tile.y < 7).toBe(true);
        expect(seen.has(-1, y) || seen.has(9, y) || seen.has(x, -1) || seen.has(x, 7)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('lights the wall behind every lit floor tile, straight away from the observer', () => {
    fc.assert(
      fc.property(rowsOf(13, 13), (rows) => {
        const { world, state } = played(aWorld(rows, { rules: { ...RULES, sight } }));
        const seen = visibleTiles(world, state, { x: 6, y: 6 }, 5, null);
        for (const tile of seen) {
          if (isOpaque(world, state, tile)) continue;
          const [dx, dy] = [tile.x - 6, tile.y - 6];
          const behind = Math.abs(dx) > Math.abs(dy) ? [outward(dx), dy] : [dx, outward(dy)];
          const [x, y] = [6 + (behind[0] ?? 0), 6 + (behind[1] ?? 0)];
          const isInReach = (x - 6) ** 2 + (y - 6) ** 2 <= 30;
          if (isInReach && rows[y]?.[x] === '#' && !seen.has(x, y))
            throw new Error(`${x},${y}\n${rows.join('\n')}`);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('symmetric sight', () => {
  it('shows A to B exactly when it shows B to A, wherever light passes', () => {
    fc.assert(
      fc.property(rowsOf(15, 15), fc.integer({ min: 1, max: 12 }), (rows, radius) => {
        const { world, state } = played(aWorld(rows, { rules: { ...RULES, sight: 'symmetric' } }));
        const tiles = rows
          .flatMap((row, y) => Array.from(row, (_tile, x) => ({ x, y })))
          .filter((tile) => !isOpaque(world, state, tile));
        const sights = tiles.map((tile) => visibleTiles(world, state, tile, radius, null));
        for (const [a, from] of tiles.entries()) {
          for (const [b, to] of tiles.entries()) {
            if (sights[a]?.has(to.x, to.y) !== sights[b]?.has(from.x, from.y)) {
              throw new Error(`${from.x},${from.y} and ${to.x},${to.y}\n${rows.join('\n')}`);
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('sightOf', () => {
  it('is the agent’s own radius, cut to the window, and follows every change', () => {
    const rows = ['.'.repeat(21)];
    const definition = aWorld(rows, {
      agents: [
        anAgent('ada', { x: 10, y: 0 }, { sightRadius: 9 }),
        anAgent('bea', { x: 10, y: 0 }, { sightRadius: 2 }),
      ],
      doors: [aDoor('oak', { x: 12, y: 0 }, { state: 'open' })],
    });
    const { world, state } = played(definition);
    expect([...sightOf(world, state, 'ada')].length).toBe(15);
    expect([...sightOf(world, state, 'bea')].length).toBe(5);
    const moved = setBody(state, 'ada', { x: 0 });
    expect(canSee(world, moved, 'ada', { x: 0, y: 0 })).toBe(true);
    expect(canSee(world, moved, 'ada', { x: 10, y: 0 })).toBe(false);
    expect(canSee(world, state, 'ada', { x: 14, y: 0 })).toBe(true);
    const shut = played({ ...definition, doors: [aDoor('oak', { x: 12, y: 0 })] });
    expect(canSee(world, { ...state, doors: shut.state.doors }, 'ada', { x: 14, y: 0 })).toBe(false);
    expect(
      canSee(openWorld({ ...definition, window: { columns: 3, rows: 3 } }), state, 'ada', { x: 14, y: 0 }),
    ).toBe(false);
  });
});
