/** SPEAK and ANNOUNCE: who hears, what the inbox holds and when it is emptied, and what the speaker is told. */
import { describe, expect, test } from 'vitest';
import { agent, door, game, intent, tinyDefinition } from '../tiny-world.js';

const ROOMS = { west: { x: 0, y: 0, width: 8, height: 3 }, east: { x: 9, y: 0, width: 4, height: 3 } };

function rooms(speechFree = false) {
  const pieces = { a: agent('ada'), b: agent('ben'), d: door('oak', { state: 'closed' }), c: agent('cy') };
  return game(
    tinyDefinition('#############\n#a....b.dc..#\n#############', pieces, {
      rooms: ROOMS,
      rules: { speechFree },
    }),
  );
}

const heard = (played: ReturnType<typeof rooms>, id: string) =>
  (played.state.minds[id]?.inbox ?? []).flatMap((item) =>
    item.kind === 'heard' ? [item.utterance.text] : [],
  );

describe('SPEAK', () => {
  test('reaches a Manhattan radius, through walls, and never the speaker', () => {
    const played = rooms();
    expect(played.act('ben', 'SPEAK', { text: "The Key isn't HERE" })).toBe(
      'You said "The Key isn\'t HERE".',
    );
    expect([heard(played, 'ada'), heard(played, 'ben'), heard(played, 'cy')]).toEqual([
      [],
      [],
      ["The Key isn't HERE"],
    ]);
    expect(played.events).toMatchObject([{ kind: 'said', actor: 'ben', seenBy: ['cy'] }]);
  });

  test('no hearer is told so', () => {
    expect(rooms().act('ada', 'SPEAK', { text: 'Hello?' })).toBe('You said "Hello?". Nobody heard it.');
  });

  test('nothing to say is refused', () => {
    expect(rooms().act('ada', 'SPEAK', { text: ' \u200b ' })).toBe(
      'There is nothing to say. Put your words in quotation marks.',
    );
  });
});

describe('ANNOUNCE', () => {
  test('reaches everybody in the room and nobody else', () => {
    const played = rooms();
    expect(played.act('ada', 'ANNOUNCE', { text: 'Hi' })).toBe('You announced "Hi".');
    expect([heard(played, 'ben'), heard(played, 'cy')]).toEqual([['Hi'], []]);
  });
});

test('a hearer is told whether those near or the whole room heard it', () => {
  const played = rooms();
  played.act('ben', 'ANNOUNCE', { text: 'To all' });
  played.act('ben', 'SPEAK', { text: 'Psst' });
  const lines = (id: string) =>
    played.environment.observe(played.state, id).sections.find((section) => section.id === 'heard')?.lines;
  expect(lines('ada')).toEqual(['Ben (5 tiles away, turn 1) announced to all in the room: "To all"']);
  expect(lines('cy')).toEqual(['Ben (3 tiles away, turn 1) said to all within 4 tiles: "Psst"']);
});

describe('the inbox', () => {
  test('is emptied by what costs the turn, not by what is free', () => {
    const played = rooms();
    played.act('ada', 'ANNOUNCE', { text: 'Hi' });
    played.act('ben', 'LOOK');
    expect(heard(played, 'ben')).toEqual(['Hi']);
    played.act('ben', 'WAIT');
    expect(heard(played, 'ben')).toEqual([]);
    expect(played.state.minds['ben']?.read).toEqual([
      'Ada (5 tiles away, turn 1) announced to all in the room: "Hi"',
    ]);
  });

  test('keeps what is said in the very tick in which its owner acts', () => {
    const played = rooms();
    played.tick(intent('ada', 'ANNOUNCE', { text: 'one' }), intent('ben', 'ANNOUNCE', { text: 'two' }));
    expect([heard(played, 'ada'), heard(played, 'ben')]).toEqual([['two'], ['one']]);
  });
});

test('free speech is free once a turn', () => {
  const played = rooms(true);
  expect(played.environment.actions.get('SPEAK')?.cost).toBe('free');
  expect(played.try('ada', 'SPEAK', { text: 'Hi' }).ok).toBe(true);
  expect(played.act('ada', 'ANNOUNCE', { text: 'Hi' })).toBe(
    'You have spoken this turn already. Speak again next turn.',
  );
  played.endTurn();
  expect(played.try('ada', 'ANNOUNCE', { text: 'Hi' }).ok).toBe(true);
});
