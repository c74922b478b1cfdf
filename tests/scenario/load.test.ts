/** From YAML to a scenario that takes effect: defaults, variables, settings, files, other environments. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../src/base/errors.js';
import { WORLD_ID } from '../../src/base/ids.js';
import { openScenarioFile } from '../../src/scenario/folder.js';
import type { WorldReader } from '../../src/scenario/world.js';
import { BASE, diagnose, load } from './support.js';
import { temporaryFolder } from '../support/folder.js';

test('every default is filled in', () => {
  const { scenario } = load(`${BASE}models: { main: {} }\n`);
  expect(scenario).toMatchObject({
    name: 'test',
    seed: '1',
    environment: 'grid',
    turns: { order: 'sequential', max: 100, attempts: 3, givenUp: 'wait', freeActs: 3, repeats: null },
    budget: { steps: null, tokens: null, seconds: null, cost: null },
    render: {
      tilePixels: 32,
      columns: 15,
      rows: 15,
      tileset: null,
      channel: 'both',
      marks: false,
      legend: false,
      ruler: false,
      skin: 0,
    },
    prompt: { rules: '', snapshot: false, templates: {} },
    models: {
      main: {
        baseUrl: 'http://localhost:8000/v1',
        model: null,
        apiKeyEnv: 'OPENAI_API_KEY',
        temperature: '0',
        topP: '1',
      },
    },
    agents: [{ id: 'ann', name: 'Ann', controller: { kind: 'scripted' }, protocol: 'command' }],
  });
});

test('the definition is plain data with whole numbers', () => {
  const { definition } = load(BASE).scenario;
  expect(definition).toMatchObject({
    rows: ['#########', '#...#...#', '#.......#', '#...#...#', '#########'],
    terrainKeys: '#.',
    doors: [
      {
        id: 'gate',
        x: 4,
        y: 2,
        between: ['west', 'east'],
        direction: 'east',
        state: 'locked',
        key: 'small-key',
      },
    ],
    things: [{ id: 'small-key', name: 'small key', place: { at: 'tile', x: 6, y: 2 }, portable: true }],
    agents: [{ id: 'ann', x: 2, y: 2, sprite: 'figure/knight', actions: null }],
    window: { columns: 15, rows: 15 },
    success: null,
  });
  expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
});

test('the order of keys in a mapping means nothing', () => {
  const turned = BASE.replace(/( {2}west.*\n)( {2}east.*\n)/, '$2$1').replace(
    /( {2}A: .*\n)( {2}\+: .*\n)/,
    '$2$1',
  );
  expect(turned).not.toBe(BASE);
  expect(load(turned).scenario.definition).toEqual(load(BASE).scenario.definition);
});

test('settings come from the environment, what agents read never does', () => {
  const text = `${BASE}    persona: I am \${USER}.\nturns:\n  max: \${MAX:-30}\nmodels:\n  main:\n    base_url: \${URL}/v1\n    model: '$$x'\n`;
  const { scenario } = load(text, {
    variables: { URL: 'http://gpu:1', USER: 'root', MAX: '' },
    env: ['URL', 'MAX', 'USER'],
  });
  expect(scenario.turns.max).toBe(30);
  expect(scenario.models['main']).toMatchObject({ baseUrl: 'http://gpu:1/v1', model: '$x' });
  expect(scenario.agents[0]?.persona).toBe('I am ${USER}.');
});

test('fractions become decimal text', () => {
  const { models } = load(
    `${BASE}models: { main: { temperature: 0.7, top_p: 0.000001, extra: { a: 1.05, b: [2] } } }\n`,
  ).scenario;
  expect(models['main']).toMatchObject({
    temperature: '0.7',
    topP: '0.000001',
    extra: { a: { decimal: '1.05' }, b: [2] },
  });
});

test('--set replaces a value before it is checked, and its mistakes are told as its own', () => {
  const { scenario } = load(BASE, {
    set: ['turns.max=7', 'agents.ann.sight=3', 'doors.gate.key=null', 'title=A new one'],
  });
  expect([scenario.turns.max, scenario.title]).toEqual([7, 'A new one']);
  expect(scenario.definition).toMatchObject({
    agents: [{ sightRadius: 3 }],
    doors: [{ key: null, state: 'closed' }],
  });
  const found = diagnose(BASE, { set: ['turns.max=many', 'turns', 'agents.bob.sight=3', 'turns.mxa=1'] });
  expect(found.map(({ file, message }) => `${file} ${message}`)).toEqual([
    '--set not of the form key=value',
    '--set agents.bob.sight does not exist in the scenario',
    expect.stringContaining("--set expected a whole number, found 'many'"),
    expect.stringContaining("--set unknown key 'mxa'"),
  ]);
});

test('all mistakes are told at once, in the order of the file', () => {
  const broken = BASE.replace('title', 'titel')
    .replace('#.A.+', '#.A?+')
    .replace('key: small-key', 'key: smal-key')
    .replace('sprite: knight', 'sprite: night');
  const found = diagnose(broken);
  expect(found.map(({ line }) => line)).toEqual([1, 1, 5, 16, 18, 21]);
});

test('the error itself says how many mistakes there are, and the first', () => {
  expect(() => load(BASE.replace('title', 'titel'))).toThrow(
    "The scenario has 2 mistakes; the first: test.yaml:1:1: 'title' is missing (text)",
  );
});

test('templates are read from beside the scenario', () => {
  const text = `${BASE}prompt: { templates: { turn: prompts/turn.txt } }\n`;
  expect(load(text, { files: { 'prompts/turn.txt': 'Turn {{turn}}' } }).scenario.prompt.templates).toEqual({
    turn: 'Turn {{turn}}',
  });
});

test('a tileset of its own decides which tiles exist', () => {
  const manifest = JSON.stringify({ tiles: { 'figure/knight': {} } });
  const found = diagnose(`${BASE}render: { tileset: own.json }\n`, { files: { 'own.json': manifest } });
  expect(found).toContainEqual(
    expect.objectContaining({
      message: "the tileset has no tile 'item/key-brass'",
      suggestion: 'own.json lists the tiles',
    }),
  );
});

test('a link that leads out of the folder is refused', () => {
  const outside = temporaryFolder();
  const folder = temporaryFolder();
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'inside.txt'), 'inside');
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
  writeFileSync(join(folder, 'test.yaml'), BASE);
  const file = openScenarioFile(join(folder, 'test.yaml'));
  expect(new TextDecoder().decode(file.readFile('inside.txt'))).toBe('inside');
  expect(() => file.readFile('link.txt')).toThrow('it is outside the folder');
  expect(() => openScenarioFile(join(folder, 'none.yaml'))).toThrow(UsageError);
  expect(() => openScenarioFile(folder)).toThrow('it is a folder');
});

const counting = (target: number): string =>
  `title: T\nenvironment: counter\ntarget: ${target}\nagents: [{ id: ann, step: 2 }]\n`;

test('another environment brings its own keys, and the loader knows nothing of it', () => {
  const counter: WorldReader = {
    kind: 'counter',
    keys: { target: z.int().min(1).describe('Where to count to.') },
    agentKeys: { step: z.int().default(1) },
    sections: ['count'],
    read: ({ values, agents }, report) => {
      if (values['target'] === 13) report.error(['target'], 'nobody counts to 13');
      return { target: Number(values['target']), steps: agents.map((agent) => Number(agent['step'])) };
    },
  };
  const { scenario } = load(counting(5), { worlds: [counter] });
  expect(scenario).toMatchObject({ environment: 'counter', definition: { target: 5, steps: [2] } });
  expect(diagnose(counting(13), { worlds: [counter] })).toMatchObject([
    { line: 3, column: 9, message: 'nobody counts to 13' },
  ]);
  const ids = (id: string): string => counting(5).replace('}]', `}, { id: ${id} }]`);
  expect(diagnose(ids('ann'), { worlds: [counter] })).toMatchObject([
    { line: 4, message: "two agents have the id 'ann'" },
  ]);
  expect(diagnose(ids(WORLD_ID), { worlds: [counter] })).toMatchObject([
    { line: 4, message: "'world' is a reserved id: in the log, it marks the end of a turn" },
  ]);
  expect(diagnose(counting(5).replace('target', 'map'), { worlds: [counter] })).toMatchObject([
    { message: "'target' is missing (a whole number)" },
    { message: "unknown key 'map'" },
  ]);
});

test.each<[set: string, message: string, suggestion: string | undefined]>([
  ['foo.bar=1', "unknown key 'foo'", 'known: actions, agents, budget, '],
  ['tunrs.max=3', "unknown key 'tunrs'", "did you mean 'turns'?"],
  ['render.windwo.columns=3', "unknown key 'windwo' in render", "did you mean 'window'?"],
  ['npcs.rat.sprite=rat', 'rat has no position', "write 'at: [x, y]', or under legend: 'r': {npc: rat}"],
  ['title=null', "'title' is missing (text)", undefined],
  ['agents.ann.id=null', "'id' is missing (text) in agents.0", undefined],
  ['agents.anm.sight=3', 'agents.anm.sight does not exist in the scenario', "did you mean 'ann'?"],
  ['agents.zed.sight=3', 'agents.zed.sight does not exist in the scenario', 'known: ann'],
  ['title.short=3', 'title.short does not exist in the scenario', undefined],
])('what --set %s breaks is told at the setting', (set, message, suggestion) => {
  const [found] = diagnose(BASE, { set: [set] });
  expect(found).toMatchObject({ file: '--set', line: 1, column: 1, message, source: set });
  expect(found?.suggestion?.slice(0, suggestion?.length)).toBe(suggestion);
});

test('what stands in the file is told there, whatever else --set sets below it', () => {
  const [found] = diagnose(`${BASE}turn: { max: 3 }\n`, { set: ['turns.max=3'] });
  expect(found).toMatchObject({ file: 'test.yaml', line: 22, message: "unknown key 'turn'" });
});

test('--set takes a list or keys with values, as JSON or within brackets', () => {
  const set = [
    'render.window=[9, 11]',
    'models={"main": {"model": "q", "temperature": 0.5}}',
    'turns={max: 9, order: simultaneous}',
    'agents.ann.goals=[Leave., {name: Get it., description: The key.}]',
  ];
  const { scenario } = load(BASE, { set });
  expect(scenario.render).toMatchObject({ columns: 9, rows: 11 });
  expect(scenario.models).toMatchObject({ main: { model: 'q', temperature: '0.5' } });
  expect(scenario.turns).toMatchObject({ max: 9, order: 'simultaneous' });
  expect(scenario.agents[0]?.goals.map(({ name }) => name)).toEqual(['Leave.', 'Get it.']);
});

test('--set leaves text as it is where only text is wanted', () => {
  const set = ['title=12', 'description={a, b', 'agents.ann.persona=[sings] tra: la', 'agents.ann.name=true'];
  const { scenario } = load(BASE, { set });
  expect([scenario.title, scenario.description]).toEqual(['12', '{a, b']);
  expect(scenario.agents[0]).toMatchObject({ persona: '[sings] tra: la', name: 'true' });
});

test.each([
  ['models={main: {model: q}', '--set:1:1 YAML: Flow map must end with a }'],
  ['models={main: {mdoel: q}}', "--set:1:1 unknown key 'mdoel' in models.main"],
  ['turns={max: 1, max: 2}', "--set:1:10 the key 'max' is repeated"],
  ['turns={__proto__: 2}', "--set:1:2 '__proto__' is not a valid key"],
  [`turns=${'['.repeat(99)}`, '--set:1:41 nested more than 40 deep'],
])('--set %s is refused in words', (set, words) => {
  const [first] = diagnose(BASE, { set: [set] });
  expect(`${first?.file}:${first?.line}:${first?.column} ${first?.message}`).toContain(words);
});
