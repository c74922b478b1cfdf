/** PUSH: from behind, one tile, the pusher follows; in both movement modes. */
import { describe, expect, test } from 'vitest';
import { agent, crate, expectMap, game, intent, npc, thing, tinyDefinition } from '../tiny-world.js';

const MAP = `
  #######
  #.....#
  #.ax..#
  #.....#
  #######`;

function yard(map = MAP, movement: 'tile' | 'room' = 'tile') {
  const all = { a: agent('a'), b: agent('b'), n: npc('n'), x: crate('x'), y: crate('y') };
  const pieces = Object.fromEntries(Object.entries(all).filter(([letter]) => map.includes(letter)));
  return game(tinyDefinition(map, pieces, { rules: { movement } }));
}

describe('PUSH', () => {
  test('moves the thing one tile and the pusher into its place', () => {
    const played = yard();
    expect(played.act('a', 'PUSH', { thing: 'x', direction: 'east' })).toBe('You pushed the x east.');
    expectMap(played, '#######\n#.....#\n#..ax.#\n#.....#\n#######');
    expect(played.events[0]).toMatchObject({ kind: 'pushed', data: { landed: { x: 4, y: 2 } } });
  });

  test('by tile one must stand behind it', () => {
    expect(yard().act('a', 'PUSH', { thing: 'x', direction: 'north' })).toBe(
      'To push it north you must stand on the south side of the x. GO there first.',
    );
  });

  test('by room one walks behind it', () => {
    const played = yard(MAP, 'room');
    const result = played.try('a', 'PUSH', { thing: 'x', direction: 'north' });
    expect(result).toMatchObject({
      ok: true,
      path: [
        { x: 2, y: 2 },
        { x: 2, y: 3 },
        { x: 3, y: 3 },
        { x: 3, y: 2 },
      ],
    });
    expectMap(played, '#######\n#..x..#\n#..a..#\n#.....#\n#######');
  });

  test.each([
    { map: '####\n#ax#\n####', why: 'the wall is in the way' },
    { map: '#####\n#axy#\n#####', why: 'the y is in the way' },
    { map: '#####\n#axn#\n#####', why: 'the n stands there' },
    { map: '#####\n#axb#\n#####', why: 'B stands there' },
  ])('is refused where $why', ({ map, why }) => {
    const played = yard(map);
    expect(played.act('a', 'PUSH', { thing: 'x', direction: 'east' })).toBe(
      `You can't push the x east: ${why}.`,
    );
    expectMap(played, map);
  });

  test('what is not pushable is refused', () => {
    expect(yard('#####\n#an.#\n#####').act('a', 'PUSH', { thing: 'n', direction: 'east' })).toBe(
      "The n can't be pushed: only a thing that stands free can.",
    );
  });

  test('two pushes of one crate: the second finds it gone', () => {
    const played = yard('#######\n#.....#\n#.ax..#\n#..b..#\n#######');
    const results = played.tick(
      intent('b', 'PUSH', { thing: 'x', direction: 'north' }),
      intent('a', 'PUSH', { thing: 'x', direction: 'east' }),
    );
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
  });

  test('what is hidden behind the thing is met, not named, and check says nothing of it', () => {
    const wall = thing('wardrobe', { portable: false, pushable: true, blocking: true, opaque: true });
    const played = game(tinyDefinition('#####\n#awb#\n#####', { a: agent('a'), w: wall, b: agent('b') }));
    const args = { thing: 'wardrobe', direction: 'east' };
    expect(played.environment.check(played.state, intent('a', 'PUSH', args))).toBeUndefined();
    expect(played.act('a', 'PUSH', args)).toBe("You can't push the wardrobe east: somebody stands there.");
  });
});
