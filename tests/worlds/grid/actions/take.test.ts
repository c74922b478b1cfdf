/** TAKE: from tiles, containers and heaps; what is out of reach, hidden or held is refused in words that help. */
import { describe, expect, test } from 'vitest';
import { agent, chest, game, npc, thing, tinyDefinition } from '../tiny-world.js';

const HALL = `
  #######
  #ak.c.#
  #....b#
  #######`;

function hall() {
  const coins = { stack: { kind: 'coin', amount: 5 } };
  return game(
    tinyDefinition(
      HALL,
      {
        a: agent('ada', { carryMax: 2 }),
        b: agent('ben'),
        k: thing('brass-key'),
        c: thing('gold-coin', coins),
      },
      {},
    ),
  );
}

describe('TAKE', () => {
  test('picks up a thing beside the actor', () => {
    const played = hall();
    expect(played.act('ada', 'TAKE', { thing: 'brass-key' })).toBe('You took the brass key.');
    expect(played.state.bodies['ada']?.holds).toEqual(['brass-key']);
    expect(played.events.map(({ kind, seenBy }) => [kind, seenBy])).toEqual([['took', ['ada', 'ben']]]);
  });

  test('refuses what is out of reach, and says where it is and what would work', () => {
    expect(hall().act('ben', 'TAKE', { thing: 'brass-key' })).toBe(
      'The brass key is out of reach, 3 west, 1 north. Use GO TO brass key first.',
    );
  });

  test('takes an amount of a heap from its own tile only, 1 where none is said', () => {
    const played = hall();
    for (const direction of ['east', 'east']) played.act('ada', 'GO', { direction });
    expect(played.act('ada', 'TAKE', { thing: 'gold-coin' })).toBe(
      'You must stand on the tile of the gold coin to pick it up. Use GO TO first.',
    );
    played.act('ada', 'GO', { direction: 'east' });
    expect(played.act('ada', 'TAKE', { thing: 'gold-coin', amount: 9 })).toBe(
      'There are not 9 of the gold coin, only 5.',
    );
    expect(played.act('ada', 'TAKE', { thing: 'gold-coin', amount: 3 })).toBe(
      'You took 3 of the gold coin. 2 more remain there.',
    );
    expect(played.act('ada', 'TAKE', { thing: 'gold-coin' })).toMatch(/^You took 1 of/);
    const [stack] = played.state.bodies['ada']?.holds ?? [];
    expect(
      played.environment.observe(played.state, 'ada').nouns.find(({ id }) => id === stack)?.kinds,
    ).toContain('held');
  });

  test('does not say whether something hidden exists', () => {
    const shut = { state: 'closed', key: null, sprites: { open: '', closed: '', locked: '' } } as const;
    const inChest = thing('ruby', { place: { at: 'inside', container: 'box' } });
    const played = game(
      tinyDefinition(
        '####\n#ac#\n####',
        { a: agent('ada'), c: chest('box', { container: shut }) },
        { more: [inChest] },
      ),
    );
    const hidden = played.act('ada', 'TAKE', { thing: 'ruby' });
    expect(hidden).toBe(played.act('ada', 'TAKE', { thing: 'no-such-thing' }));
    played.act('ada', 'OPEN', { target: 'box' });
    expect(played.act('ada', 'TAKE', { thing: 'ruby' })).toBe('You took the ruby.');
    expect(played.act('ada', 'TAKE', { thing: 'ruby' })).toBe('You hold the ruby already.');
    expect(played.act('ada', 'TAKE', { thing: 'box' })).toBe("The box can't be picked up.");
  });

  test('says who holds it, as the texts call whoever it is', () => {
    const carried = thing('cheese', { place: { at: 'held', by: 'rat' } });
    const played = game(
      tinyDefinition('####\n#ar#\n####', { a: agent('ada'), r: npc('rat') }, { more: [carried] }),
    );
    expect(played.act('ada', 'TAKE', { thing: 'cheese' })).toBe(
      'The rat holds the cheese; ask for it to be given to you.',
    );
  });

  test('refuses a third thing for two hands', () => {
    const played = game(
      tinyDefinition('######\n#kalm#\n######', {
        a: agent('ada', { carryMax: 1 }),
        k: thing('key'),
        l: thing('lamp'),
        m: thing('mug'),
      }),
    );
    played.act('ada', 'TAKE', { thing: 'key' });
    expect(played.act('ada', 'TAKE', { thing: 'lamp' })).toBe(
      'Your hands are full: you can carry one thing. DROP something first.',
    );
  });
});
