import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Point } from '../../../src/environment/space.js';
import { CARDINALS, DIRECTIONS, isDiagonal, moved } from '../../../src/environment/space.js';
import { setThing } from '../../../src/worlds/grid/change.js';
import { findPath } from '../../../src/worlds/grid/paths.js';
import type { GridState } from '../../../src/worlds/grid/state.js';
import { isWalkable } from '../../../src/worlds/grid/world.js';
import type { Played } from './random-world.js';
import { aDoor, aThing, aWorld, played, rowsOf } from './random-world.js';

const WORK = { turns: 1, tool: null, done: 'It falls.' };
const FREE = { diagonals: false, blocked: () => false };

/** Plain breadth-first search: the fewest steps between two tiles, null where there is no way. */
function fewestSteps({ world, state }: Played, from: Point, to: Point, diagonals: boolean): number | null {
  const steps = new Map([[`${from.x},${from.y}`, 0]]);
  const queue = [from];
  for (const tile of queue) {
    const here = steps.get(`${tile.x},${tile.y}`) ?? 0;
    if (tile.x === to.x && tile.y === to.y) return here;
    for (const next of neighbours({ world, state }, tile, diagonals)) {
      if (steps.has(`${next.x},${next.y}`)) continue;
      steps.set(`${next.x},${next.y}`, here + 1);
      queue.push(next);
    }
  }
  return null;
}

function neighbours({ world, state }: Played, tile: Point, diagonals: boolean): readonly Point[] {
  return (diagonals ? DIRECTIONS : CARDINALS)
    .filter((direction) => {
      const next = moved(tile, direction);
      const corners = isDiagonal(direction)
        ? [
            { x: next.x, y: tile.y },
            { x: tile.x, y: next.y },
          ]
        : [];
      return [next, ...corners].every((each) => isWalkable(world, state, each));
    })
    .map((direction) => moved(tile, direction));
}

function blocked({ x, y }: Point): boolean {
  return x === 2 && y < 2;
}

interface Ends {
  from: Point;
  to: Point;
  diagonals: boolean;
}

/** Whether there is a way. */
function expectShortest(game: Played, { from, to, diagonals }: Ends): boolean {
  const path = findPath(game.world, game.state, from, to, { ...FREE, diagonals });
  const steps = fewestSteps(game, from, to, diagonals);
  expect(path === null ? null : path.length - 1).toBe(steps);
  if (path === null) return false;
  expect([path[0], path.at(-1)]).toEqual([from, to]);
  for (const [index, tile] of path.entries()) {
    const next = path[index + 1];
    if (next) expect(neighbours(game, tile, diagonals)).toContainEqual(next);
  }
  return true;
}

describe('findPath', () => {
  it('finds a way as short as breadth-first search does, over legal steps only, or none where there is none', () => {
    const pair = fc.tuple(fc.nat(13), fc.nat(9), fc.nat(13), fc.nat(9));
    fc.assert(
      fc.property(rowsOf(14, 10), pair, fc.boolean(), (rows, [x, y, toX, toY], diagonals) => {
        const game = played(
          aWorld(rows, {
            doors: [aDoor('oak', { x: 3, y: 3 }), aDoor('pine', { x: 5, y: 3 }, { state: 'open' })],
            things: [aThing('rock', { at: 'tile', x: 7, y: 5 }, { blocking: true })],
          }),
        );
        const [from, to] = [
          { x, y },
          { x: toX, y: toY },
        ];
        expectShortest(game, { from, to, diagonals });
      }),
      { numRuns: 300 },
    );
  });

  it('finds far ways as short, past doors, blocking things and walls that lie in between', () => {
    const row = fc.string({
      unit: fc.constantFrom('.', '.', '.', '.', '.', '.', '#'),
      minLength: 90,
      maxLength: 90,
    });
    const ends = fc.tuple(fc.nat(7), fc.nat(7), fc.nat(7), fc.nat(7));
    let ways = 0;
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 8, maxLength: 8 }),
        ends,
        fc.boolean(),
        (rows, [x, y, left, toY], diagonals) => {
          const game = played(
            aWorld(rows, {
              doors: [0, 1, 2, 3].map((at) => aDoor(`oak-${at}`, { x: 30, y: at })),
              things: [4, 5, 6].map((at) =>
                aThing(`rock-${at}`, { at: 'tile', x: 30, y: at }, { blocking: true }),
              ),
            }),
          );
          ways += Number(expectShortest(game, { from: { x, y }, to: { x: 89 - left, y: toY }, diagonals }));
        },
      ),
      { numRuns: 100 },
    );
    expect(ways).toBeGreaterThan(10);
  });

  it('keeps off blocked tiles, and gives the same way every time', () => {
    const { world, state } = played(aWorld(['.....', '.....', '.....']));
    const find = () => findPath(world, state, { x: 0, y: 0 }, { x: 4, y: 0 }, { diagonals: false, blocked });
    const way = find();
    expect(way).toHaveLength(9);
    expect(way).toContainEqual({ x: 2, y: 2 });
    findPath(world, state, { x: 4, y: 2 }, { x: 0, y: 2 }, FREE);
    expect(find()).toEqual(way);
    expect(findPath(world, state, { x: 0, y: 0 }, { x: 2, y: 0 }, { diagonals: true, blocked })).toBeNull();
  });

  it('goes around a thing that came to block its tile when it was worked on, and not before', () => {
    const effect = { kind: 'become', name: 'rubble', sprite: 'item/rubble', blocking: true } as const;
    const pillar = aThing('pillar', { at: 'tile', x: 2, y: 0 }, { work: { ...WORK, effect } });
    const { world, state } = played(aWorld(['.....', '.....'], { things: [pillar] }));
    const lengthIn = (now: GridState) => findPath(world, now, { x: 0, y: 0 }, { x: 4, y: 0 }, FREE)?.length;
    expect(lengthIn(state)).toBe(5);
    expect(lengthIn(setThing(state, 'pillar', { work: 0 }))).toBe(7);
  });

  it('goes straight where it can, and stays where it is asked to', () => {
    const { world, state } = played(aWorld(['.....', '.....']));
    const straight = [0, 1, 2, 3, 4].map((x) => ({ x, y: 0 }));
    for (const diagonals of [false, true]) {
      expect(findPath(world, state, { x: 0, y: 0 }, { x: 4, y: 0 }, { ...FREE, diagonals })).toEqual(
        straight,
      );
    }
    expect(findPath(world, state, { x: 1, y: 1 }, { x: 1, y: 1 }, FREE)).toEqual([{ x: 1, y: 1 }]);
    expect(findPath(world, state, { x: 1, y: 1 }, { x: 9, y: 1 }, FREE)).toBeNull();
  });
});
