/**
 * Movement conflicts as rows: a map, who goes where at once, and the map after. Agents are called a, b, c; a has the
 * lowest id. The refusals' words are asked at the end.
 */
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical.js';
import type { GridRules } from '../../../src/worlds/grid/definition.js';
import { resolve } from '../../../src/worlds/grid/movement.js';
import { agent, crate, door, expectMap, game, intent, npc, thing, tinyDefinition } from './tiny-world.js';

const LETTERS: Readonly<Record<string, string>> = { n: 'north', e: 'east', s: 'south', w: 'west' };

function direction(short: string): string {
  return Array.from(short)
    .map((letter) => LETTERS[letter])
    .join('-');
}

function crowd(map: string, rules: Partial<GridRules> = {}) {
  const all = { a: agent('a'), b: agent('b'), c: agent('c'), n: npc('n'), x: crate('x') };
  const pieces = Object.fromEntries(Object.entries(all).filter(([letter]) => map.includes(letter)));
  return game(tinyDefinition(map, pieces, { rules }));
}

/** "a:e b:w" as intents, in that order. */
function moves(row: string) {
  return row.split(' ').map((move) => {
    const [who = '', way = ''] = move.split(':');
    return intent(who, 'GO', { direction: direction(way) });
  });
}

const ROWS = [
  { what: 'one goes where it is free', before: '#a..#', go: 'a:e', after: '#.a.#' },
  { what: 'a wall stops', before: '#a..#', go: 'a:w', after: '#a..#' },
  { what: 'same tile: the lowest id', before: '#a.b#', go: 'b:w a:e', after: '#.ab#' },
  { what: 'two change places: both stay', before: '#ab.#', go: 'a:e b:w', after: '#ab.#' },
  { what: 'held by one who stays', before: '#ab.#', go: 'a:e', after: '#ab.#' },
  { what: 'held by one who is stopped', before: '#.ab#', go: 'a:e b:e', after: '#.ab#' },
  { what: 'a chain into a free tile', before: '#abc.#', go: 'a:e b:e c:e', after: '#.abc#' },
  { what: 'a chain behind one who stays', before: '#abc.#', go: 'a:e b:e', after: '#abc.#' },
  { what: 'an NPC stays', before: '#an.#', go: 'a:e', after: '#an.#' },
  { what: 'a crate stays', before: '#ax.#', go: 'a:e', after: '#ax.#' },
  { what: 'into a tile being left', before: '#a.bc#', go: 'a:e b:w c:w', after: '#.abc#' },
];

describe('movement of one tick', () => {
  test.each(ROWS)('$what: $before, $go', ({ before, go, after }) => {
    const walls = before.replace(/./g, '#');
    const played = crowd(`${walls}\n${before}\n${walls}`);
    played.tick(...moves(go));
    expectMap(played, `${walls}\n${after}\n${walls}`);
  });

  test.each([
    ['a:n', 0],
    ['a:ne', 1],
    ['a:e', 2],
    ['a:se', 3],
    ['a:s', 4],
    ['a:sw', 5],
    ['a:w', 6],
    ['a:nw', 7],
  ])('%s: the body faces as it went', (go, facing) => {
    const played = crowd('#####\n#...#\n#.a.#\n#...#\n#####', { diagonals: true });
    expect(played.state.bodies['a']?.facing).toBe(4);
    played.tick(...moves(go));
    expect(played.state.bodies['a']?.facing).toBe(facing);
  });

  test('one who is stopped faces as before', () => {
    const played = crowd('####\n#a.#\n####');
    played.tick(...moves('a:e'));
    played.tick(...moves('a:n'));
    expect(played.state.bodies['a']?.facing).toBe(2);
  });

  test('a ring of three stays', () => {
    const map = '####\n#ab#\n#.c#\n####';
    const played = crowd(map, { diagonals: true });
    played.tick(...moves('a:e b:s c:nw'));
    expectMap(played, map);
  });

  test('the order of the intents means nothing', () => {
    const one = crowd('#####\n#a.b#\n#.c.#\n#####');
    const other = crowd('#####\n#a.b#\n#.c.#\n#####');
    one.tick(...moves('a:e b:w c:n'));
    other.tick(...moves('c:n b:w a:e'));
    expect(canonicalJson(other.state)).toBe(canonicalJson(one.state));
    expectMap(one, '#####\n#.ab#\n#.c.#\n#####');
  });

  test('the order of the claims means nothing either', () => {
    const { world, state } = crowd('#####\n#a.b#\n#####');
    const middle = { x: 2, y: 1 };
    const claims = [
      { agent: 'b', path: [{ x: 3, y: 1 }, middle], stopped: null },
      { agent: 'a', path: [{ x: 1, y: 1 }, middle], stopped: null },
    ];
    expect(resolve(world, state, claims, ['a', 'b']).get('a')).toEqual({ ok: true });
    expect(resolve(world, state, claims.toReversed(), ['a', 'b']).get('a')).toEqual({ ok: true });
    expect(resolve(world, state, claims, ['b', 'a']).get('b')).toEqual({ ok: true });
  });

  test('bodies that do not block share a tile and change places', () => {
    const played = crowd('#####\n#ab.#\n#####', { bodiesBlock: false });
    expect(played.tick(...moves('a:e b:w')).every(({ ok }) => ok)).toBe(true);
    expectMap(played, '#####\n#ba.#\n#####');
    played.tick(...moves('a:w'));
    expect(played.state.bodies['a']).toMatchObject({ x: 1, y: 1 });
  });

  test.each([
    { what: 'both corners free', map: '####\n#a.#\n#..#\n####', isGoing: true },
    { what: 'a wall beside', map: '####\n#a##\n#..#\n####', isGoing: false },
    { what: 'a crate beside', map: '####\n#a.#\n#x.#\n####', isGoing: false },
    { what: 'a body beside', map: '####\n#ab#\n#..#\n####', isGoing: true },
  ])('a diagonal needs both tiles beside it walkable: $what', ({ map, isGoing }) => {
    const played = crowd(map, { diagonals: true });
    expect(played.try('a', 'GO', { direction: 'south-east' }).ok).toBe(isGoing);
  });

  test.each([
    { movement: 'room', straight: true },
    { movement: 'tile', straight: false },
  ] as const)(
    'diagonals are a rule of movement by tile, for creatures and ways too: $movement',
    ({ movement, straight }) => {
      const chasing = npc('n', { behaviour: { kind: 'chase', targets: ['a'], sightRadius: 8 } });
      const pieces = { a: agent('a'), k: thing('key'), n: chasing };
      const map = '######\n#a...#\n#..k.#\n#...n#\n######';
      const played = game(tinyDefinition(map, pieces, { rules: { movement, diagonals: true } }));
      const result = played.try('a', 'GO', { target: 'key' });
      const path = result.ok ? (result.path ?? []) : [];
      played.endTurn();
      const { x = 0, y = 0 } = played.state.bodies['n'] ?? {};
      const ways = [
        ...path.slice(1).map((to, i) => [path[i], to] as const),
        [
          { x: 4, y: 3 },
          { x, y },
        ] as const,
      ];
      const lengths = ways.map(
        ([from, to]) => Math.abs((from?.x ?? 0) - to.x) + Math.abs((from?.y ?? 0) - to.y),
      );
      expect(path.length).toBeGreaterThan(1);
      expect(lengths.every((length) => length <= 1)).toBe(straight);
    },
  );

  test('other actions come after the movement, in order of ids', () => {
    const played = game(
      tinyDefinition('######\n#a.xb#\n######', { a: agent('a'), b: agent('b'), x: crate('x') }),
    );
    const push = intent('b', 'PUSH', { thing: 'x', direction: 'west' });
    const [pushed] = played.tick(push, intent('a', 'GO', { direction: 'east' }));
    expectMap(played, '######\n#.axb#\n######');
    expect(pushed).toMatchObject({
      ok: false,
      problem: { message: "You can't push the x west: A stands there." },
    });
  });

  test('a refusal names only what the walker sees', () => {
    const played = crowd('#####\n#ab.#\n#####');
    expect(played.act('a', 'GO', { direction: 'east' })).toBe('You stayed where you are: B stands there.');
    expect(played.state.minds['a']?.last).toBe('You stayed where you are: B stands there.');
    expect(crowd('#####\n#an.#\n#####').act('a', 'GO', { direction: 'east' })).toBe(
      "You can't go east: the n stands there.",
    );
  });

  test('two that take the same thing: the lowest id has it, the other is told', () => {
    const played = game(
      tinyDefinition('#####\n#akb#\n#####', { a: agent('a'), b: agent('b'), k: thing('key') }),
    );
    const [lost, won] = played.tick(
      intent('b', 'TAKE', { thing: 'key' }),
      intent('a', 'TAKE', { thing: 'key' }),
    );
    expect(won).toMatchObject({ ok: true });
    expect(lost).toMatchObject({ problem: { message: 'A holds the key; ask for it to be given to you.' } });
  });

  test('doors in the way are named', () => {
    const rooms = { west: { x: 0, y: 0, width: 2, height: 3 }, east: { x: 3, y: 0, width: 2, height: 3 } };
    const shut = door('oak', { state: 'closed' });
    const played = game(tinyDefinition('#####\n#ad.#\n#####', { a: agent('a'), d: shut }, { rooms }));
    expect(played.act('a', 'GO', { direction: 'east' })).toBe(
      "You can't go east: the oak door is closed. OPEN it first.",
    );
  });
});
