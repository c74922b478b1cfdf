/** An environment defined the short way keeps the whole contract: what was left out has its default, offers follow from `check`. */
import { describe, expect, it } from 'vitest';
import { problem } from '../../src/base/problem.js';
import { defineEnvironment } from '../../src/environment/define.js';
import type { EnvironmentSpec } from '../../src/environment/environment-spec.js';
import { choice, direction, integer, name, sequence, text, word } from '../../src/environment/grammar.js';
import { speakAction } from '../../src/environment/standard-actions.js';
import { stateHash } from '../../src/environment/state-hash.js';

interface Settings {
  lamps: readonly string[];
}
interface State {
  lit: readonly string[];
}

const SPEC: EnvironmentSpec<Settings, State> = {
  kind: 'lamps',
  rulesVersion: 3,
  actions: [
    {
      name: 'LIGHT',
      description: 'Light a lamp.',
      grammar: name('lamp', ['lamp'], 'the lamp'),
      examples: ['red lamp'],
      check: ({ lit }, _agent, { lamp }) =>
        lit.includes(String(lamp)) ? problem('illegal/lit', 'It is lit already.') : undefined,
      apply: (state, _agent, { lamp }) => ({
        state: { lit: [...state.lit, String(lamp)] },
        message: `You lit ${String(lamp)}.`,
      }),
    },
    {
      name: 'REST',
      description: 'Rest once every lamp is lit.',
      examples: [''],
      check: ({ lit }) => (lit.length < 2 ? problem('illegal/dark', 'It is still dark.') : undefined),
      apply: (state) => ({ state, message: 'You rested.' }),
    },
  ],
  create: () => ({ lit: [] }),
  tell: ({ lit }, agent, { lamps }) => [`${agent}: ${lit.length} of ${lamps.length} lamps are lit.`],
  outcome: ({ lit }) =>
    lit.length < 2 ? { status: 'running', reason: '' } : { status: 'succeeded', reason: 'it is light' },
  nouns: () => [
    { id: 'red', name: 'red lamp', aliases: [], kinds: ['lamp'] },
    { id: 'blue', name: 'blue lamp', aliases: [], kinds: ['lamp'] },
    { id: 'cat', name: 'cat', aliases: [], kinds: ['animal'] },
  ],
};

const DEFINITION = { lamps: ['red', 'blue'], agents: ['ann', 'bob'] };
const open = (more: Partial<EnvironmentSpec<Settings, State>> = {}) =>
  defineEnvironment<Settings, State>({ ...SPEC, ...more }).open(DEFINITION);
const light = (agent: string, lamp: string) => ({ agent, action: 'LIGHT', args: { lamp } });

describe('an environment defined the short way', () => {
  it('has WAIT, the settings’ agents and a goal', () => {
    const kind = defineEnvironment(SPEC);
    expect(kind.actionNames).toEqual(['LIGHT', 'REST', 'WAIT']);
    const world = kind.open(DEFINITION);
    const start = world.create('1');
    expect(world).toMatchObject({ kind: 'lamps', rulesVersion: 3, agents: ['ann', 'bob'], hasGoal: true });
    expect(world.active(start)).toEqual(['ann', 'bob']);
    expect(world.scene(start, 'ann')).toBeNull();
    expect(world.actions.get('WAIT')?.cost).toBe('turn');
  });

  it('offers what `check` accepts, as it is spoken', () => {
    const world = open();
    const start = world.create('1');
    expect(world.observe(start, 'ann').offered).toEqual([
      { action: 'LIGHT', slots: { lamp: ['red lamp', 'blue lamp'] } },
      { action: 'WAIT', slots: {} },
    ]);
    const { state } = world.advance(start, [light('ann', 'red')]);
    expect(world.legalActions(state, 'bob')[0]).toEqual({ action: 'LIGHT', slots: { lamp: ['blue lamp'] } });
    const { state: bright } = world.advance(state, [light('ann', 'blue')]);
    expect(world.legalActions(bright, 'bob').map(({ action }) => action)).toEqual(['REST', 'WAIT']);
  });

  it('offers what only some numbers are right for: each of a few, the ends of many', () => {
    const world = (max: number, right: number) =>
      open({
        actions: [
          {
            name: 'PULL',
            description: 'Pull.',
            grammar: integer('rope', { min: 1, max }, 'how much'),
            examples: ['1'],
            check: (_state, _agent, { rope }) =>
              rope === right ? undefined : problem('illegal/rope', 'Another length.'),
            apply: (state) => ({ state, message: '' }),
          },
        ],
      });
    const isOffered = (max: number, right: number): boolean => {
      const opened = world(max, right);
      return opened.legalActions(opened.create('1'), 'ann').some(({ action }) => action === 'PULL');
    };
    expect([isOffered(12, 7), isOffered(1000, 1000), isOffered(1000, 1)]).toEqual([true, true, true]);
    expect(isOffered(12, 13)).toBe(false);
  });

  it('offers each form of a grammar for itself, free words stood in for', () => {
    const grammar = choice(
      direction('way', 'where', false),
      sequence(
        word('to', 'how'),
        name('lamp', ['lamp'], 'what'),
        integer('pace', { min: 1, max: 3 }, 'pace'),
      ),
      text('words', 'any', 10),
    );
    const onlySouth = (way: unknown) =>
      way === undefined || way === 'south' ? undefined : problem('illegal/way', 'Blocked.');
    const world = open({
      actions: [
        {
          name: 'WALK',
          description: 'Walk.',
          grammar,
          examples: ['south'],
          check: (_state, _agent, { way }) => onlySouth(way),
          apply: (state) => ({ state, message: '' }),
        },
      ],
    });
    expect(world.legalActions(world.create('1'), 'ann')[1]).toEqual({
      action: 'WALK',
      slots: { way: ['south'], how: ['to'], lamp: ['red lamp', 'blue lamp'], pace: [], words: [] },
    });
  });

  it('tells each agent what its own last action did, or why it was refused', () => {
    const world = open();
    const { state, results } = world.advance(world.create('1'), [light('ann', 'red'), light('bob', 'red')]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
    const last = (agent: string) => world.observe(state, agent).sections[1];
    expect(last('ann')).toEqual({ id: 'last', lines: ['You lit red.'] });
    expect(last('bob')).toEqual({ id: 'last', lines: ['It is lit already.'] });
    expect(world.observe(state, 'bob').sections[0]?.lines).toEqual(['bob: 1 of 2 lamps are lit.']);
  });

  it('keeps an agent to its scope, in offers and rules alike', () => {
    const world = open({ scope: (agent) => (agent === 'ann' ? ['LIGHT', 'WAIT'] : ['WAIT']) });
    const start = world.create('1');
    expect(world.observe(start, 'bob')).toMatchObject({ scope: ['WAIT'], offered: [{ action: 'WAIT' }] });
    expect(world.check(start, light('bob', 'red'))).toMatchObject({ code: 'not-offered' });
    expect(world.check(start, light('ann', 'red'))).toBeUndefined();
  });

  it('counts turns, lets the world act, and hashes what changed', () => {
    const world = open({
      endTurn: () => ({ state: { lit: ['red', 'blue'] }, events: [] }),
      isActive: ({ lit }, agent) => lit.length === 0 || agent === 'bob',
      facts: ({ lit }) => ({ lit: lit.length }),
    });
    const start = world.create('1');
    const { state } = world.endTurn(start);
    expect(world.observe(state, 'ann')).toMatchObject({ turn: 2, facts: { lit: 2 } });
    expect(world.active(state)).toEqual(['bob']);
    expect(world.outcome(state)).toEqual({ status: 'succeeded', reason: 'it is light' });
    expect(stateHash(world.parts(state))).not.toBe(stateHash(world.parts(start)));
    expect(stateHash(world.parts(world.create('1')))).toBe(stateHash(world.parts(start)));
  });
});

describe('a world of several agents', () => {
  const shout = speakAction<State>({
    description: 'Say something.',
    example: '"It is dark."',
    hear: (_state, agent) => ({
      name: `the ${agent}`,
      reach: 'all',
      hearers: ['ann', 'bob'].filter((id) => id !== agent).map((id) => ({ id, distance: 3 })),
    }),
  });
  const actions = [
    ...SPEC.actions.map((action) => ({
      ...action,
      apply: (...input: Parameters<typeof action.apply>) => {
        const event = { kind: 'lit', actor: input[1], at: null, data: {}, seenBy: ['ann', 'bob'] };
        return { ...action.apply(...input), events: [event] };
      },
    })),
    shout,
  ];
  const world = (more: Partial<EnvironmentSpec<Settings, State>> = {}) =>
    open({
      actions,
      notice: ({ lit }, agent, { actor }) => `${agent} saw ${actor} light number ${lit.length}.`,
      facts: (_state, _agent, news) => ({ ...news }),
      ...more,
    });
  const say = (agent: string, text: string) => ({ agent, action: 'SPEAK', args: { text } });
  const sectionsOf = (
    opened: ReturnType<typeof open>,
    state: ReturnType<typeof opened.create>,
    agent: string,
  ) => Object.fromEntries(opened.observe(state, agent).sections.map(({ id, lines }) => [id, lines]));

  it('tells each what it heard and noticed of the others until it has spent its turn', () => {
    const opened = world();
    const { state } = opened.advance(opened.create('1'), [light('ann', 'red')]);
    const { state: spoken } = opened.advance(state, [say('ann', 'Look!')]);
    const heard = 'the ann (3 tiles away, turn 1) said to all: "Look!"';
    expect(sectionsOf(opened, spoken, 'bob')).toMatchObject({
      heard: [heard],
      noticed: ['bob saw ann light number 1.'],
    });
    expect(sectionsOf(opened, spoken, 'ann')).not.toHaveProperty('noticed');
    expect(opened.observe(spoken, 'bob').facts).toEqual({
      heard: [{ speaker: 'ann', name: 'the ann', text: 'Look!', turn: 1, distance: 3 }],
      noticed: ['bob saw ann light number 1.'],
      recalled: [heard],
      last: '',
      lastOk: true,
    });
    const { state: read } = opened.advance(spoken, [light('bob', 'red')]);
    expect(opened.observe(read, 'bob').facts).toMatchObject({
      heard: [],
      noticed: [],
      recalled: [heard],
      lastOk: false,
    });
    expect(stateHash(opened.parts(read))).not.toBe(stateHash(opened.parts(spoken)));
  });

  it('says nothing where nobody has words, and not to those who get no news', () => {
    const opened = world();
    expect(opened.check(opened.create('1'), say('ann', ' '))).toMatchObject({ code: 'bad-argument' });
    const plain = open({ actions });
    const { state } = plain.advance(plain.create('1'), [say('ann', 'Look!')]);
    expect(state).not.toHaveProperty('news');
    expect(plain.observe(state, 'bob').sections.map(({ id }) => id)).toEqual(['place', 'last']);
  });

  it('lets them act at once by id, or in an order that the seed decides', () => {
    const both = [light('bob', 'red'), light('ann', 'red')];
    const first = (order: 'given' | 'id' | 'drawn', seed: string): string => {
      const opened = world({ order });
      const { results } = opened.advance(opened.create(seed), both);
      return results[0]?.ok === true ? 'bob' : 'ann';
    };
    expect([first('given', '1'), first('id', '1')]).toEqual(['bob', 'ann']);
    const seeds = Array.from({ length: 12 }, (_, i) => String(i));
    expect(new Set(seeds.map((seed) => first('drawn', seed)))).toEqual(new Set(['ann', 'bob']));
  });

  it('settles the state after a step, before anything is noticed', () => {
    const opened = world({ settle: ({ lit }) => ({ lit: [...lit, 'moon'] }) });
    const { state } = opened.advance(opened.create('1'), [light('ann', 'red')]);
    expect(sectionsOf(opened, state, 'bob')['noticed']).toEqual(['bob saw ann light number 2.']);
  });

  it('offers nothing to those who no longer act, and refuses them', () => {
    const opened = world({ isActive: (_state, agent) => agent === 'ann' });
    const start = opened.create('1');
    expect(opened.legalActions(start, 'bob')).toEqual([]);
    expect(opened.check(start, light('bob', 'red'))).toMatchObject({ code: 'illegal/not-active' });
    expect(opened.check(start, { agent: 'ann', action: 'FLY', args: {} })).toMatchObject({
      code: 'unknown-action',
    });
  });
});

describe('what a specification may add', () => {
  it('an attempt that fails spends the turn, and may change the state', () => {
    const failure = problem('illegal/broken', 'The lamp broke.');
    const actions = SPEC.actions.map((action) => ({
      ...action,
      apply: () => ({ state: { lit: ['spark'] }, failure }),
    }));
    const world = open({ actions });
    const { state, results } = world.advance(world.create('1'), [light('ann', 'red')]);
    expect(results).toEqual([{ ok: false, problem: failure }]);
    expect(state).toMatchObject({ last: { ann: 'The lamp broke.' }, world: { lit: ['spark'] } });
  });

  it('sections, of which those with lines stand in their order', () => {
    const world = open({
      sections: [{ id: 'sky', isPictured: true }, { id: 'floor' }, { id: 'empty' }],
      tell: () => ({ floor: ['It is stone.'], sky: ['It is blue.'], empty: [] }),
    });
    expect(world.observe(world.create('1'), 'ann').sections).toEqual([
      { id: 'sky', isPictured: true, lines: ['It is blue.'] },
      { id: 'floor', lines: ['It is stone.'] },
    ]);
  });

  it('parts that are hashed apart, what there is, and hints for the search', () => {
    const world = open({
      order: 'drawn',
      parts: ({ lit }) => ({ lamps: lit, count: lit.length }),
      inventory: ({ lit }) => lit.map((id) => ({ id, name: id, amount: 1, holder: null })),
      search: { key: ({ lit }) => lit.join(), estimate: ({ lit }) => 20 - 10 * lit.length },
    });
    const start = world.create('1');
    const { state } = world.advance(start, [light('ann', 'red')]);
    expect(Object.keys(world.parts(start))).toEqual(['lamps', 'count', 'turn', 'last', 'rng']);
    expect(world.inventory?.(state)).toEqual([{ id: 'red', name: 'red', amount: 1, holder: null }]);
    expect(world.search?.estimate?.(state, [])).toBe(10);
    const later = { ...state, ties: world.create('2').ties ?? [0, 0, 0, 1] } as typeof state;
    expect(world.search?.key?.(later)).not.toBe(world.search?.key?.(state));
  });
});

describe('what plain JavaScript gets wrong is told by its name', () => {
  const state = (world: ReturnType<typeof open>) => world.create('seed');

  it('tells well-formed text, whatever its author cut in two', () => {
    const cut = (text: string): string => `${text} ${'🔑'.slice(0, 1)}`;
    const actions = SPEC.actions.map((action) => ({
      ...action,
      check: () => (action.name === 'REST' ? problem('illegal/dark', cut('dark')) : undefined),
      apply: (state: State) => ({ state, message: cut('lit') }),
    }));
    const world = open({ actions, tell: () => [cut('here')] });
    const rest = { agent: 'bob', action: 'REST', args: {} };
    const { state, results } = world.advance(world.create('1'), [light('ann', 'red'), rest]);
    const words = JSON.stringify([results, world.observe(state, 'ann'), world.observe(state, 'bob')]);
    expect(words.match(/\\ud83d/g)).toBeNull();
    for (const word of ['lit', 'dark', 'here']) expect(words).toContain(`${word} \ufffd`);
  });

  it('a noun needs no aliases, an end of a turn no events', () => {
    const world = open({
      nouns: () => [{ id: 'red', name: 'red lamp', kinds: ['lamp'] }],
      endTurn: (before) => ({ state: before }),
    });
    expect(world.observe(state(world), 'ann').nouns).toEqual([
      { id: 'red', name: 'red lamp', aliases: [], kinds: ['lamp'] },
    ]);
    expect(world.endTurn(state(world))).toMatchObject({ state: { turn: 2 }, events: [] });
  });

  it.each([
    ['endTurn', { endTurn: ((before: State) => before) as never }, 'lamps: endTurn did not return { state }'],
    ['parts', { parts: () => ({ last: 1 }) }, 'lamps: the part last of the state exists already'],
    ['settle', { settle: (() => undefined) as never }, 'lamps: settle did not return the state'],
    ['tell', { tell: (() => 'dark') as never }, 'lamps: `tell` must return a list of strings, one per line'],
    [
      'outcome',
      { outcome: (() => ({ status: 'won' })) as never },
      'lamps: outcome did not return { status, reason }',
    ],
    [
      'create',
      { create: () => ({ lit: [0.5] }) as never },
      'lamps: the state is not plain JSON: not a safe integer: 0.5',
    ],
  ])('%s', (_name, spec, words) => {
    const world = open(spec);
    const all = () => {
      const before = state(world);
      world.endTurn(before);
      world.advance(before, [light('ann', 'red')]);
      world.observe(before, 'ann');
      world.outcome(before);
      world.parts(before);
    };
    expect(all).toThrow(words);
  });
});
