/** What every intent goes through: it is asked again, its actor is told, and its result stands in its own place. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/base/limits.js';
import { withRecalledLine } from '../../../src/environment/news.js';
import { setMinds } from '../../../src/worlds/grid/change.js';
import { rememberedThings } from '../../../src/worlds/grid/knowledge.js';
import type { GridInboxItem } from '../../../src/worlds/grid/state.js';
import type { Utterance } from '../../../src/speech/utterance.js';
import { agent, game, intent, thing, tinyDefinition, withInbox } from './tiny-world.js';

function trio() {
  const pieces = { a: agent('ada', { actions: ['GO', 'TAKE'] }), b: agent('ben'), k: thing('key') };
  return game(tinyDefinition('######\n#a.kb#\n######', pieces));
}

describe('an intent', () => {
  test.each([
    [intent('ada', 'DROP', { thing: 'key' }), 'not-offered', 'DROP is not one of your actions.'],
    [intent('ada', 'FLY'), 'unknown-action', 'There is no action "FLY".'],
    [intent('nobody', 'WAIT'), 'illegal/not-active', 'You no longer act in this run.'],
    [
      intent('ada', 'GO'),
      'bad-argument',
      'GO needs a direction (north, east, south, west) or TO and something that you know.',
    ],
  ])('%j is refused as %s by check and by advance', (asked, code, message) => {
    const played = trio();
    expect(played.environment.check(played.state, asked)).toMatchObject({ code, message });
    expect(played.tick(asked)).toEqual([{ ok: false, problem: { code, message } }]);
  });

  test('WAIT is always allowed', () => {
    expect(trio().act('ada', 'WAIT')).toBe('You waited.');
  });

  test('has its result at its own place, whatever the order of acting', () => {
    const results = trio().tick(intent('ben', 'WAIT'), intent('ada', 'GO', { direction: 'east' }));
    expect(results.map((result) => result.ok && result.message)).toEqual(['You waited.', 'You went east.']);
  });

  test('tells its actor what came of it, refused or not', () => {
    const played = trio();
    played.tick(intent('ada', 'GO', { direction: 'north' }));
    expect(played.state.minds['ada']?.last).toBe("You can't go north: the wall is in the way.");
    played.tick(intent('ada', 'GO', { direction: 'east' }));
    expect(played.state.minds['ada']?.last).toBe('You went east.');
    expect(played.state.minds['ben']?.last).toBe('');
  });

  test('of an agent twice in one tick is our own mistake', () => {
    expect(() => trio().tick(intent('ada', 'WAIT'), intent('ada', 'WAIT'))).toThrow(
      'two intents of one agent',
    );
  });

  test('that changes a thing teaches whoever sees it, at once', () => {
    const played = trio();
    const remembered = () => rememberedThings(played.state, 'ben').map(({ id }) => id);
    played.act('ada', 'GO', { direction: 'east' });
    expect(remembered()).toEqual(['key']);
    played.act('ada', 'TAKE', { thing: 'key' });
    expect(remembered()).toEqual([]);
  });

  test('changes nothing of the state before it', () => {
    const played = trio();
    const before = JSON.stringify(played.state);
    const { state } = played;
    played.act('ada', 'GO', { direction: 'east' });
    played.act('ada', 'TAKE', { thing: 'key' });
    played.endTurn();
    expect(JSON.stringify(state)).toBe(before);
  });
});

function item(turn: number): GridInboxItem {
  const utterance: Utterance = { speaker: 'ben', channel: 'speak', text: 'x', turn, at: { x: 4, y: 1 } };
  return { kind: 'heard', utterance, speakerName: 'ben', distance: 3 };
}

describe('limits', () => {
  test('a full inbox and a full memory lose the oldest', () => {
    const { state } = trio();
    const many = Array.from({ length: LIMITS.inboxUtterances + 1 }, (_value, turn) => turn);
    const full = many.slice(1).reduce((now, turn) => withInbox(now, 'ada', item(turn)), state);
    expect(full.minds['ada']?.inbox).toHaveLength(LIMITS.inboxUtterances);
    expect(withInbox(full, 'ada', item(999)).minds['ada']?.inbox[0]).toEqual(item(2));
    const lines = Array.from({ length: LIMITS.recalledLines + 1 }, (_value, line) => `line ${line}`);
    const told = lines.reduce(
      (now, line) => setMinds(now, ['ada'], (mind) => ({ read: withRecalledLine(mind.read, line) })),
      state,
    );
    expect(told.minds['ada']?.read).toEqual(lines.slice(1));
  });
});
