/** USE: keys that lock and unlock, tools and work over several turns, things that are used up. */
import { describe, expect, test } from 'vitest';
import { agent, chest, door, game, thing, tinyDefinition } from '../tiny-world.js';
import type { GridRules, WorkDefinition } from '../../../../src/worlds/grid/definition.js';

const ROOMS = { west: { x: 0, y: 0, width: 3, height: 3 }, east: { x: 4, y: 0, width: 3, height: 3 } };
const held = (id: string) => thing(id, { place: { at: 'held', by: 'ada' } });

function workshop(work: Partial<WorkDefinition> = {}) {
  const rubble = {
    turns: 2,
    tool: 'pickaxe',
    done: 'The rubble is gone.',
    effect: { kind: 'remove' },
    ...work,
  } as const;
  const pieces = {
    r: thing('rubble', { portable: false, blocking: true, work: rubble }),
    a: agent('ada'),
    d: door('oak', { state: 'closed', key: 'key' }),
  };
  const pie = thing('pie', {
    place: { at: 'held', by: 'ada' },
    consumable: 'You eat pie.',
    stack: { kind: 'pie', amount: 2 },
  });
  const more = [held('key'), held('pickaxe'), held('spoon'), pie];
  return game(tinyDefinition('######\n#rad.#\n######', pieces, { rooms: ROOMS, more }));
}

describe('USE', () => {
  test('a key locks and unlocks, and is kept', () => {
    const played = workshop();
    const use = () => played.act('ada', 'USE', { thing: 'key', target: 'oak' });
    expect(use()).toBe('You locked the oak door with the key.');
    expect(use()).toBe('You unlocked the oak door with the key.');
    played.act('ada', 'OPEN', { target: 'oak' });
    expect(use()).toBe('The oak door is open. CLOSE it before you lock it.');
    expect(played.state.bodies['ada']?.holds).toContain('key');
  });

  test('that a key does not fit is found out by trying', () => {
    const played = workshop();
    const args = { thing: 'spoon', target: 'oak' };
    expect(played.environment.check(played.state, { agent: 'ada', action: 'USE', args })).toBeUndefined();
    expect(played.act('ada', 'USE', args)).toBe('The spoon does not fit the oak door.');
  });

  test('work counts down and then has its effect', () => {
    const played = workshop();
    const args = { thing: 'pickaxe', target: 'rubble' };
    expect(played.act('ada', 'USE', args)).toBe('You worked on the rubble. It takes once more.');
    expect(played.events).toMatchObject([{ kind: 'worked', data: { remaining: 1 } }]);
    expect(played.act('ada', 'USE', args)).toBe('The rubble is gone.');
    expect(played.state.marks).toEqual({ 'worked:rubble': 1 });
    expect(played.act('ada', 'GO', { direction: 'west' })).toBe('You went west.');
  });

  test('the wrong tool and bare hands do nothing', () => {
    const played = workshop();
    expect(played.act('ada', 'USE', { thing: 'spoon', target: 'rubble' })).toBe(
      'Using the spoon on the rubble does nothing.',
    );
    expect(played.act('ada', 'USE', { thing: 'rubble' })).toBe(
      'Bare hands do nothing to the rubble; it takes a tool: USE … ON ….',
    );
  });

  test('bare hands do where no tool is needed', () => {
    expect(workshop({ tool: null, turns: 1 }).act('ada', 'USE', { thing: 'rubble' })).toBe(
      'The rubble is gone.',
    );
  });

  test('finished work may open a door or turn a thing into another', () => {
    const opener = workshop({ tool: null, turns: 1, effect: { kind: 'open-door', door: 'oak' } });
    opener.act('ada', 'USE', { thing: 'rubble' });
    expect(opener.events.map(({ kind }) => kind)).toEqual(['finished-work', 'opened']);
    expect(opener.try('ada', 'GO', { direction: 'east' }).ok).toBe(true);
    const effect = { kind: 'become', name: 'gravel', sprite: 'gravel', blocking: false } as const;
    const become = workshop({ tool: null, turns: 1, effect });
    become.act('ada', 'USE', { thing: 'rubble' });
    expect(become.act('ada', 'LOOK', { target: 'rubble' })).toBe('The gravel: nothing special.');
    expect(become.try('ada', 'GO', { direction: 'west' }).ok).toBe(true);
  });

  test('a consumable is used up one by one', () => {
    const played = workshop();
    expect(played.act('ada', 'USE', { thing: 'pie' })).toBe('You eat pie.');
    expect(played.act('ada', 'USE', { thing: 'pie' })).toBe('You eat pie.');
    expect(played.act('ada', 'USE', { thing: 'pie' })).toMatch(/^You see nothing of that name/);
  });

  describe('by amount, where the rules allow it', () => {
    const berries = (rules: Partial<GridRules>) => {
      const stack = { kind: 'berry', amount: 5 };
      const pieces = {
        a: agent('ada'),
        b: thing('berries', { consumable: 'They are sweet.', stack }),
        n: thing('nails', { stack: { kind: 'nail', amount: 5 } }),
      };
      const played = game(tinyDefinition('#####\n#abn#\n#####', pieces, { rules }));
      played.act('ada', 'GO', { direction: 'east' });
      return played;
    };
    const some = { usesAmounts: true } as const;

    test('uses up so many of what is held', () => {
      const played = berries(some);
      expect(played.act('ada', 'TAKE', { thing: 'berries', amount: 4 })).toMatch(
        /^You took 4 of the berries/,
      );
      const [held = ''] = played.state.bodies['ada']?.holds ?? [];
      expect(played.act('ada', 'USE', { thing: held, amount: 3 })).toBe(
        'You used 3 of the berries. They are sweet.',
      );
      // A part of a heap is the same thing to a trigger.
      expect(played.events).toMatchObject([{ kind: 'used', data: { id: 'berries', amount: 3 } }]);
      expect(played.act('ada', 'USE', { thing: held, amount: 2 })).toBe('You hold 1 of the berries, not 2.');
      expect(played.act('ada', 'USE', { thing: held })).toBe('You used the berries. They are sweet.');
      expect(played.state.bodies['ada']?.holds).toEqual([]);
    });

    test('refuses several of what is not in hand, and of what is not used up', () => {
      const played = berries(some);
      expect(played.act('ada', 'USE', { thing: 'berries', amount: 2 })).toBe(
        "You don't hold the berries. TAKE it first.",
      );
      played.act('ada', 'GO', { direction: 'east' });
      played.act('ada', 'TAKE', { thing: 'nails', amount: 5 });
      expect(played.act('ada', 'USE', { thing: 'nails', amount: 2 })).toBe(
        'Using 2 of the nails at once does nothing.',
      );
    });

    test('is no form of USE without the rule', () => {
      const forms = (rules: Partial<GridRules>): string =>
        JSON.stringify(berries(rules).environment.actions.get('USE')?.grammar);
      expect(forms(some)).toContain('"amount"');
      expect(forms({})).not.toContain('"amount"');
    });
  });

  test('says what is missing', () => {
    const played = workshop();
    expect(played.act('ada', 'USE', { thing: 'spoon' })).toBe(
      'Using the spoon by itself does nothing. Say on what: USE … ON ….',
    );
    played.act('ada', 'DROP', { thing: 'key' });
    expect(played.act('ada', 'USE', { thing: 'key', target: 'oak' })).toBe(
      "You don't hold the key. TAKE it first.",
    );
  });

  test('a key locks a chest too', () => {
    const shut = { state: 'closed', key: 'key', sprites: { open: '', closed: '', locked: '' } } as const;
    const pieces = { a: agent('ada'), c: chest('chest', { container: shut }) };
    const played = game(tinyDefinition('####\n#ac#\n####', pieces, { more: [held('key')] }));
    expect(played.act('ada', 'USE', { thing: 'key', target: 'chest' })).toBe(
      'You locked the chest with the key.',
    );
    expect(played.act('ada', 'OPEN', { target: 'chest' })).toBe(
      'You unlocked and opened the chest with the key.',
    );
  });
});
