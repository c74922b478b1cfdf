/** Perception probes: what each kind asks, that the expected answer follows from what was shown, and how strictly answers are read. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { probesFor, readProbe } from '../../src/agent/probes/probes.js';
import type { ProbeContext, KnowledgeProbe } from '../../src/agent/probes/probe.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { LIMITS } from '../../src/base/limits.js';
import type { Observation } from '../../src/environment/observation.js';
import type { Scene } from '../../src/environment/scene.js';
import { PROBE_KINDS } from '../../src/scenario/scenario.js';
import type { AskSpec, ProbeKind } from '../../src/scenario/scenario.js';
import { sceneOf, thing } from '../render/scenes.js';

const named = (name: string, x: number, y: number) => ({
  ...thing('item/apple', x, y),
  id: `${name}-${x}-${y}`,
  name,
});
const SEEN = [named('apple', 1, 1), named('rusty key', 3, 1), named('apple', 2, 0)];
const ROOM: Scene = sceneOf(['#####', '#...#', '#####'], ['vvvvv', 'vvvr ', ' vv  '], {
  things: [...SEEN, { ...named('Ann', 2, 1), id: 'ann' }],
});

function moment(changes: Partial<Observation> = {}, hasPicture = true): ProbeContext {
  const observation = {
    agent: 'ann',
    turn: 1,
    sections: [{ id: 'hold', lines: ['You hold a brass key.'] }],
    scope: [],
    offered: [],
    nouns: [
      { id: 'brass-key', name: 'brass key', aliases: [], kinds: ['thing', 'held'] },
      ...SEEN.map(({ id, name }) => ({ id, name, aliases: [], kinds: ['thing'] })),
    ],
    facts: {},
    scene: ROOM,
    ...changes,
  };
  return { observation, hasPicture };
}

/** Every question of a kind that some draw gives. */
function all(kind: ProbeKind, at: ProbeContext): readonly KnowledgeProbe[] {
  const found = new Map<string, KnowledgeProbe>();
  for (let n = 0; n < 200; n++)
    for (const probe of probesFor(at, { kinds: [kind], each: 1 }, { seed: '1', label: String(n) }))
      found.set(probe.question, probe);
  return [...found.values()].toSorted((a, b) => (a.question < b.question ? -1 : 1));
}

const answers = (kind: ProbeKind, at: ProbeContext) =>
  Object.fromEntries(all(kind, at).map(({ question, expected }) => [question, expected]));

describe('where no text may tell what the picture shows, a question', () => {
  const plain = moment({ refusals: 'plain', facts: { self: { holds: [{ name: 'brass key' }] } } });

  it.each(PROBE_KINDS)('%s: names nothing in sight', (kind) => {
    expect(JSON.stringify(all(kind, plain))).not.toMatch(/apple|rusty|wall|floor/);
  });

  it('asks for what is seen by sort', () => {
    expect(answers('beside', plain)).toEqual({
      'What is on the tile directly to the north of you?': 'a thing',
      'What is on the tile directly to the south of you?': 'none of these',
      'What is on the tile directly to the west of you?': 'a thing',
    });
    expect(answers('count', plain)).toEqual({
      'How many people and creatures do you see now, on clear tiles and apart from yourself?': '0',
      'How many things do you see now, on clear tiles, without people, creatures and doors?': '2',
    });
    expect(answers('holds', plain)).toMatchObject({
      'Do you hold "brass key" now?': 'yes',
      'Do you hold "rubber duck" now?': 'no',
    });
    for (const { options, expected } of PROBE_KINDS.flatMap((kind) => all(kind, plain)))
      if (options !== null) expect(options).toContain(expected);
  });

  it('side: of the only one', () => {
    const scene = sceneOf(['...', '...'], ['vvv', 'vvv'], {
      things: [
        { ...named('Ann', 1, 1), id: 'ann', layer: 1 },
        { ...named('cat', 2, 1), layer: 1 },
        named('cup', 0, 0),
        named('jug', 1, 0),
      ],
    });
    const nouns = scene.things.map(({ id, name }) => ({ id, name, aliases: [], kinds: ['creature'] }));
    expect(answers('side', moment({ scene, nouns, refusals: 'plain' }))).toEqual({
      'Is the only other person or creature that you see further north than you, further south, or level with you?':
        'level',
      'Is the only other person or creature that you see further west than you, further east, or level with you?':
        'east',
    });
  });
});

describe('a question about what the scenario names', () => {
  const facts = {
    self: { holds: [{ id: 'brass-key', name: 'brass key' }] },
    doors: [{ id: 'gate', name: 'gate', state: 'open' }],
  };
  const asked = (spec: AskSpec, at = moment({ facts, refusals: 'plain' })) =>
    Array.from({ length: 20 }, (_, n) =>
      probesFor(at, { kinds: ['tile'], each: 1, ask: [spec] }, { seed: '1', label: String(n) }),
    ).flat();
  const answered = (spec: AskSpec, at?: ProbeContext) =>
    [...new Set(asked(spec, at).map(({ question, expected }) => `${question} ${expected}`))].toSorted();
  const KEY: AskSpec = { about: 'apple-1-1', kind: 'side', as: 'red key' };
  /** Which is only remembered. */
  const RUSTY: AskSpec = { about: 'rusty key-3-1', kind: 'side', as: 'red key' };

  it('has the same words whether or not the thing is in sight', () => {
    const words = (at?: ProbeContext) =>
      [...new Set(asked(KEY, at).map((one) => JSON.stringify([one.question, one.options])))].toSorted();
    const unseen = moment({ scene: { ...ROOM, things: ROOM.things.filter(({ id }) => id === 'ann') } });
    expect(words(unseen)).toEqual(words());
    expect(answered(KEY)).toEqual([
      'Is "red key" further north than you, further south, or level with you, as far as you can see now? level',
      'Is "red key" further west than you, further east, or level with you, as far as you can see now? west',
    ]);
    expect(asked(RUSTY).map(({ expected }) => expected)).toEqual(Array(20).fill('unknown'));
    expect(asked(KEY, unseen).map(({ expected }) => expected)).toEqual(Array(20).fill('unknown'));
    for (const { options, expected } of asked(KEY, unseen)) expect(options).toContain(expected);
  });

  it('of each kind has the answer that the moment has', () => {
    expect(answered({ about: 'apple-1-1', kind: 'count', as: 'apple' })).toEqual([
      'How many "apple" do you see now, on clear tiles and apart from yourself? 2',
    ]);
    expect(answered({ about: 'pear', kind: 'count', as: 'pear' })).toEqual([
      'How many "pear" do you see now, on clear tiles and apart from yourself? 0',
    ]);
    expect(answered({ about: 'brass-key', kind: 'holds', as: 'the key' })).toEqual([
      'Do you hold "the key" now? yes',
    ]);
    expect(answered({ about: 'rusty key-3-1', kind: 'holds', as: 'it' })).toEqual([
      'Do you hold "it" now? no',
    ]);
    expect(answered({ about: 'gate', kind: 'door', as: 'gate' })).toEqual([
      'Is "gate" open now, as far as you can see? yes',
    ]);
    expect(answered({ about: 'far-gate', kind: 'door', as: 'gate' })).toEqual([
      'Is "gate" open now, as far as you can see? unknown',
    ]);
  });

  it('needs a picture if it is about places, and is one of each entry at most', () => {
    expect(asked(KEY, moment({ facts }, false))).toEqual([]);
    const ask: AskSpec[] = [KEY, { about: 'gate', kind: 'door', as: 'gate' }];
    const kinds = probesFor(
      moment({ facts }),
      { kinds: ['tile'], each: 8, ask },
      { seed: '1', label: '' },
    ).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['door', 'side']);
  });
});

describe('a question', () => {
  it('is never about a drawing of what is not known yet', () => {
    const veil = { ...named('not seen yet', 1, 1), id: 'veil' };
    const scene = { ...ROOM, things: [veil, { ...named('Ann', 2, 1), id: 'ann' }] };
    for (const kind of ['beside', 'count', 'side'] as const)
      expect(JSON.stringify(all(kind, moment({ scene })))).not.toContain('not seen yet');
  });

  it('beside: things before ground, what is only remembered not at all', () => {
    expect(answers('beside', moment())).toEqual({
      'What is on the tile directly to the north of you?': 'apple',
      'What is on the tile directly to the south of you?': 'wall',
      'What is on the tile directly to the west of you?': 'apple',
    });
    for (const { options, expected } of all('beside', moment())) {
      expect(options).toContain(expected);
      expect(options).toContain('unknown');
    }
  });

  it('count: those in sight alone, none of what is only remembered, never a stack or what lies in something', () => {
    const asked = (name: string) =>
      `How many "${name}" do you see now, on clear tiles and apart from yourself?`;
    expect(answers('count', moment())).toEqual({ [asked('apple')]: '2', [asked('rusty key')]: '0' });
    const stack = { things: [{ name: 'apple', amount: 3, inside: [{ name: 'rusty key', amount: 1 }] }] };
    expect(answers('count', moment({ facts: stack }))).toEqual({});
  });

  it('side: of what there is one in sight', () => {
    const scene = sceneOf(['...', '...'], ['vvv', 'vvv'], {
      things: [
        { ...named('Ann', 1, 1), id: 'ann' },
        named('cat', 2, 1),
        named('rat', 0, 0),
        named('rat', 1, 0),
      ],
    });
    const nouns = scene.things.map(({ id, name }) => ({ id, name, aliases: [], kinds: ['creature'] }));
    expect(answers('side', moment({ scene, nouns }))).toEqual({
      'Is "cat" further north than you, further south, or level with you?': 'level',
      'Is "cat" further west than you, further east, or level with you?': 'east',
    });
  });

  it('door: by the facts of whatever world lists doors', () => {
    const doors = ['open', 'closed', 'locked'].map((state) => ({ name: `${state} door`, state }));
    const twins = [
      { name: 'twin', state: 'open' },
      { name: 'twin', state: 'closed' },
    ];
    expect(
      answers('door', moment({ facts: { doors: [...doors, ...twins, 7] }, scene: null }, false)),
    ).toEqual({
      'Is "open door" open now, as far as you can see?': 'yes',
      'Is "closed door" open now, as far as you can see?': 'no',
      'Is "locked door" open now, as far as you can see?': 'no',
    });
  });

  it('door: of one that is only remembered nobody can tell', () => {
    const facts = {
      doors: [{ name: 'oak door', state: 'open' }],
      remembered: [
        { kind: 'door', name: 'iron door', lid: 'closed' },
        { kind: 'thing', name: 'lamp', lid: null },
      ],
    };
    const here = moment({ facts, scene: null }, false);
    expect(Object.keys(answers('door', here))).toEqual(['Is "oak door" open now, as far as you can see?']);
    const doors = all('unknowable', here).filter(({ question }) => question.includes('open'));
    expect(doors).toEqual([
      {
        kind: 'unknowable',
        question: 'Is "iron door" open now, as far as you can see?',
        options: ['yes', 'no', 'unknown'],
        expected: 'unknown',
      },
    ]);
  });

  it('tile: of a doorway only where nobody stands in it, and never farther than tiles can be counted', () => {
    const row = '.O.......O....';
    const scene = sceneOf([row], ['vvvvvvvvvvv   '], {
      things: [named('apple', 1, 0), { ...named('Ann', 4, 0), id: 'ann' }],
    });
    const nouns = [{ id: 'apple-1-0', name: 'apple', aliases: [], kinds: ['thing'] }];
    expect(answers('tile', moment({ scene, nouns }))).toEqual({
      'What is on the tile that lies 2 east of you?': 'floor',
      'What is on the tile that lies 2 west of you?': 'floor',
      'What is on the tile that lies 3 east of you?': 'floor',
      'What is on the tile that lies 4 east of you?': 'floor',
      'What is on the tile that lies 4 west of you?': 'floor',
      'What is on the tile that lies 5 east of you?': 'door',
      'What is on the tile that lies 6 east of you?': 'floor',
    });
    const dark = Object.keys(answers('unknowable', moment({ scene, nouns })));
    expect(dark.filter((question) => question.includes('tile'))).toEqual([]);
  });

  it('count: what shares a tile too, unless the tile is so crowded that it is not drawn', () => {
    const asked = (names: readonly string[]) => {
      const more = names.map((name) => ({ ...named(name, 2, 0), id: `more-${name}` }));
      const at = moment({ scene: { ...ROOM, things: [...ROOM.things, ...more] } });
      return Object.keys(answers('count', at)).filter((question) => question.includes('apple'));
    };
    expect(asked(['rope'])).toHaveLength(1);
    expect(asked(['rope', 'lamp', 'pot', 'apple'])).toEqual([]);
  });

  it('tile: of clear tiles some way off, in the words of those about dark ones', () => {
    expect(answers('tile', moment())).toMatchObject({
      'What is on the tile that lies 2 west of you?': 'wall',
      'What is on the tile that lies 1 east, 1 north of you?': 'wall',
      'What is on the tile that lies 1 west, 1 south of you?': 'wall',
    });
    expect(JSON.stringify(answers('tile', moment()))).not.toContain('unknown');
  });

  it('holds: what is in hands, and what could be but is not', () => {
    const nouns = ['brass key', 'lamp'].map((name) => ({ id: name, name, aliases: [], kinds: ['thing'] }));
    const facts = { self: { holds: [{ name: 'brass key' }] } };
    expect(answers('holds', moment({ facts, nouns }))).toEqual({
      'Do you hold "brass key" now?': 'yes',
      'Do you hold "lamp" now?': 'no',
    });
  });

  it('named and unknowable work without a scene: what the text names, and what nothing speaks of', () => {
    const here = moment({ scene: null }, false);
    const found = answers('named', here);
    expect(found['Is "brass key" among what you are shown or told of now?']).toBe('yes');
    expect(found['Is "rubber duck" among what you are shown or told of now?']).toBe('no');
    expect(answers('unknowable', here)['Where is "silver trumpet"?']).toBe('unknown');
    const told = moment(
      { sections: [{ id: 'heard', lines: ['Bob said: "a RUBBER boot"'] }], scene: null },
      false,
    );
    expect(Object.keys(answers('named', told)).join()).not.toContain('rubber duck');
  });

  it('unknowable: of dark tiles, by their offset', () => {
    const found = answers('unknowable', moment());
    expect(found['What is on the tile that lies 1 east, 1 south of you?']).toBe('unknown');
    expect(Object.values(found).every((expected) => expected === 'unknown')).toBe(true);
  });

  it('about places is not asked where no picture is sent', () => {
    for (const kind of ['beside', 'tile', 'count', 'side'] as const)
      expect(all(kind, moment({}, false))).toEqual([]);
  });

  it('is drawn the same by the same seed, each of another kind', () => {
    const ask = (seed: string, label: string) =>
      probesFor(moment(), { kinds: PROBE_KINDS, each: LIMITS.probesEach }, { seed, label });
    expect(ask('1', '4/ann')).toEqual(ask('1', '4/ann'));
    const kinds = ask('1', '4/ann').map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    const questions = ['1', '2', '3', '4'].map((seed) => JSON.stringify(ask(seed, '4/ann')));
    expect(new Set(questions).size).toBeGreaterThan(1);
  });
});

const CHOICE: KnowledgeProbe = {
  kind: 'beside',
  question: '?',
  options: ['brass key', 'wall', 'unknown'],
  expected: 'wall',
};
const NUMBER: KnowledgeProbe = { kind: 'count', question: '?', options: null, expected: '2' };

describe('an answer', () => {
  it.each([
    [CHOICE, 'wall', 'right'],
    [CHOICE, ' **Wall.** ', 'right'],
    [CHOICE, '<think>brass key? no</think>\nA wall.', 'right'],
    [CHOICE, 'Answer: the wall', 'right'],
    [CHOICE, 'brass key', 'wrong'],
    [CHOICE, 'brass', 'unreadable'],
    [CHOICE, 'wall or brass key', 'unreadable'],
    [CHOICE, 'I see a wall there.', 'unreadable'],
    [CHOICE, '', 'unreadable'],
    [NUMBER, '2', 'right'],
    [NUMBER, '02', 'right'],
    [NUMBER, '3', 'wrong'],
    [NUMBER, 'two', 'unreadable'],
    [NUMBER, '2 or 3', 'unreadable'],
    [NUMBER, '-2', 'unreadable'],
  ] as const)('%# is read strictly: %o', (probe, content, verdict) => {
    expect(readProbe(probe, embeddedReply(content)).verdict).toBe(verdict);
  });

  it('that was cut off counts for nothing', () => {
    expect(readProbe(CHOICE, { ...embeddedReply('wall'), finishReason: 'length' }).verdict).toBe(
      'unreadable',
    );
  });

  it('of any words is read, and keeps a bounded beginning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (content) => {
        const { answer, verdict } = readProbe(CHOICE, embeddedReply(content));
        expect(['right', 'wrong', 'unreadable']).toContain(verdict);
        expect(Array.from(answer).length).toBeLessThanOrEqual(200);
      }),
    );
  });
});
