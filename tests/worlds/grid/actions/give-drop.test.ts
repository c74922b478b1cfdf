/** DROP and GIVE: things go where they are said to go, heaps join, and nobody gets more than it can carry. */
import { describe, expect, test } from 'vitest';
import { agent, chest, game, thing, tinyDefinition } from '../tiny-world.js';
import { thingsOn } from '../../../../src/worlds/grid/world.js';

function pair(map = '#####\n#abc#\n#####') {
  const pieces = { a: agent('ada'), b: agent('ben', { carryMax: 1 }), c: agent('cy') };
  const coins = { stack: { kind: 'coin', amount: 5 }, place: { at: 'held', by: 'ada' } } as const;
  const more = [thing('coin', coins), thing('key', { place: { at: 'held', by: 'ada' } })];
  return game(tinyDefinition(map, pieces, { more }));
}

describe('DROP', () => {
  test('puts a thing on the own tile', () => {
    const played = pair();
    expect(played.act('ada', 'DROP', { thing: 'key' })).toBe('You put down the key.');
    expect(thingsOn(played.state, { x: 1, y: 1 }).map(({ id }) => id)).toEqual(['key']);
    expect(played.act('ada', 'DROP', { thing: 'key' })).toBe("You don't hold the key. TAKE it first.");
  });

  test('amounts of one kind join on the tile, under an id that tells nothing', () => {
    const played = pair();
    expect(played.act('ada', 'DROP', { thing: 'coin' })).toBe('You put down 1 of the coin.');
    expect(played.act('ada', 'DROP', { thing: 'coin', amount: 2 })).toBe('You put down 2 of the coin.');
    expect(thingsOn(played.state, { x: 1, y: 1 })).toMatchObject([{ definition: 'coin', amount: 3 }]);
    expect(thingsOn(played.state, { x: 1, y: 1 })[0]?.id).toMatch(/^coin-[0-9a-f]{10}$/);
    expect(played.act('ada', 'DROP', { thing: 'coin', amount: 3 })).toBe('You hold 2 of the coin, not 3.');
  });
});

function lid(state: 'open' | 'closed') {
  return { state, key: null, sprites: { open: '', closed: '', locked: '' } };
}

function stores(state: 'open' | 'closed') {
  const bag = { container: lid('open'), place: { at: 'held', by: 'ada' } } as const;
  const pouch = { container: lid('open'), place: { at: 'inside', container: 'bag' } } as const;
  const pieces = { a: agent('ada'), c: chest('chest', { container: lid(state) }), b: agent('ben') };
  const more = [thing('bag', bag), thing('pouch', pouch), thing('key', { place: { at: 'held', by: 'ada' } })];
  return game(tinyDefinition('#####\n#acb#\n#...#\n#####', pieces, { more }));
}

describe('DROP IN', () => {
  test('puts a thing in an open container', () => {
    const played = stores('open');
    expect(played.act('ada', 'DROP', { thing: 'key', container: 'chest' })).toBe(
      'You put the key in the chest.',
    );
    expect(played.act('ben', 'TAKE', { thing: 'key' })).toBe('You took the key.');
  });

  test.each([
    ['key', 'chest', 'The chest is closed. OPEN it first.'],
    ['key', 'ben', 'Nothing can be put in Ben.'],
    ['bag', 'bag', "The bag can't be put in itself."],
    ['bag', 'pouch', "The bag can't be put in itself."],
  ])('the %s in the %s is refused', (what, container, says) => {
    expect(stores('closed').act('ada', 'DROP', { thing: what, container })).toBe(says);
  });
});

describe('GIVE', () => {
  test('hands a thing to somebody beside the giver', () => {
    const played = pair();
    expect(played.act('ada', 'GIVE', { thing: 'key', receiver: 'ben' })).toBe('You gave the key to Ben.');
    expect(played.state.bodies['ben']?.holds).toEqual(['key']);
    expect(JSON.stringify(played.state.minds['cy']?.inbox)).toContain('Ada gave the key to Ben.');
  });

  test('that hands are full shows only when it is tried', () => {
    const played = pair();
    played.act('ada', 'GIVE', { thing: 'key', receiver: 'ben' });
    const args = { thing: 'coin', receiver: 'ben' };
    expect(played.environment.check(played.state, { agent: 'ada', action: 'GIVE', args })).toBeUndefined();
    expect(played.act('ada', 'GIVE', args)).toBe('Ben has no hand free.');
  });

  test('is refused out of reach, to oneself, and of what is not held', () => {
    const played = pair();
    expect(played.act('ada', 'GIVE', { thing: 'key', receiver: 'cy' })).toMatch(
      /^Cy is out of reach, 2 east/,
    );
    expect(played.act('ada', 'GIVE', { thing: 'key', receiver: 'ada' })).toBe(
      'You can only give something to somebody else.',
    );
    expect(played.act('ben', 'GIVE', { thing: 'key', receiver: 'ada' })).toBe(
      "You don't hold the key. Ada does: ask for it.",
    );
  });
});
