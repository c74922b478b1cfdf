/** Mistakes in what every scenario shares are told at their place, in words that say what to do. */
import { expect, it, test } from 'vitest';
import type { Row } from './rows.js';
import { add, agent, swap, testRows, thing } from './rows.js';
import { BASE, diagnose, load } from './support.js';

test('the base is right, so that each row holds one mistake', () => {
  expect(load(BASE).warnings).toEqual([]);
});

const IN_BRACKETS = 'write one comma between two entries, and put text with a colon in quotes';
const BELOW = 'begin keys and dashes exactly below those that they belong with';

const SHAPE: readonly Row[] = [
  ['', 'the scenario is empty', '1:1'],
  ['# nothing\n', 'the scenario is empty', '1:1'],
  ['just text', 'a scenario consists of keys with values', '1:1'],
  ['- a\n- b', 'a scenario consists of keys with values', '1:1'],
  [
    'title: [',
    'YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    '1:8',
  ],
  ['title: x\nturns: { max: 4\nmap: y', 'and end with a }', '2:8'],
  ['title: x\na: {b: [1, 2}\nmap: y', 'and end with a ]', '2:8'],
  ['title: x\na: {b: [1, 2]\nmap: y', 'and end with a }', '2:4'],
  ['title: x\na: [1, 2\nb: 3\nc: 4', 'and end with a ]', '2:4'],
  ['title: "x', 'YAML: Missing closing "quote', '1:8'],
  ["title: x\na: 'it\nb: c", "YAML: Missing closing 'quote", '2:4'],
  ['title: x\n\tmap: y', 'YAML: Tabs are not allowed as indentation → indent with spaces', '2:1'],
  [
    'title: a: b',
    'Nested mappings are not allowed in compact mappings → put text with a colon in quotes',
    '1:8',
  ],
  ["title: it's a: b # c", '→ put text with a colon in quotes', '1:8'],
  [
    'title: { a: b: c }',
    `Block collections are not allowed within flow collections → ${IN_BRACKETS}`,
    '1:13',
  ],
  [
    'title: { a: b c: d }',
    `Block collections are not allowed within flow collections → ${IN_BRACKETS}`,
    '1:15',
  ],
  ['title: { a: b\n  c: d }', `Implicit keys need to be on a single line → ${IN_BRACKETS}`, '2:3'],
  ['title: { a: {} b: {} }', `Unexpected scalar at node end → ${IN_BRACKETS}`, '1:16'],
  ['title: [[1, 2] [3]]', `Unexpected flow-seq-start at node end → ${IN_BRACKETS}`, '1:16'],
  ['title: { a: 1,, b: 2 }', `Unexpected , in flow map → ${IN_BRACKETS}`, '1:15'],
  ['title: { a: 1 } }', 'Unexpected flow-map-end token in YAML stream: "}" → remove it', '1:17'],
  ['title: { a: - b }', `Block collections are not allowed within flow collections → ${IN_BRACKETS}`, '1:13'],
  ['title: { a: ${X} }', '→ put a value with ${…} in quotes', '1:14'],
  ['title: "x" y', 'Unexpected scalar at node end → remove it, or put the whole text in quotes', '1:12'],
  [
    'title: x\nturns',
    'Implicit map keys need to be followed by map values → write a colon after each key',
    '2:1',
  ],
  [
    'title: x\nturns\nmap: y',
    'Implicit keys need to be on a single line → write a colon after each key',
    '2:1',
  ],
  [
    'map:\n  .#.\n  .: .\nx: y',
    '→ write a colon after each key, and text of several lines in a block: key: |',
    '2:3',
  ],
  ['title: x\nmodels:\n  a: {}\n b: {}', `All mapping items must start at the same column → ${BELOW}`, '4:2'],
  [
    'title: x\na:\n  - id: b\n   name: c',
    `Sequence item without - indicator → write a colon after each key, and ${BELOW}`,
    '4:4',
  ],
  [
    'title: x\ngoals:\n  - a\n - b',
    `A block sequence may not be used as an implicit map key → put text with a colon in quotes, and ${BELOW}`,
    '4:2',
  ],
  ['title: x\na:\n  - b:\n      - c\n     - d', BELOW, '5:6'],
  ["title: { a: You are bob: a smith, c: '' }", `→ ${IN_BRACKETS}`, '1:13'],
  [
    agent("goals: ['Be quick.', Remember this: go]"),
    "expected text, found the key 'Remember this' and its value → put text with a colon in quotes: 'Remember this: go'",
    '22:26',
  ],
  [agent('aliases: [my: friend]'), "→ put text with a colon in quotes: 'my: friend'", '22:15'],
  [
    agent('goals:\n      - Wait.\n       - Go.'),
    'this dash begins no list item: the line continues the previous text',
    '24:8',
  ],
  ['title: x\n  turns: {}', `Nested mappings are not allowed in compact mappings → put text with`, '1:8'],
  ['title: [a]\n  - c', BELOW, '2:3'],
  ['title: "a\\qb"', 'Invalid escape sequence \\q → write \\\\ for a backslash', '1:10'],
  ['title: > x', 'Not a YAML token: x → remove it, or put the whole text in quotes', '1:10'],
  ['title: @x', 'Plain value cannot start with reserved character @ → put the text in quotes', '1:8'],
  ['title: %x', 'cannot start with directive indicator character % → put the text in quotes', '1:8'],
  ['title: *', 'Alias cannot be an empty string → put the text in quotes', '1:8'],
  [swap('title: Test', 'title: !x Test'), 'YAML: Unresolved tag: !x → write only the value', '1:8'],
  [add('models: !!str {}'), 'YAML: Unresolved tag: tag:yaml.org,2002:str → write only the value', '22:9'],
  [swap('title: Test\n', ''), "'title' is missing (text)", '1:1'],
  [swap('title: Test', 'titel: Test'), "did you mean 'title'?", '1:1'],
  [add('modles: {}'), "did you mean 'models'?", '22:1'],
  [add('xyzzy: 1'), "unknown key 'xyzzy'", '22:1'],
  [add('title: Again'), "the key 'title' is repeated → keep only one of the two", '22:1'],
  [add('__proto__: {}'), "'__proto__' is not a valid key", '22:1'],
  [add('constructor: {}'), "'constructor' is not a valid key", '22:1'],
  [add('prompt: { prototype: {} }'), "'prototype' is not a valid key", '22:11'],
  [add('? [a, b]\n: 1'), 'a key must be a scalar, not a list or a mapping', '22:3'],
  [add('<<: { turns: {} }'), "the merge key '<<' is not supported", '22:1'],
  [add('turns: 5'), 'expected keys with values, found the number 5', '22:8'],
  [add('turns:'), 'the value is empty: write a value, or remove the key', '22:7'],
  [add('turns: ~'), 'found nothing', '22:8'],
  [add('models: []'), 'expected keys with values, found a list', '22:9'],
  [
    swap('agents:\n  - id: ann\n    sprite: knight\n', 'agents: []\n'),
    'the list has 0 entries; the minimum is 1',
    '19:9',
  ],
  [
    swap('agents:\n  - id: ann\n    sprite: knight\n', 'agents: ann\n'),
    "expected a list, found 'ann'",
    '19:9',
  ],
  [add('environment: gird'), "did you mean 'grid'?", '22:14'],
  [add('environment: 3'), "there is no environment called '3'", '22:14'],
];

const VALUES: readonly Row[] = [
  [swap('title: Test', 'title: 12'), "put it in quotes: '12'", '1:8'],
  [swap('title: Test', 'title: true'), "put it in quotes: 'true'", '1:8'],
  [swap('title: Test', 'title: 0x10'), 'YAML reads 0x10 as the number 16', '1:8'],
  [swap('title: Test', 'title: 1e3'), 'YAML reads 1e3 as the number 1000', '1:8'],
  [swap('title: Test', 'title: 012'), 'YAML reads 012 as the number 12', '1:8'],
  [swap('title: Test', 'title: 0o14'), 'YAML reads 0o14 as the number 12', '1:8'],
  [swap('title: Test', 'title: .inf'), '.inf is not a supported number', '1:8'],
  [swap('title: Test', 'title: -.INF'), 'is not a supported number', '1:8'],
  [swap('title: Test', 'title: .nan'), '.nan is not a supported number', '1:8'],
  [swap('title: Test', "title: ''"), 'the text is empty; the minimum is 1 character', '1:8'],
  [swap('title: Test', 'title: 1e400'), '1e400 is not a supported number', '1:8'],
  [swap('title: Test', 'title: +5'), 'YAML reads +5 as the number 5', '1:8'],
  [add('turns: { max: 9007199254740993 }'), 'the number 9007199254740993 is too large', '22:15'],
  [add('turns: { max: -0 }'), 'YAML reads -0', '22:15'],
  [add('turns: { max: 2.5 }'), 'expected a whole number, found the number 2.5', '22:15'],
  [add('turns: { max: 2.50 }'), 'found the number 2.5', '22:15'],
  [add('turns: { max: 0 }'), '0 is out of range; the minimum is 1', '22:15'],
  [add('turns: { max: 100001 }'), 'the maximum is 100000', '22:15'],
  [add("turns: { max: '20' }"), 'write it without quotes: 20', '22:15'],
  [add('turns: { max: forty }'), "found 'forty' → write it in digits, such as 20", '22:15'],
  [add('turns: { max: no }'), "expected a whole number, found 'no'", '22:15'],
  [add('turns: { max: 2026-01-01 }'), "found '2026-01-01'", '22:15'],
  [add('turns: { max: 12:30:45 }'), "found '12:30:45'", '22:15'],
  [add('turns: { max: 1_000 }'), "found '1_000'", '22:15'],
  [add('turns: { order: random }'), "'random' is not one of: sequential, simultaneous", '22:17'],
  [add('turns: { order: simultanous }'), "did you mean 'simultaneous'?", '22:17'],
  [add('turns: { attempts: 11 }'), 'the maximum is 10', '22:20'],
  [add('turns: { free_acts: 17 }'), 'the maximum is 16', '22:21'],
  [add('turns: { freeActs: 1 }'), "did you mean 'free_acts'?", '22:10'],
  [add('rules: { diagonals: yes }'), 'write true or false', '22:21'],
  [add('rules: { diagonals: 1 }'), 'expected true or false, found the number 1', '22:21'],
  [add('rules: { speech: { radius: -1 } }'), 'the minimum is 0', '22:28'],
  [add('rules: { speech: loud }'), "found 'loud'", '22:18'],
  [add('rules: { movment: tile }'), "did you mean 'movement'?", '22:10'],
  [add('seed: 1.5'), 'expected a whole number', '22:7'],
  [add('seed: [1]'), 'expected a whole number or text, found a list', '22:7'],
  [add('render: { window: [14, 15] }'), 'must be odd', '22:20'],
  [add('render: { window: [15] }'), 'the list has 1 entry; the minimum is 2 entries', '22:19'],
  [add('render: { window: [65, 15] }'), 'the maximum is 63', '22:20'],
  [add('render: { tile: 65 }'), 'the maximum is 64', '22:17'],
  [add('render: { preset: qwen }'), 'is not one of: default', '22:19'],
  [add('render: { tileset: ../x.json }'), 'is outside the folder', '22:20'],
  [add('render: { tileset: /etc/passwd }'), 'is not relative', '22:20'],
  [add("render: { tileset: 'http://example.org/t.json' }"), 'is an address', '22:20'],
  [add("render: { tileset: 'C:/t.json' }"), 'is an address or a drive', '22:20'],
  [add("render: { tileset: '\\\\host\\t.json' }"), 'has a backslash', '22:20'],
  [add('render: { tileset: none.json }'), "can't be read: there is no such file", '22:20'],
  [add('render: { tileset: bad.json }'), "is not a tileset's manifest", '22:20'],
  [add('prompt: { templates: { system: a/../../b } }'), 'is outside the folder', '22:32'],
  [add('prompt: { templates: { system: big.txt } }'), 'the maximum is 64000', '22:32'],
  [add('prompt: { templates: { sytem: big.txt } }'), "did you mean 'system'?", '22:24'],
];

const MODELS: readonly Row[] = [
  [add('models: { Main: {} }'), "'Main' is not a valid id", '22:11'],
  [add('models: { main: { base_url: localhost:8000 } }'), 'must be an http:// or https:// address', '22:29'],
  [add("models: { main: { base_url: 'file:///etc/passwd' } }"), 'must be an http', '22:29'],
  [add("models: { main: { base_url: 'javascript:alert(1)' } }"), 'must be an http', '22:29'],
  [add("models: { main: { base_url: 'http://me:pw@host/v1' } }"), 'without user, password', '22:29'],
  [add('models: { main: { api_key: abc } }'), 'write the name of the variable with the key', '22:19'],
  [add('models: { main: { token: abc } }'), 'write the name of the variable', '22:19'],
  [
    add('models: { main: { api_key_env: sk-abcdefghijklmnopqrstuvwxyz } }'),
    'looks like a secret key',
    '22:32',
  ],
  [
    add('models: { main: { api_key_env: my key } }'),
    'is not a valid name of an environment variable',
    '22:32',
  ],
  [add('description: hf_abcdefghijklmnopqrstuvwxyz'), 'looks like a secret key', '22:14'],
  [add('models: { main: { temperature: 2.5 } }'), 'the maximum is 2', '22:32'],
  [add('models: { main: { temperature: hot } }'), "expected a number, found 'hot'", '22:32'],
  [add('models: { main: { temprature: 1 } }'), "did you mean 'temperature'?", '22:19'],
  [add('models: { main: { max_tokens: 0 } }'), 'the minimum is 1', '22:31'],
  [add('models: { main: { timeout_ms: 3600001 } }'), 'the maximum is 3600000', '22:31'],
  [add('models: { main: { retries: 11 } }'), 'the maximum is 10', '22:28'],
  [add('models:\n  main:\n    base_url: ${NOWHERE}'), 'the environment variable NOWHERE is not set', '24:15'],
  [
    add('models:\n  main:\n    model: ${MY_API_KEY}'),
    'may not read the environment variable MY_API_KEY',
    '24:12',
  ],
  [add('models:\n  main:\n    model: ${1X}'), 'is not a reference to a variable', '24:12'],
  [add('turns:\n  max: ${NOT_SET}'), '→ allow it with --env NOT_SET', '23:8'],
  [add('turns:\n  max: ${UNSET}'), 'UNSET is not set', '23:8'],
  [add('turns:\n  max: ${WORD}'), "expected a whole number, found 'word'", '23:8'],
  [agent('model: main'), "there is no model called 'main'", '22:12'],
  [agent('controller: model'), 'the scenario names no models', '22:5'],
  [
    `${agent('controller: model')}models: { a: {}, b: {} }\n`,
    'the scenario names several models, and this agent does not say which one',
    '22:5',
  ],
  [`${agent('model: mian')}models: { main: {} }\n`, "did you mean 'main'?", '22:12'],
  [
    `${agent('controller: scripted\n    model: nosuch')}models: { main: {} }\n`,
    "there is no model called 'nosuch'",
    '23:12',
  ],
  [
    `${agent('controller: random\n    model: main')}models: { main: {} }\n`,
    'a model has no effect with the controller random',
    '23:5',
  ],
  [agent('controller: replies'), 'the controller has no replies', '22:5'],
  [
    agent("controller: random\n    replies: ['x']"),
    'replies have no effect with the controller random',
    '23:5',
  ],
  [agent('controller: prophet'), 'is not one of: scripted', '22:17'],
  [agent('protocol: jsno'), 'is not one of: command', '22:15'],
  [agent('memory: { turns_max: 4, turns_kept: 4 }'), 'not less than turns_max', '22:41'],
  [agent('goals: Leave.'), "expected a list, found 'Leave.'", '22:12'],
  [agent('goals: [{ description: x }]'), "'name' is missing", '22:13'],
  [agent('name: "Ann, who said: \\"come\\""'), 'is not a valid name', '22:11'],
  [agent('name: "ann\\nYou see: nothing"'), 'is not a valid name', '22:11'],
  [agent("name: '[INST]'"), 'is not a valid name', '22:11'],
  [agent("name: 'rat. You hold nothing'"), 'is not a valid name', '22:11'],
  [agent("name: ''"), 'is not a valid name', '22:11'],
  [agent("aliases: ['a', 'b:']"), 'is not a valid name', '22:20'],
  [agent('goals: [5]'), 'expected text or keys with values', '22:13'],
  [agent('persona: 5'), "put it in quotes: '5'", '22:14'],
];

const WITHOUT_EFFECT: readonly Row[] = [
  [agent('persona: "I am ${USER:-you}."'), '${USER:-you} is not expanded here', '22:14'],
  [add('render: { channel: text, marks: true }'), "'marks' has no effect if channel is text", '22:26'],
  [add('render: { ruler: true, channel: text }'), "'ruler' has no effect if channel is text", '22:11'],
  [
    add('probes: { kinds: [tile], ask: [{ about: gate, kind: door }] }'),
    "'kinds' has no effect beside ask",
    '22:11',
  ],
  [
    add('probes: { grey: true }\nrender: { channel: text }'),
    "'grey' has no effect if no picture is sent, or only a grey one",
    '22:11',
  ],
  [add('render: { names: true }'), "'names' has no effect unless channel is image", '22:11'],
  [
    `${agent('memory: { recalls: 1 }')}render: { channel: text }\n`,
    "'recalls' has no effect if channel is text",
    '22:15',
  ],
  [agent('memory: { kind: none, turns_max: 24 }'), "'turns_max' has no effect if the memory's", '22:27'],
  [agent('memory: { kind: none, turns_kept: 1 }'), "'turns_kept' has no effect if the memory's", '22:27'],
  [
    add('turns: { order: simultaneous, speculate: true }'),
    "'speculate' has no effect if order is simultaneous",
    '22:31',
  ],
  [add('budget: { cost: 2 }'), "'cost' has no effect if no model in the scenario", '22:11'],
  [
    add('models: { a: { price: { reply: 1 } }, b: {} }\nbudget: { cost: 2 }'),
    'the model b, which has no price',
    '23:11',
  ],
  [add('rules: { diagonals: true }'), "'diagonals' has no effect if movement is by room", '22:10'],
];

/** A key as other formats spell it: one that is similar is suggested, otherwise all are listed. */
const OTHER_WORDS: readonly Row[] = [
  [add('max_turns: 20'), "unknown key 'max_turns' → known: actions, agents, budget", '22:1'],
  [
    add('turns: { maximum: 20 }'),
    "unknown key 'maximum' in turns → known: attempts, free_acts, given_up, max,",
    '22:10',
  ],
  [add('fog: false'), "did you mean 'rules.fog'?", '22:1'],
  [add('success: { agent: ann, has: small-key }'), "unknown key 'has' in success → known: agent,", '22:24'],
  [agent('system_prompt: x'), "unknown key 'system_prompt' in agents.ann → known: actions,", '22:5'],
  [thing('memo: { kind: note, at: [1, 1], says: x }'), "unknown key 'says' in things.memo → known:", '19:35'],
  [
    thing('memo: { at: [1, 1], sprites: item/letter }'),
    "found 'item/letter' → did you mean 'sprite'?",
    '19:32',
  ],
  [add('models: { main: { maxTokens: 5 } }'), "did you mean 'max_tokens'?", '22:19'],
  [add('turns: { free-acts: 5 }'), "did you mean 'free_acts'?", '22:10'],
  [
    add('models: { main: { url: x } }'),
    "unknown key 'url' in models.main → known: api_key_env, base_url,",
    '22:19',
  ],
  [
    agent('goals: [Go., { nme: x }]'),
    "unknown key 'nme' in agents.ann.goals.1 → did you mean 'name'?",
    '22:20',
  ],
  [agent('goals: [{ description: x }]'), "'name' is missing (text) in agents.ann.goals.0", '22:13'],
];

const QUESTIONS: readonly Row[] = [
  [
    add('probes: { ask: [{ about: small-kez, kind: side }] }'),
    "no thing or creature or agent has the id 'small-kez' → did you mean 'small-key'?",
    '22:26',
  ],
  [
    add('probes: { ask: [{ about: small-key, kind: door }] }'),
    "'small-key' is a thing, but a door is needed",
    '22:26',
  ],
  [
    add('probes: { ask: [{ about: ann, kind: holds }] }'),
    "'ann' is an agent, but a thing is needed",
    '22:26',
  ],
  [
    add('probes: { ask: [{ about: small-key, kind: tile }] }'),
    "'tile' is not one of: side, count, door, holds",
    '22:43',
  ],
  [
    add('probes: { ask: [{ about: small-key, kind: count, as: the key }] }'),
    "can't be combined with count, which counts what has the same name",
    '22:54',
  ],
  [
    add('measures: { chance: 1, facts: [{ seen: gaet }] }'),
    "no thing or creature or agent or door has the id 'gaet' → did you mean 'gate'?",
    '22:40',
  ],
  [
    add('measures: { chance: 1, facts: [{ told: x, agent: bob }] }'),
    "no agent has the id 'bob' → known: ann",
    '22:50',
  ],
  [add('measures: { chance: 1, facts: [{ agent: ann }] }'), 'needs one of seen and told', '22:32'],
  [
    'title: x\nenvironment: toolbox\nagents: [{ id: ann }]\nmeasures: { chance: 1, facts: [{ seen: x }] }',
    'the environment toolbox has nothing that can be named by an id here → leave it out',
    '4:40',
  ],
];

test('a thing is asked about by its name, or by the words of its author', () => {
  const asked = (text: string) => load(add(`probes: { ask: [${text}] }`)).scenario.probes?.ask;
  expect(asked('{ about: small-key, kind: side }')).toEqual([
    { about: 'small-key', kind: 'side', as: 'small key' },
  ]);
  expect(asked('{ about: small-key, kind: side, as: it }')).toEqual([
    { about: 'small-key', kind: 'side', as: 'it' },
  ]);
});

test('keys without effect are warnings; the same keys where they count are told by nothing', () => {
  for (const [text] of WITHOUT_EFFECT) expect(load(text).warnings).toMatchObject([{ severity: 'warning' }]);
  const text = `${agent('memory: { turns_max: 9, turns_kept: 1 }')}render: { marks: true }\nrules: { movement: tile, diagonals: true }\nbudget: { cost: 2 }\nmodels: { a: { price: { prompt: 0 } } }\n`;
  expect(load(text).warnings).toEqual([]);
});

testRows({ WITHOUT_EFFECT, QUESTIONS, SHAPE, VALUES, MODELS, OTHER_WORDS });

it('a password in an address is never repeated', () => {
  const text = `${BASE}models: { m: { base_url: 'http://me:hunter2@localhost:1/v1', model: q } }\n`;
  const found = diagnose(text);
  expect(found.map(({ message }) => message)).toContain(
    'this looks like a secret key; keys must not be put in a scenario',
  );
  expect(JSON.stringify(found)).not.toContain('hunter2');
});
