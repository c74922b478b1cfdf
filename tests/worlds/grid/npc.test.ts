/** NPC behaviours at the end of the turn: seeded, replayable, waiting where blocked; and who is caught. */
import { describe, expect, test } from 'vitest';
import type { Behaviour, NpcDefinition } from '../../../src/worlds/grid/definition.js';
import { agent, crate, door, expectMap, game, npc, roundTrip, tinyDefinition } from './tiny-world.js';

type Played = ReturnType<typeof game>;

function world(
  map: string,
  behaviour: Behaviour,
  change: Partial<NpcDefinition> = {},
  seed = 'test',
): Played {
  const all = { a: agent('a'), b: agent('b'), n: npc('n', { behaviour, ...change }), x: crate('x') };
  const pieces = Object.fromEntries(Object.entries(all).filter(([letter]) => map.includes(letter)));
  return game(tinyDefinition(map, pieces), seed);
}

/** The NPC's column and row after each of some turns. */
function trail(played: Played, turns: number): readonly string[] {
  return Array.from({ length: turns }, () => {
    played.endTurn();
    const { x, y } = played.state.bodies['n'] ?? { x: -1, y: -1 };
    return `${x},${y}`;
  });
}

describe('still', () => {
  test('stays', () => {
    expect(trail(world('####\n#n.#\n####', { kind: 'still' }), 2)).toEqual(['1,1', '1,1']);
  });
});

describe('wander', () => {
  const YARD = '#####\n#...#\n#.n.#\n#...#\n#####';

  test('goes the same way for the same seed and another for another', () => {
    const one = trail(world(YARD, { kind: 'wander', every: 1 }, {}, 'one'), 12);
    expect(trail(world(YARD, { kind: 'wander', every: 1 }, {}, 'one'), 12)).toEqual(one);
    expect(trail(world(YARD, { kind: 'wander', every: 1 }, {}, 'two'), 12)).not.toEqual(one);
  });

  test('goes on the same after a round trip through JSON', () => {
    const live = world(YARD, { kind: 'wander', every: 2 });
    trail(live, 5);
    const twin = world(YARD, { kind: 'wander', every: 2 });
    twin.state = roundTrip(live.state);
    expect(trail(twin, 8)).toEqual(trail(live, 8));
  });

  test('draws anew each turn', () => {
    const played = world(YARD, { kind: 'wander', every: 1 });
    const streams = Array.from({ length: 5 }, () => {
      played.endTurn();
      return JSON.stringify(played.state.rng['npc:n']);
    });
    expect(new Set(streams).size).toBe(5);
  });

  test('stays where nothing is free', () => {
    expect(trail(world('####\n#nx#\n####', { kind: 'wander', every: 1 }), 3)).toEqual(['1,1', '1,1', '1,1']);
  });

  test('a hidden wanderer does not change how another wanders', () => {
    const map = '#######\n#..#..#\n#n.#.m#\n#..#..#\n#######';
    const wander = { behaviour: { kind: 'wander', every: 1 } } as const;
    const both = game(tinyDefinition(map, { m: npc('m', wander), n: npc('n', wander) }));
    const alone = game(tinyDefinition(map.replace('m', '.'), { n: npc('n', wander) }));
    expect(trail(both, 10)).toEqual(trail(alone, 10));
  });
});

describe('patrol', () => {
  const route = [
    { x: 1, y: 1 },
    { x: 3, y: 1 },
  ];

  test('there and back', () => {
    const played = world('#####\n#n..#\n#####', { kind: 'patrol', route, loop: false });
    expect(trail(played, 6)).toEqual(['2,1', '3,1', '2,1', '1,1', '2,1', '3,1']);
  });

  test('round and round', () => {
    const round = [...route, { x: 3, y: 2 }, { x: 1, y: 2 }];
    const played = world('#####\n#n..#\n#...#\n#####', { kind: 'patrol', route: round, loop: true });
    expect(trail(played, 7)).toEqual(['2,1', '3,1', '3,2', '2,2', '1,2', '1,1', '2,1']);
  });

  test('waits where it is blocked, and goes on', () => {
    const played = world('#####\n#na.#\n##.##\n#####', { kind: 'patrol', route, loop: false });
    expect(trail(played, 2)).toEqual(['1,1', '1,1']);
    played.act('a', 'GO', { direction: 'south' });
    expect(trail(played, 2)).toEqual(['2,1', '3,1']);
  });
});

describe('chase', () => {
  const chase = { kind: 'chase', targets: ['a'], sightRadius: 5 } as const;

  test('goes to what it sees and stops beside it', () => {
    expect(trail(world('#######\n#n...a#\n#######', chase), 4)).toEqual(['2,1', '3,1', '4,1', '4,1']);
  });

  test('goes where it saw it last, and no further', () => {
    const played = world('#######\n#n..a.#\n####.##\n####.##\n####.##\n#######', chase);
    expect(trail(played, 1)).toEqual(['2,1']);
    for (let step = 0; step < 3; step++) played.act('a', 'GO', { direction: 'south' });
    expect(trail(played, 2)).toEqual(['3,1', '4,1']);
  });

  test('does not see through walls', () => {
    expect(trail(world('#######\n#n.#.a#\n#######', chase), 2)).toEqual(['1,1', '1,1']);
  });
});

describe('flee', () => {
  test('steps away from what it sees, until it is far enough or cornered', () => {
    const flee = { kind: 'flee', from: ['a'], sightRadius: 3 } as const;
    expect(trail(world('#########\n#.an....#\n#########', flee), 5)).toEqual([
      '4,1',
      '5,1',
      '6,1',
      '6,1',
      '6,1',
    ]);
    expect(trail(world('####\n#an#\n####', flee), 1)).toEqual(['2,1']);
  });
});

describe('catching', () => {
  const still = { kind: 'still' } as const;

  test('by reach, seen by others, and the caught agent acts no more', () => {
    const played = world('#####\n#abn#\n#####', still, { catches: { reach: 1 } });
    played.endTurn();
    expect(played.state.bodies['b']?.status).toBe('caught');
    expect(played.events).toMatchObject([{ kind: 'caught', actor: 'n', data: { id: 'b' } }]);
    expect(JSON.stringify(played.state.minds['a']?.inbox)).toContain('The n caught B.');
    expect(played.environment.active(played.state)).toEqual(['a']);
    expect(played.act('b', 'WAIT')).toBe('You no longer act in this run.');
  });

  test.each([
    { map: '#######\n#n...a#\n#######', watchRadius: 0, isCaught: false },
    { map: '#######\n#n...a#\n#######', watchRadius: 3, isCaught: false },
    { map: '#######\n#n...a#\n#######', watchRadius: 4, isCaught: true },
    { map: '#######\n#n.#.a#\n#######', watchRadius: 9, isCaught: false },
    { map: '####\n#n##\n##a#\n####', watchRadius: 0, isCaught: true },
  ])('at a distance only what it sees: $map, radius $watchRadius', ({ map, watchRadius, isCaught }) => {
    const played = world(map, still, { catches: { reach: 2 }, watchRadius });
    played.endTurn();
    expect(played.state.bodies['a']?.status).toBe(isCaught ? 'caught' : 'awake');
  });

  test('everyone caught is a failure', () => {
    const played = world('####\n#an#\n####', still, { catches: { reach: 1 } });
    played.endTurn();
    expect(played.outcome()).toEqual({ status: 'failed', reason: 'Every agent was caught.' });
  });
});

test('NPCs open no doors', () => {
  const rooms = { west: { x: 0, y: 0, width: 3, height: 3 }, east: { x: 4, y: 0, width: 3, height: 3 } };
  const route = [{ x: 5, y: 1 }];
  const n = npc('n', { behaviour: { kind: 'patrol', route, loop: true } });
  const played = game(
    tinyDefinition('#######\n#n.d..#\n#######', { n, d: door('d', { state: 'closed' }) }, { rooms }),
  );
  played.endTurn();
  expectMap(played, '#######\n#n.+..#\n#######');
});
