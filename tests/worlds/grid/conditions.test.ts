/** Success and failure: each kind of condition before and after it comes true, and the sentence that says so. */
import { describe, expect, test } from 'vitest';
import type { GridCondition } from '../../../src/worlds/grid/definition.js';
import { saysPhrase } from '../../../src/worlds/grid/conditions.js';
import { agent, chest, door, game, npc, thing, tinyDefinition } from './tiny-world.js';

const ROOMS = { west: { x: 0, y: 0, width: 4, height: 4 }, east: { x: 5, y: 0, width: 3, height: 4 } };
const MAP = `
  ########
  #bkad..#
  #.c..sn#
  ########`;

type Played = ReturnType<typeof game>;

function played(options: { success?: GridCondition; failure?: GridCondition }): Played {
  const work = { turns: 1, tool: null, done: '', effect: { kind: 'remove' } } as const;
  const container = { state: 'open', key: 'key', sprites: { open: '', closed: '', locked: '' } } as const;
  const pieces = {
    a: agent('ada'),
    b: agent('ben'),
    k: thing('key', { text: 'ab' }),
    c: chest('chest', { container }),
    d: door('oak', { key: 'key' }),
    n: npc('rat', { catches: { reach: 1 } }),
    s: thing('stone', { work, portable: false }),
  };
  return game(tinyDefinition(MAP, pieces, { rooms: ROOMS, ...options }));
}

const go = (run: Played, ...ways: string[]): void => {
  for (const direction of ways) run.act('ada', 'GO', { direction });
};
const take = (run: Played) => run.act('ada', 'TAKE', { thing: 'key' });

const ROWS: readonly { condition: GridCondition; reason: string; win: (run: Played) => void }[] = [
  {
    condition: { kind: 'in-room', agent: 'any', room: 'east' },
    reason: 'An agent is in the east.',
    win: (run) => go(run, 'east', 'east'),
  },
  {
    condition: { kind: 'at', agent: 'ada', x: 3, y: 2 },
    reason: 'Ada is at (3, 2).',
    win: (run) => go(run, 'south'),
  },
  {
    condition: { kind: 'near', agent: 'any', target: 'stone', within: 1 },
    reason: 'An agent is within 1 tile of the stone.',
    win: (run) => go(run, 'east'),
  },
  {
    condition: { kind: 'near', agent: 'ada', target: 'oak', within: 0 },
    reason: 'Ada is within 0 tiles of the oak door.',
    win: (run) => go(run, 'east'),
  },
  {
    condition: { kind: 'near', agent: 'any', target: 'rat', within: 2 },
    reason: 'An agent is within 2 tiles of the rat.',
    win: (run) => go(run, 'east'),
  },
  {
    condition: { kind: 'near', agent: 'ben', target: 'key', within: 0 },
    reason: 'Ben is within 0 tiles of the key.',
    win: (run) => run.act('ben', 'TAKE', { thing: 'key' }),
  },
  { condition: { kind: 'holds', agent: 'ada', thing: 'key' }, reason: 'Ada holds the key.', win: take },
  {
    condition: { kind: 'thing-in-room', thing: 'key', room: 'east' },
    reason: 'The key is in the east.',
    win: (run) => (take(run), go(run, 'east', 'east')),
  },
  {
    condition: { kind: 'door-is', door: 'oak', state: 'locked' },
    reason: 'The oak door is locked.',
    win: (run) => {
      take(run);
      run.act('ada', 'CLOSE', { target: 'oak' });
      run.act('ada', 'USE', { thing: 'key', target: 'oak' });
    },
  },
  {
    condition: { kind: 'container-is', thing: 'chest', state: 'closed' },
    reason: 'The chest is closed.',
    win: (run) => run.act('ada', 'CLOSE', { target: 'chest' }),
  },
  {
    condition: { kind: 'work-done', thing: 'stone' },
    reason: 'The work on the stone is done.',
    win: (run) => (go(run, 'east'), run.act('ada', 'USE', { thing: 'stone' })),
  },
  {
    condition: { kind: 'heard', agent: 'ada', phrase: 'the code is 42' },
    reason: 'Ada was heard to say "the code is 42".',
    win: (run) => run.act('ada', 'SPEAK', { text: 'Listen: THE code, is “42”!' }),
  },
  {
    condition: { kind: 'read', agent: 'ada', thing: 'key' },
    reason: 'Ada has read the key.',
    win: (run) => run.act('ada', 'READ', { thing: 'key' }),
  },
  {
    condition: { kind: 'done', agent: 'ada' },
    reason: 'Ada is done.',
    win: (run) => run.act('ada', 'DONE'),
  },
  {
    condition: { kind: 'caught', agent: 'any' },
    reason: 'An agent was caught.',
    win: (run) => (go(run, 'east', 'east', 'east'), run.endTurn()),
  },
];

describe('conditions', () => {
  test.each(ROWS)('$reason', ({ condition, reason, win }) => {
    const run = played({ success: condition });
    expect(run.outcome()).toEqual({ status: 'running', reason: '' });
    win(run);
    expect(run.outcome()).toEqual({ status: 'succeeded', reason });
  });

  test('all, any and not combine; every agent means each of them', () => {
    const hold = { kind: 'holds', agent: 'ada', thing: 'key' } as const;
    const everyWest = { kind: 'in-room', agent: 'every', room: 'west' } as const;
    const run = played({ success: { kind: 'all', of: [hold, { kind: 'not', of: everyWest }] } });
    take(run);
    expect(run.outcome().status).toBe('running');
    go(run, 'east', 'east');
    expect(run.outcome().status).toBe('succeeded');
    expect(played({ success: { kind: 'any', of: [hold, everyWest] } }).outcome().status).toBe('succeeded');
  });

  test('near an agent, only the others count, at once', () => {
    const near = (agent: string, within: number) =>
      played({ success: { kind: 'near', agent, target: 'ben', within } }).outcome().status;
    expect([near('any', 1), near('any', 2)]).toEqual(['running', 'succeeded']);
    expect([near('every', 1), near('every', 2)]).toEqual(['running', 'succeeded']);
  });

  test('failure is asked before success', () => {
    const hold = { kind: 'holds', agent: 'ada', thing: 'key' } as const;
    const run = played({ success: hold, failure: hold });
    take(run);
    expect(run.outcome().status).toBe('failed');
  });

  test('nobody left to act fails where there is something to reach', () => {
    const run = played({ success: { kind: 'holds', agent: 'ada', thing: 'key' } });
    run.act('ada', 'DONE');
    run.act('ben', 'DONE');
    expect(run.outcome()).toEqual({
      status: 'failed',
      reason: 'No agent is left to act, and success was not reached.',
    });
  });

  test('a phrase that nobody hears does not count', () => {
    const run = played({ success: { kind: 'heard', agent: 'ada', phrase: 'hello' } });
    run.act('ben', 'DONE');
    expect(run.act('ada', 'SPEAK', { text: 'hello' })).toMatch(/Nobody heard it\.$/);
    expect(run.outcome().status).toBe('running');
  });
});

test.each([
  ['I have the Key.', 'the key', true],
  ['the keys', 'the key', false],
  ['breathe key', 'the key', false],
  ["It's here", 'its here', true],
  ['Geht’s über den Fluß?', 'über den fluß', true],
  ['...', '!', false],
])('%j says %j: %s', (said, phrase, says) => {
  expect(saysPhrase(said, phrase)).toBe(says);
});
