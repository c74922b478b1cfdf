/**
 * Triggers: each occasion and each effect, once or again, in what order and how far they go on, and that nobody learns of
 * an effect that they could not perceive.
 */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/base/limits.js';
import { canonicalJson } from '../../../src/base/canonical.js';
import type { GridCondition, Effect, TriggerOccasion, Trigger } from '../../../src/worlds/grid/definition.js';
import { ANY_AGENT } from '../../../src/worlds/grid/definition.js';
import { doorOf, thingOf } from '../../../src/worlds/grid/world.js';
import { agent, chest, door, game, thing, tinyDefinition } from './tiny-world.js';
import type { Game } from './tiny-world.js';

const MAP = `
  ##########
  #A..l+...#
  #.B..#..c#
  #....#...#
  ##########`;

const ROOMS = {
  west: { x: 1, y: 1, width: 4, height: 3 },
  east: { x: 6, y: 1, width: 3, height: 3 },
};

function trigger(
  id: string,
  when: TriggerOccasion | null,
  effects: readonly Effect[],
  change: Partial<Trigger> = {},
): Trigger {
  return { id, when, condition: null, effects, repeats: false, ...change };
}

function world(triggers: readonly Trigger[], success: GridCondition | null = null): Game {
  const pieces = {
    A: agent('ada'),
    B: agent('bea'),
    l: thing('lever', { portable: false }),
    '+': door('gate', { state: 'locked' }),
    c: chest('chest', {
      container: { state: 'locked', key: null, sprites: { open: 'o', closed: 'c', locked: 'l' } },
    }),
  };
  const more = [
    thing('wand', { place: { at: 'held', by: 'ada' } }),
    thing('gem', { place: { at: 'tile', x: 2, y: 3 }, absent: true }),
    thing('pearl', { place: { at: 'inside', container: 'chest' } }),
  ];
  return game(
    tinyDefinition(MAP, pieces, { rooms: ROOMS, more, triggers, success, rules: { movement: 'room' } }),
  );
}

const PULL: TriggerOccasion = { kind: 'used', thing: 'lever', on: null, agent: ANY_AGENT };
const OPEN: Effect = { kind: 'set-lid', target: 'gate', to: 'open' };
const COUNT: Effect = { kind: 'count', counter: 'pulls', by: 1 };

function pull(played: Game): string {
  played.act('ada', 'GO', { target: 'lever' });
  return played.act('ada', 'USE', { thing: 'lever' });
}

function counted(played: Game, counter = 'pulls'): number {
  return played.state.marks[`count:${counter}`] ?? 0;
}

function inbox(played: Game, id: string): readonly string[] {
  return (played.state.minds[id]?.inbox ?? []).flatMap((item) =>
    item.kind === 'noticed' ? [item.line] : [],
  );
}

describe('an agent that a trigger incapacitates', () => {
  const INCAPACITATE: Effect = { kind: 'incapacitate', agent: null };
  const RESTORE: Effect = { kind: 'restore', agent: 'ada' };
  const SPEAK: TriggerOccasion = { kind: 'said', phrase: 'wake', room: null, agent: 'bea' };
  const told = (played: Game, id: string): string =>
    played.environment
      .observe(played.state, id)
      .sections.flatMap(({ lines }) => lines)
      .join('\n');

  function fallen(): Game {
    const played = world([trigger('fall', PULL, [INCAPACITATE]), trigger('wake', SPEAK, [RESTORE])]);
    pull(played);
    return played;
  }

  it('can only wait, is told so, and goes on being asked', () => {
    const played = fallen();
    const { environment, state } = played;
    const legal = environment.legalActions(state, 'ada').map(({ action }) => action);
    expect([legal, environment.active(state)]).toEqual([['WAIT'], ['ada', 'bea']]);
    expect(told(played, 'ada')).toContain('You are incapacitated and can only wait.');
    expect(environment.observe(state, 'ada').facts['self']).toMatchObject({ status: 'incapacitated' });
    expect(played.act('ada', 'GO', { direction: 'west' })).toBe('You are incapacitated: you can only WAIT.');
    expect(played.act('ada', 'SPEAK', { text: 'help' })).toBe('You are incapacitated: you can only WAIT.');
    expect(played.act('ada', 'WAIT')).toBe('You waited.');
  });

  it('is seen so in text, facts and picture, and it is noticed', () => {
    const played = fallen();
    const { facts, scene } = played.environment.observe(played.state, 'bea');
    expect(told(played, 'bea')).toContain('- Ada (person, incapacitated)');
    expect(facts['bodies']).toMatchObject([{ id: 'ada', status: 'incapacitated' }]);
    expect(scene?.things.map(({ sprite }) => sprite)).toContain('fx/incapacitated');
    expect(inbox(played, 'bea')).toContain('Ada was incapacitated.');
    expect(inbox(played, 'ada')).toEqual([]);
  });

  it('can act again once it is restored', () => {
    const played = fallen();
    played.act('bea', 'SPEAK', { text: 'Wake up!' });
    expect(told(played, 'ada')).not.toContain('incapacitated');
    expect(played.state.bodies['ada']).not.toHaveProperty('incapacitated');
    expect(played.environment.legalActions(played.state, 'ada').length).toBeGreaterThan(1);
  });
});

describe('an occasion', () => {
  it('is a lever pulled', () => {
    const played = world([trigger('t', PULL, [OPEN])]);
    expect(played.act('ada', 'USE', { thing: 'lever' })).toContain('out of reach');
    expect(pull(played)).toBe('You used the lever.');
    expect(doorOf(played.state, 'gate')?.state).toBe('open');
  });

  it('makes nothing else usable', () => {
    const played = world([]);
    expect(pull(played)).toContain('does nothing');
  });

  it('is a thing used on another, held and within reach', () => {
    const use: TriggerOccasion = { kind: 'used', thing: 'wand', on: 'lever', agent: ANY_AGENT };
    const played = world([trigger('t', use, [COUNT])]);
    expect(pull(played)).toContain('does nothing');
    expect(played.act('ada', 'USE', { thing: 'wand', target: 'lever' })).toBe(
      'You used the wand on the lever.',
    );
    expect(counted(played)).toBe(1);
  });

  it('is food used up: counted once, or by its amount', () => {
    const eat: TriggerOccasion = { kind: 'used', thing: 'nuts', on: null, agent: ANY_AGENT };
    const nuts = thing('nuts', {
      place: { at: 'held', by: 'ada' },
      consumable: '',
      stack: { kind: 'nut', amount: 5 },
    });
    const effects = [COUNT, { ...COUNT, counter: 'eaten', by: 'amount' }] as const;
    const played = game(
      tinyDefinition(
        '###\n#a#\n###',
        { a: agent('ada') },
        {
          more: [nuts],
          rules: { usesAmounts: true },
          triggers: [trigger('t', eat, effects, { repeats: true })],
        },
      ),
    );
    played.act('ada', 'USE', { thing: 'nuts', amount: 3 });
    played.act('ada', 'USE', { thing: 'nuts' });
    expect([counted(played), counted(played, 'eaten')]).toEqual([2, 4]);
  });

  it('is a tile stepped on, on the way too', () => {
    const step: TriggerOccasion = { kind: 'entered-tile', x: 2, y: 1, agent: ANY_AGENT };
    const played = world([trigger('t', step, [COUNT])]);
    played.act('ada', 'GO', { target: 'lever' });
    expect(counted(played)).toBe(1);
  });

  it('is a room entered, by whom it says', () => {
    const enter = (who: string): TriggerOccasion => ({ kind: 'entered-room', room: 'east', agent: who });
    const ids = ['ada', 'bea'];
    const played = world([
      trigger('a-open', PULL, [OPEN]),
      ...ids.map((id) => trigger(`by-${id}`, enter(id), [{ ...COUNT, counter: id }], { repeats: true })),
    ]);
    pull(played);
    expect(played.act('ada', 'GO', { direction: 'east' })).toContain('into the east');
    expect(ids.map((id) => counted(played, id))).toEqual([1, 0]);
    played.act('ada', 'GO', { direction: 'west' });
    played.act('ada', 'GO', { direction: 'east' });
    expect(ids.map((id) => counted(played, id))).toEqual([2, 0]);
  });

  it('is a phrase said, in the room that it says', () => {
    const say = (room: string | null): TriggerOccasion => ({
      kind: 'said',
      phrase: 'open sesame',
      room,
      agent: 'ada',
    });
    const played = world([
      trigger('east', say('east'), [{ ...COUNT, counter: 'east' }]),
      trigger('west', say('west'), [{ ...COUNT, counter: 'west' }]),
    ]);
    played.act('bea', 'SPEAK', { text: 'Open sesame!' });
    expect(counted(played, 'west')).toBe(0);
    played.act('ada', 'SPEAK', { text: 'Open, Sesame!' });
    expect([counted(played, 'east'), counted(played, 'west')]).toEqual([0, 1]);
  });

  it('is the end of a turn', () => {
    const played = world([trigger('t', { kind: 'turn-over', turn: 2 }, [OPEN])]);
    played.endTurn();
    expect(doorOf(played.state, 'gate')?.state).toBe('locked');
    played.endTurn();
    expect(doorOf(played.state, 'gate')?.state).toBe('open');
  });

  it('is a condition that comes true, and with repeat comes true again', () => {
    const condition: GridCondition = { kind: 'door-is', door: 'gate', state: 'open' };
    const shut: Effect = { kind: 'set-lid', target: 'gate', to: 'closed' };
    const toggles = (repeats: boolean): Game =>
      world([
        trigger('a', PULL, [OPEN], { repeats: true }),
        trigger('b', null, [COUNT, shut], { condition, repeats }),
      ]);
    for (const [repeats, times] of [
      [false, 1],
      [true, 2],
    ] as const) {
      const played = toggles(repeats);
      pull(played);
      pull(played);
      expect(counted(played)).toBe(times);
    }
  });
});

describe('an effect', () => {
  const EFFECTS: readonly (readonly [string, Effect, (played: Game) => unknown, unknown])[] = [
    ['opens a locked door', OPEN, ({ state }) => doorOf(state, 'gate')?.state, 'open'],
    ['unlocks a door', { ...OPEN, to: 'unlocked' }, ({ state }) => doorOf(state, 'gate')?.state, 'closed'],
    ['opens a container', { ...OPEN, target: 'chest' }, ({ state }) => thingOf(state, 'chest')?.lid, 'open'],
    [
      'spawns',
      { kind: 'spawn', thing: 'gem' },
      ({ state }) => thingOf(state, 'gem')?.place,
      { at: 'tile', x: 2, y: 3 },
    ],
    [
      'removes what is held',
      { kind: 'remove', thing: 'wand' },
      ({ state }) => state.bodies['ada']?.holds,
      [],
    ],
    [
      'moves out of a container',
      { kind: 'move', thing: 'pearl', x: 1, y: 1 },
      ({ state }) => [thingOf(state, 'pearl')?.place, thingOf(state, 'chest')?.contents],
      [{ at: 'tile', x: 1, y: 1 }, []],
    ],
    ['counts', { ...COUNT, by: -3 }, counted, -3],
  ];

  it.each(EFFECTS)('%s', (_name, effect, asked, expected) => {
    const played = world([trigger('t', PULL, [effect])]);
    expect(asked(played)).not.toEqual(expected);
    pull(played);
    expect(asked(played)).toEqual(expected);
  });

  it('shuts and locks no door that somebody stands in', () => {
    const lock: Effect = { ...OPEN, to: 'locked' };
    const played = world([
      trigger('a', PULL, [OPEN]),
      trigger('b', { kind: 'entered-tile', x: 5, y: 1, agent: ANY_AGENT }, [lock]),
    ]);
    pull(played);
    played.act('ada', 'GO', { target: 'gate' });
    expect(doorOf(played.state, 'gate')?.state).toBe('open');
  });

  it('happens once, or again with repeat', () => {
    const played = world([
      trigger('once', PULL, [{ ...COUNT, counter: 'once' }]),
      trigger('often', PULL, [{ ...COUNT, counter: 'often' }], { repeats: true }),
    ]);
    pull(played);
    pull(played);
    pull(played);
    expect([counted(played, 'once'), counted(played, 'often')]).toEqual([1, 3]);
  });

  it('waits for the condition beside its occasion, and success may ask for a counter', () => {
    const condition: GridCondition = { kind: 'count', counter: 'pulls', min: 2, max: null };
    const played = world(
      [trigger('a', PULL, [COUNT], { repeats: true }), trigger('b', PULL, [OPEN], { condition })],
      { ...condition, min: 3, max: 3 },
    );
    pull(played);
    expect(doorOf(played.state, 'gate')?.state).toBe('locked');
    pull(played);
    expect(doorOf(played.state, 'gate')?.state).toBe('open');
    expect(played.outcome().status).toBe('running');
    pull(played);
    expect(played.outcome()).toEqual({ status: 'succeeded', reason: 'Pulls is 3.' });
  });

  it('goes on to other triggers, as often as the limit allows and no more', () => {
    const open: GridCondition = { kind: 'door-is', door: 'gate', state: 'open' };
    const shut: Effect = { kind: 'set-lid', target: 'gate', to: 'closed' };
    const played = world([
      trigger('a', PULL, [OPEN]),
      trigger('b', null, [COUNT, shut], { condition: open, repeats: true }),
      trigger('c', null, [COUNT, OPEN], { condition: { kind: 'not', of: open }, repeats: true }),
    ]);
    played.endTurn();
    expect(counted(played)).toBe(LIMITS.triggerFirings);
  });

  it('does not depend on the order of intents', () => {
    const both = ['ada', 'bea'].map((id) => ({ agent: id, action: 'SPEAK', args: { text: 'now' } }));
    const say: TriggerOccasion = { kind: 'said', phrase: 'now', room: null, agent: ANY_AGENT };
    const states = [both, both.toReversed()].map((intents) => {
      const played = world([
        trigger('t', say, [OPEN, { kind: 'tell', text: 'So be it.', to: { kind: 'actor' } }]),
      ]);
      played.tick(...intents);
      return canonicalJson(played.state);
    });
    expect(states[0]).toBe(states[1]);
  });
});

describe('what triggers tell', () => {
  const to = (audience: Extract<Effect, { kind: 'tell' }>['to']): Effect => ({
    kind: 'tell',
    text: 'Chains rattle.',
    to: audience,
  });

  it('reaches those that it is for', () => {
    const played = world([
      trigger('actor', PULL, [to({ kind: 'actor' })]),
      trigger('bea', PULL, [to({ kind: 'agent', agent: 'bea' })]),
      trigger('east', PULL, [to({ kind: 'room', room: 'east' })]),
      trigger('hidden', PULL, [to({ kind: 'tile', x: 8, y: 3 })]),
    ]);
    pull(played);
    expect(inbox(played, 'ada')).toEqual(['Chains rattle.']);
    expect(inbox(played, 'bea').filter((line) => line === 'Chains rattle.')).toHaveLength(1);
  });

  it('is known only to who sees the place of an effect', () => {
    const played = world([
      trigger('t', PULL, [
        { ...OPEN, target: 'chest' },
        { kind: 'spawn', thing: 'gem' },
        { kind: 'remove', thing: 'pearl' },
      ]),
    ]);
    pull(played);
    const seen = Object.fromEntries(played.events.map(({ kind, seenBy }) => [kind, seenBy]));
    expect(seen).toMatchObject({ triggered: [], opened: [], vanished: [], appeared: ['ada', 'bea'] });
    expect(inbox(played, 'ada')).toEqual(['The gem appeared.']);
  });
});

/**
 * Bea opens, spawns, removes and counts where Ada can't see it; in the other world nothing comes of what Bea does. `leak` is a
 * mistake of ours: something that Ada is shown besides.
 */
function behindHerBack(effects: readonly Effect[], leak: (played: Game) => unknown = () => null): string {
  const map = `
    #########
    #A..#B.l#
    #...#...#
    #...+..c#
    #########`;
  const pieces = {
    A: agent('ada'),
    B: agent('bea'),
    l: thing('lever', { portable: false }),
    '+': door('gate', { state: 'closed', between: ['east', 'east'] }),
    c: chest('chest'),
  };
  const more = [thing('gem', { place: { at: 'tile', x: 6, y: 2 }, absent: true })];
  const rules = { movement: 'room', speakRadius: 0 } as const;
  const triggers = [trigger('t', PULL, effects)];
  const played = game(tinyDefinition(map, pieces, { more, triggers, rules }));
  played.act('bea', 'GO', { target: 'lever' });
  played.act('bea', 'USE', { thing: 'lever' });
  played.endTurn();
  return canonicalJson([played.environment.observe(played.state, 'ada'), leak(played) as never]);
}

const HIDDEN: readonly Effect[] = [
  { kind: 'set-lid', target: 'chest', to: 'locked' },
  { kind: 'spawn', thing: 'gem' },
  { kind: 'remove', thing: 'lever' },
  COUNT,
  { kind: 'tell', text: 'A stone turns.', to: { kind: 'actor' } },
];

describe('who perceives nothing of an effect', () => {
  it('observes the same to the byte as if there were none', () => {
    expect(behindHerBack(HIDDEN)).toBe(behindHerBack([]));
  });

  it.each([
    [
      'the counters',
      ({ state }: Game) => Object.keys(state.marks).filter((mark) => mark.startsWith('count:')),
    ],
    ['what others were told', ({ state }: Game) => state.minds['bea']?.inbox ?? []],
    ['what has come into the world', ({ state }: Game) => thingOf(state, 'gem') !== undefined],
  ])('and a planted leak of %s is caught', (_name, leak) => {
    expect(behindHerBack(HIDDEN, leak)).not.toBe(behindHerBack([], leak));
  });

  it('and what it does see is in its observation', () => {
    const open: Effect = { kind: 'set-lid', target: 'gate', to: 'open' };
    expect(behindHerBack([open])).toContain('The gate door was opened.');
  });
});
