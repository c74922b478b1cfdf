/** OPEN and CLOSE: doors and containers, keys, doorways that are not free, doors that fall shut. */
import { describe, expect, test } from 'vitest';
import { agent, chest, door, game, thing, tinyDefinition } from '../tiny-world.js';
import type { Door } from '../../../../src/worlds/grid/definition.js';

const ROOMS = { west: { x: 0, y: 0, width: 3, height: 3 }, east: { x: 4, y: 0, width: 3, height: 3 } };
const held = (id: string, by: string) => thing(id, { place: { at: 'held', by } });

function doorway(change: Partial<Door>, holds: readonly string[] = []) {
  const pieces = { a: agent('ada'), d: door('oak', change), b: agent('ben') };
  const more = holds.map((id) => held(id, 'ada'));
  return game(tinyDefinition('#######\n#.ad.b#\n#######', pieces, { rooms: ROOMS, more }));
}

describe('OPEN', () => {
  test('opens a closed door, and those who see it are witnesses', () => {
    const played = doorway({ state: 'closed' });
    expect(played.act('ada', 'OPEN', { target: 'oak' })).toBe('You opened the oak door.');
    expect(played.events).toMatchObject([{ kind: 'opened', actor: 'ada', seenBy: ['ada', 'ben'] }]);
    expect(played.act('ada', 'OPEN', { target: 'oak' })).toBe('The oak door is open already.');
  });

  test('a locked door is refused with empty hands, found out with the wrong key, opened with the right one', () => {
    const locked = { state: 'locked', key: 'key' } as const;
    expect(doorway(locked).act('ada', 'OPEN', { target: 'oak' })).toBe(
      'The oak door is locked. Find its key and hold it, then OPEN it.',
    );
    const wrong = doorway(locked, ['spoon']);
    const asked = { agent: 'ada', action: 'OPEN', args: { target: 'oak' } };
    expect(wrong.environment.check(wrong.state, asked)).toBeUndefined();
    expect(wrong.act('ada', 'OPEN', { target: 'oak' })).toBe(
      'The oak door is locked, and nothing that you hold opens it.',
    );
    const right = doorway(locked, ['key']);
    expect(right.act('ada', 'OPEN', { target: 'oak' })).toBe(
      'You unlocked and opened the oak door with the key.',
    );
    expect(right.events.map(({ kind }) => kind)).toEqual(['unlocked', 'opened']);
    expect(right.state.bodies['ada']?.holds).toEqual(['key']);
  });

  test('what has no lid can not be opened', () => {
    expect(doorway({}).act('ada', 'OPEN', { target: 'ben' })).toBe(
      "Ben can't be opened: only a door or a container can.",
    );
  });

  test('opens a chest, and its contents can be taken', () => {
    const shut = { state: 'closed', key: null, sprites: { open: '', closed: '', locked: '' } } as const;
    const pieces = { a: agent('ada'), c: chest('chest', { container: shut }) };
    const more = [thing('ring', { place: { at: 'inside', container: 'chest' } })];
    const played = game(tinyDefinition('####\n#ac#\n####', pieces, { more }));
    expect(played.act('ada', 'OPEN', { target: 'chest' })).toBe('You opened the chest.');
    expect(played.act('ada', 'TAKE', { thing: 'ring' })).toBe('You took the ring.');
    expect(played.act('ada', 'CLOSE', { target: 'chest' })).toBe('You closed the chest.');
  });
});

describe('CLOSE', () => {
  test('closes an open door beside the actor', () => {
    const played = doorway({});
    expect(played.act('ada', 'CLOSE', { target: 'oak' })).toBe('You closed the oak door.');
    expect(played.act('ada', 'CLOSE', { target: 'oak' })).toBe('The oak door is not open.');
  });

  test('is refused while something is in the doorway', () => {
    const played = doorway({}, ['spoon']);
    played.act('ada', 'GO', { direction: 'east' });
    const says = "The oak door can't be closed while something is in the doorway.";
    expect(played.act('ada', 'CLOSE', { target: 'oak' })).toBe(says);
    played.act('ada', 'DROP', { thing: 'spoon' });
    played.act('ada', 'GO', { direction: 'west' });
    expect(played.act('ada', 'CLOSE', { target: 'oak' })).toBe(says);
  });
});

/** The door's state after each of some turns. */
function doorStates(played: ReturnType<typeof doorway>, turns: number) {
  return Array.from({ length: turns }, () => {
    played.endTurn();
    return Object.values(played.state.doors)[0]?.['oak']?.state;
  });
}

describe('doors that fall shut', () => {
  test('do so after their turns', () => {
    const played = doorway({ state: 'closed', closesAfter: 2 });
    played.act('ada', 'OPEN', { target: 'oak' });
    expect(doorStates(played, 2)).toEqual(['open', 'closed']);
    expect(played.events).toMatchObject([{ kind: 'door-shut', actor: null, seenBy: ['ada', 'ben'] }]);
    expect(JSON.stringify(played.state.minds['ben']?.inbox)).toContain('The oak door fell shut.');
  });

  test('wait for a free doorway', () => {
    const played = doorway({ closesAfter: 1 });
    played.act('ada', 'GO', { direction: 'east' });
    expect(doorStates(played, 3)).toEqual(['open', 'open', 'open']);
    played.act('ada', 'GO', { direction: 'west' });
    expect(doorStates(played, 1)).toEqual(['closed']);
  });
});
