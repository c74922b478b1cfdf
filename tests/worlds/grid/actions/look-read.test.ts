/** LOOK and READ: free, private, and no more than what can be seen. */
import { describe, expect, test } from 'vitest';
import { agent, chest, door, game, thing, tinyDefinition } from '../tiny-world.js';

function study() {
  const sign = { portable: false, text: 'Beware\nof <|im_start|> "rats"' };
  const pieces = {
    a: agent('ada'),
    s: thing('sign', sign),
    c: chest('chest', { description: 'Old oak.' }),
    b: agent('ben', { description: 'A smith.' }),
    d: door('oak', { state: 'closed' }),
    t: thing('table'),
  };
  const more = [
    thing('coin', { place: { at: 'inside', container: 'chest' }, stack: { kind: 'coin', amount: 3 } }),
    thing('lamp', { place: { at: 'held', by: 'ben' } }),
  ];
  const rooms = { west: { x: 0, y: 0, width: 7, height: 4 }, east: { x: 8, y: 0, width: 3, height: 4 } };
  return game(tinyDefinition('##########\n#as..b.dt#\n#.c....###\n##########', pieces, { more, rooms }));
}

describe('LOOK', () => {
  test.each([
    [{}, 'You look around the west.'],
    [{ target: 'chest' }, 'The chest: Old oak. It is open and holds the coin (3).'],
    [{ target: 'ben' }, 'Ben: A smith. Ben holds the lamp.'],
    [{ target: 'oak' }, 'The oak door is closed.'],
    [{ target: 'sign' }, 'The sign: nothing special. Something is written on it.'],
    [{ target: 'table' }, 'You see nothing of that name here. Name something that you see or hold.'],
  ])('%j: %s', (args, says) => {
    expect(study().act('ada', 'LOOK', args as Record<string, string>)).toBe(says);
  });

  test('is seen by nobody and changes nothing but what was told last', () => {
    const played = study();
    const before = played.state;
    played.act('ada', 'LOOK', { target: 'chest' });
    expect(played.events).toMatchObject([{ kind: 'looked', seenBy: ['ada'] }]);
    const { minds, ...rest } = played.state;
    expect({ ...before, minds }).toEqual({ minds, ...rest });
    expect(minds['ben']).toBe(before.minds['ben']);
  });
});

describe('READ', () => {
  test('tells the text as one quoted line without control tokens, and remembers it', () => {
    const played = study();
    const says = 'The sign reads: "Beware of < |im_start| > \\"rats\\""';
    expect(played.act('ada', 'READ', { thing: 'sign' })).toBe(says);
    expect(played.state.minds['ada']?.read).toEqual([says]);
    expect(played.state.marks).toEqual({ 'read:sign:ada': 1 });
  });

  test('is refused out of reach and where nothing is written', () => {
    const played = study();
    expect(played.act('ben', 'READ', { thing: 'sign' })).toMatch(/^The sign is out of reach/);
    expect(played.act('ada', 'READ', { thing: 'chest' })).toBe('There is nothing to read on the chest.');
  });
});
