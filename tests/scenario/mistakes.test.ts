/** Each mistake is told at its place, in words that say what to do. One row is one mistake in a scenario that is right otherwise. */
import { describe, expect, test } from 'vitest';
import { BASE, diagnose, load } from './support.js';

/** [the scenario, part of the message (or of the suggestion after `→`), line:column] */
type Row = readonly [text: string, message: string, place: string];

/** Lines after the base, which has 21. */
const add = (text: string): string => `${BASE}${text}\n`;
const swap = (from: string, to: string): string => {
  if (!BASE.includes(from)) throw new Error(`the base has no ${from}`);
  return BASE.replace(from, () => to);
};
const agent = (text: string): string => swap('    sprite: knight', `    sprite: knight\n    ${text}`);
const thing = (text: string): string =>
  swap('  small-key: { kind: key }', `  small-key: { kind: key }\n  ${text}`);
const npc = (text: string): string => add(`npcs:\n  rat: { at: [1, 1], ${text} }`);

const SHAPE: readonly Row[] = [
  ['', 'the scenario is empty', '1:1'],
  ['# nothing\n', 'the scenario is empty', '1:1'],
  ['just text', 'a scenario is keys with values', '1:1'],
  ['- a\n- b', 'a scenario is keys with values', '1:1'],
  ['title: [', 'YAML: ', '1:9'],
  ['title: "x', 'YAML: missing closing', '1:10'],
  ['title: x\n\tmap: y', 'YAML: tabs', '2:1'],
  ['title: a: b', 'YAML: nested mappings', '1:8'],
  [swap('title: Test\n', ''), "'title' is missing (text)", '1:1'],
  [swap('title: Test', 'titel: Test'), "did you mean 'title'?", '1:1'],
  [add('modles: {}'), "did you mean 'models'?", '22:1'],
  [add('xyzzy: 1'), "unknown key 'xyzzy'", '22:1'],
  [add('title: Again'), "the key 'title' stands here twice", '22:1'],
  [add('__proto__: {}'), "'__proto__' can't be a key", '22:1'],
  [add('constructor: {}'), "'constructor' can't be a key", '22:1'],
  [add('prompt: { prototype: {} }'), "'prototype' can't be a key", '22:11'],
  [add('? [a, b]\n: 1'), 'a key is one word or text', '22:3'],
  [add('<<: { turns: {} }'), "the merge key '<<' is not read", '22:1'],
  [add('turns: 5'), 'expected keys with values, found the number 5', '22:8'],
  [add('turns:'), 'nothing stands here: write a value, or remove the key', '22:7'],
  [add('turns: ~'), 'found nothing', '22:8'],
  [add('models: []'), 'expected keys with values, found a list', '22:9'],
  [
    swap('agents:\n  - id: ann\n    sprite: knight\n', 'agents: []\n'),
    'the list has 0 entries: at least 1',
    '19:9',
  ],
  [
    swap('agents:\n  - id: ann\n    sprite: knight\n', 'agents: ann\n'),
    "expected a list, found 'ann'",
    '19:9',
  ],
  [add('environment: gird'), "did you mean 'grid'?", '22:14'],
  [add('environment: 3'), "no environment is called '3'", '22:14'],
];

const VALUES: readonly Row[] = [
  [swap('title: Test', 'title: 12'), "put it in quotes: '12'", '1:8'],
  [swap('title: Test', 'title: true'), "put it in quotes: 'true'", '1:8'],
  [swap('title: Test', 'title: 0x10'), 'YAML reads 0x10 as the number 16', '1:8'],
  [swap('title: Test', 'title: 1e3'), 'YAML reads 1e3 as the number 1000', '1:8'],
  [swap('title: Test', 'title: 012'), 'YAML reads 012 as the number 12', '1:8'],
  [swap('title: Test', 'title: 0o14'), 'YAML reads 0o14 as the number 12', '1:8'],
  [swap('title: Test', 'title: .inf'), '.inf is not a number that can be used', '1:8'],
  [swap('title: Test', 'title: -.INF'), 'is not a number that can be used', '1:8'],
  [swap('title: Test', 'title: .nan'), '.nan is not a number that can be used', '1:8'],
  [swap('title: Test', "title: ''"), 'the text is empty: at least 1 characters', '1:8'],
  [swap('title: Test', 'title: 1e400'), '1e400 is not a number', '1:8'],
  [swap('title: Test', 'title: +5'), 'YAML reads +5 as the number 5', '1:8'],
  [add('turns: { max: 9007199254740993 }'), 'the number 9007199254740993 is too large', '22:15'],
  [add('turns: { max: -0 }'), 'YAML reads -0', '22:15'],
  [add('turns: { max: 2.5 }'), 'expected a whole number, found the number 2.5', '22:15'],
  [add('turns: { max: 2.50 }'), 'found the number 2.5', '22:15'],
  [add('turns: { max: 0 }'), '0 is out of range: at least 1', '22:15'],
  [add('turns: { max: 100001 }'), 'at most 100000', '22:15'],
  [add("turns: { max: '20' }"), 'write it without quotes: 20', '22:15'],
  [add('turns: { max: no }'), "expected a whole number, found 'no'", '22:15'],
  [add('turns: { max: 2026-01-01 }'), "found '2026-01-01'", '22:15'],
  [add('turns: { max: 12:30:45 }'), "found '12:30:45'", '22:15'],
  [add('turns: { max: 1_000 }'), "found '1_000'", '22:15'],
  [add('turns: { order: random }'), "'random' is not one of: sequential, simultaneous", '22:17'],
  [add('turns: { order: simultanous }'), "did you mean 'simultaneous'?", '22:17'],
  [add('turns: { attempts: 11 }'), 'at most 10', '22:20'],
  [add('turns: { free_acts: 17 }'), 'at most 16', '22:21'],
  [add('turns: { freeActs: 1 }'), "did you mean 'free_acts'?", '22:10'],
  [add('rules: { diagonals: yes }'), 'write true or false', '22:21'],
  [add('rules: { diagonals: 1 }'), 'expected true or false, found the number 1', '22:21'],
  [add('rules: { speech: { radius: -1 } }'), 'at least 0', '22:28'],
  [add('rules: { speech: loud }'), "found 'loud'", '22:18'],
  [add('rules: { movment: tile }'), "did you mean 'movement'?", '22:10'],
  [add('seed: 1.5'), 'expected a whole number', '22:7'],
  [add('seed: [1]'), 'expected a whole number or text, found a list', '22:7'],
  [add('render: { window: [14, 15] }'), 'must be odd', '22:20'],
  [add('render: { window: [15] }'), 'the list has 1 entry: at least 2 entries', '22:19'],
  [add('render: { window: [65, 15] }'), 'at most 63', '22:20'],
  [add('render: { tile: 65 }'), 'at most 64', '22:17'],
  [add('render: { preset: qwen }'), 'is not one of: default', '22:19'],
  [add('render: { tileset: ../x.json }'), 'leads out of the folder', '22:20'],
  [add('render: { tileset: /etc/passwd }'), 'is not relative', '22:20'],
  [add("render: { tileset: 'http://example.org/t.json' }"), 'is an address', '22:20'],
  [add("render: { tileset: 'C:/t.json' }"), 'is an address or a drive', '22:20'],
  [add("render: { tileset: '\\\\host\\t.json' }"), 'holds a backslash', '22:20'],
  [add('render: { tileset: none.json }'), "can't be read: there is no such file", '22:20'],
  [add('render: { tileset: bad.json }'), "is not a tileset's manifest", '22:20'],
  [add('prompt: { templates: { system: a/../../b } }'), 'leads out', '22:32'],
  [add('prompt: { templates: { system: big.txt } }'), 'at most 64000', '22:32'],
  [add('prompt: { templates: { sytem: big.txt } }'), "did you mean 'system'?", '22:24'],
];

const MODELS: readonly Row[] = [
  [add('models: { Main: {} }'), "'Main' can't be an id", '22:11'],
  [add('models: { main: { base_url: localhost:8000 } }'), 'must be an http:// or https:// address', '22:29'],
  [add("models: { main: { base_url: 'file:///etc/passwd' } }"), 'must be an http', '22:29'],
  [add("models: { main: { base_url: 'javascript:alert(1)' } }"), 'must be an http', '22:29'],
  [add("models: { main: { base_url: 'http://me:pw@host/v1' } }"), 'without user, password', '22:29'],
  [add('models: { main: { api_key: abc } }'), 'name the variable that holds the key', '22:19'],
  [add('models: { main: { token: abc } }'), 'name the variable', '22:19'],
  [
    add('models: { main: { api_key_env: sk-abcdefghijklmnopqrstuvwxyz } }'),
    'looks like a secret key',
    '22:32',
  ],
  [add('models: { main: { api_key_env: my key } }'), 'is not the name of a variable', '22:32'],
  [add('description: hf_abcdefghijklmnopqrstuvwxyz'), 'looks like a secret key', '22:14'],
  [add('models: { main: { temperature: 2.5 } }'), 'at most 2', '22:32'],
  [add('models: { main: { temperature: hot } }'), "expected a number, found 'hot'", '22:32'],
  [add('models: { main: { temprature: 1 } }'), "did you mean 'temperature'?", '22:19'],
  [add('models: { main: { max_tokens: 0 } }'), 'at least 1', '22:31'],
  [add('models: { main: { timeout_ms: 3600001 } }'), 'at most 3600000', '22:31'],
  [add('models: { main: { retries: 11 } }'), 'at most 10', '22:28'],
  [add('models:\n  main:\n    base_url: ${NOWHERE}'), 'the environment variable NOWHERE is not set', '24:15'],
  [add('models:\n  main:\n    model: ${MY_API_KEY}'), 'looks like a secret', '24:12'],
  [add('models:\n  main:\n    model: ${1X}'), 'is no variable', '24:12'],
  [add('turns:\n  max: ${NOT_SET}'), 'NOT_SET is not set', '23:8'],
  [add('turns:\n  max: ${WORD}'), "expected a whole number, found 'word'", '23:8'],
  [agent('model: main'), "no model is called 'main'", '22:12'],
  [agent('controller: model'), 'the scenario names no models', '22:5'],
  [`${agent('controller: model')}models: { a: {}, b: {} }\n`, 'several models are named: which one?', '22:5'],
  [`${agent('model: mian')}models: { main: {} }\n`, "did you mean 'main'?", '22:12'],
  [agent('controller: replies'), 'the controller has no replies', '22:5'],
  [agent("controller: random\n    replies: ['x']"), 'replies mean nothing to the controller random', '23:5'],
  [agent('controller: human'), 'is not one of: scripted', '22:17'],
  [agent('protocol: jsno'), 'is not one of: command', '22:15'],
  [agent('memory: { turns_max: 4, turns_kept: 4 }'), 'not less than turns_max', '22:41'],
  [agent('goals: Leave.'), "expected a list, found 'Leave.'", '22:12'],
  [agent('goals: [{ description: x }]'), "'name' is missing", '22:13'],
  [agent('goals: [5]'), 'expected text or keys with values', '22:13'],
  [agent('persona: 5'), "put it in quotes: '5'", '22:14'],
];

const MAP: readonly Row[] = [
  [
    swap('  #...#...#\n  #.A', '  #...#..#\n  #.A'),
    'row 1 of the map has 8 characters, where most rows have 9',
    '4:11',
  ],
  [swap('  #...#...#\n  #.A', '  #...#...##\n  #.A'), 'row 1 of the map has 10 characters', '4:12'],
  [swap('  #...#...#\n  #.A', '  #...#.?.#\n  #.A'), "legend says nothing of '?'", '4:9'],
  [swap('  #...#...#\n  #.A', '  #...#. .#\n  #.A'), 'legend says nothing of a space', '4:9'],
  [swap('  #...#...#\n  #.A', '  #...#..\u{1F600}\n  #.A'), "legend says nothing of '\u{1F600}'", '4:10'],
  ['title: T\nmap: ""\nagents: [{ id: ann }]\n', 'the text is empty', '2:6'],
  ['title: T\nmap: |\n\nagents: [{ id: ann }]\n', 'the text is empty', '2:6'],
  [swap('map: |', 'map: >'), 'a map starts with |', '2:6'],
  ['title: T\nmap: 5\nagents: [{ id: ann }]\n', 'expected text, found the number 5', '2:6'],
  ['title: T\nagents: [{ id: ann }]\n', "'map' is missing (text)", '1:1'],
  [
    `title: T\nmap: |\n${`  ${'.'.repeat(1001)}\n`}agents: [{ id: ann }]\n`,
    'the map is 1001 × 1 tiles: at most 1000 × 1000',
    '2:6',
  ],
  [`title: T\nmap: |\n${'  .\n'.repeat(1001)}agents: [{ id: ann }]\n`, 'the map is 1 × 1001 tiles', '2:6'],
  [swap('legend:', 'legend:\n  ab: floor'), "'ab' is not one plain character", '9:3'],
  [swap('legend:', 'legend:\n  q: flor'), "did you mean 'floor'?", '9:6'],
  [swap('legend:', 'legend:\n  q: [floor]'), 'found a list', '9:6'],
  [swap('legend:', 'legend:\n  q: { wall: true }'), "unknown key 'wall'", '9:8'],
  [swap('legend:', 'legend:\n  q: floor'), "'q' stands nowhere in the map", '9:3'],
  [swap('{ agent: ann }', '{ agent: anne }'), "did you mean 'ann'?", '9:15'],
  [swap('{ door: gate }', '{ door: small-key }'), "'small-key' is a thing, where a door is wanted", '10:14'],
  [swap('{ thing: small-key }', '{ thing: small-key, terrain: lwan }'), "unknown terrain 'lwan'", '11:35'],
  [swap('#.A.+', '#AA.+'), 'ann stands in the map a second time', '5:5'],
  [agent('at: [1, 1]'), 'ann is placed by the map already', '22:9'],
  [
    swap('legend:', 'terrain: { bog: { sprite: swamp, name: bog } }\nlegend:\n  .: bog'),
    "the tileset has no tile 'swamp'",
    '8:27',
  ],
  [add('terrain: { bog: { name: bog } }'), "'sprite' is missing", '22:12'],
];

const ROOMS: readonly Row[] = [
  [swap('{ area: [1, 1, 3, 3] }', '{}'), 'the room west has no place', '13:3'],
  [swap('{ area: [1, 1, 3, 3] }', '{ area: [1, 1, 3] }'), 'the list has 3 entries: at least 4', '13:17'],
  [swap('{ area: [1, 1, 3, 3] }', '{ area: [1, 1, 30, 3] }'), 'reaches beyond the map', '13:17'],
  [swap('{ area: [1, 1, 3, 3] }', '{ area: [-1, 1, 3, 3] }'), 'at least 0', '13:18'],
  [swap('{ area: [1, 1, 3, 3] }', '{ area: [1.5, 1, 3, 3] }'), 'expected a whole number', '13:18'],
  [swap('{ area: [1, 1, 3, 3] }', '{ area: [1, 1, 0, 3] }'), 'at least 1', '13:24'],
  [swap('{ area: [1, 1, 3, 3] }', '{ area: [1, 1, 6, 3] }'), 'belongs to east already', '13:17'],
  [swap('{ area: [1, 1, 3, 3] }', '{ from: [0, 0] }'), '(0, 0) is wall or a door', '13:17'],
  [swap('{ area: [1, 1, 3, 3] }', '{ from: [99, 0] }'), '(99, 0) is outside the map', '13:17'],
  [
    swap('rooms:', 'rooms:\n  shed: { from: [6, 3] }\n  barn: { from: [6, 1] }').replace(
      '  east: { area: [5, 1, 3, 3] }\n',
      '',
    ),
    'shed and barn are one space',
    '13:17',
  ],
  [swap('  west: {', '  West: {'), "'West' can't be an id", '13:3'],
  [swap('  west: {', '  ann: {'), "two have the id 'ann'", '13:3'],
  [swap('  west: {', '  every: {'), "'every' can't be an id", '13:3'],
  [swap('gate: { key: small-key }', 'gate: { key: smal-key }'), "did you mean 'small-key'?", '16:16'],
  [
    swap('gate: { key: small-key }', 'gate: { key: west }'),
    "'west' is a room, where a thing is wanted",
    '16:16',
  ],
  [
    swap('gate: { key: small-key }', 'gate: { state: locked }'),
    'gate is locked and nothing can open it',
    '16:3',
  ],
  [swap('gate: { key: small-key }', 'gate: {}'), 'the key small-key opens nothing', '18:3'],
  [swap('gate: { key: small-key }', 'gate: { between: [west, esat] }'), "did you mean 'east'?", '16:27'],
  [
    swap('gate: { key: small-key }', 'gate: { between: [west, west] }'),
    'joins west and east (east), not what is written',
    '16:3',
  ],
  [swap('gate: { key: small-key }', 'gate: { direction: north }'), 'not what is written here', '16:3'],
  [swap('gate: { key: small-key }', 'gate: { kind: glass }'), 'is not one of: wood, iron, gate', '16:17'],
  [swap('doors:', 'doors:\n  hatch: {}'), 'the door hatch has no place', '16:3'],
  [swap('doors:', 'doors:\n  hatch: { at: [0, 0] }'), 'the door hatch at (0, 0) joins nothing', '16:3'],
  [swap('doors:', 'doors:\n  hatch: { at: [4, 2] }'), 'stands at (4, 2) already', '16:16'],
  [
    swap('doors:', 'doors:\n  hatch: { at: [9, 2] }'),
    '(9, 2) is outside the map, which is 9 × 5 tiles',
    '16:16',
  ],
  [swap('  east: { area: [5, 1, 3, 3] }\n', ''), 'the door gate at (4, 2) joins nothing', '15:3'],
];

const THINGS: readonly Row[] = [
  [thing('box: { kind: chest }'), 'the thing box has no place', '19:3'],
  [thing('box: { kind: chets, at: [1, 1] }'), "did you mean 'chest'?", '19:16'],
  [thing('box: { kind: chest, at: [0, 0] }'), 'box lies in a wall at (0, 0)', '19:27'],
  [thing('box: { kind: chest, at: [1, 1], in: box }'), 'the thing box is placed 2 times', '19:3'],
  [thing('box: { kind: chest, in: box }'), 'box is inside itself', '19:27'],
  [
    thing('box: { kind: chest, in: bag }\n  bag: { kind: chest, in: box }'),
    'bag is inside itself: bag in box in bag',
    '20:27',
  ],
  [thing('note: { kind: note, in: small-key, text: x }'), 'small-key is not a container', '19:27'],
  [thing('note: { kind: note, in: boxx, text: x }'), "no thing has the id 'boxx'", '19:27'],
  [thing('note: { kind: note, at: [1, 1] }'), 'the note note has no text', '19:3'],
  [
    thing('note: { kind: note, held_by: west, text: x }'),
    "'west' is a room, where an agent or creature is wanted",
    '19:32',
  ],
  [thing('note: { kind: note, held_by: an, text: x }'), "did you mean 'ann'?", '19:32'],
  [thing('note: { kind: note, at: [1, 1], text: 5 }'), "put it in quotes: '5'", '19:41'],
  [thing('box: { kind: chest, at: [1, 1], key: box }'), "box can't be its own key", '19:40'],
  [thing('box: { kind: chest, at: [1, 1], key: nokey }'), "no thing has the id 'nokey'", '19:40'],
  [thing('box: { kind: chest, at: [1, 1], state: locked }'), 'box is locked and nothing can open it', '19:3'],
  [
    thing('box: { kind: chest, at: [1, 1], sprite: item/chets-open }'),
    "did you mean 'item/chest-open'?",
    '19:43',
  ],
  [thing('orb: { at: [1, 1] }'), "the tileset has no tile 'orb'", '19:3'],
  [thing('box: { kind: chest, at: [1.5, 1] }'), 'expected a whole number, found the number 1.5', '19:28'],
  [thing('box: { kind: chest, at: [1, 1, 1] }'), 'the list has 3 entries: at most 2', '19:27'],
  [thing('box: { kind: chest, at: 1 }'), 'expected a list', '19:27'],
  [thing('box: { kind: chest, at: [1000000000, 1] }'), 'at most 999', '19:28'],
  [
    thing('arm: { kind: lever, at: [1, 1], work: {} }'),
    'work needs exactly one of opens, removes, becomes; here are 0',
    '19:35',
  ],
  [thing('arm: { kind: lever, at: [1, 1], work: { opens: gat } }'), "did you mean 'gate'?", '19:50'],
  [thing('arm: { kind: lever, at: [1, 1], work: { opens: gate, removes: true } }'), 'here are 2', '19:35'],
  [
    thing('arm: { kind: lever, at: [1, 1], work: { opens: gate, tool: axe } }'),
    "no thing has the id 'axe'",
    '19:62',
  ],
  [thing('coin: { sprite: table, at: [1, 1], stack: { kind: coin, amount: 0 } }'), 'at least 1', '19:67'],
  [thing('Box: { at: [1, 1] }'), "'Box' can't be an id", '19:3'],
  [thing("'b/x': { at: [1, 1] }"), "'b/x' can't be an id", '19:3'],
  [thing("'b\u00e9': { at: [1, 1] }"), "can't be an id", '19:3'],
];

const BODIES: readonly Row[] = [
  [swap('#.A.+', '#...+').replace('  A: { agent: ann }\n', ''), 'ann has no place', '19:5'],
  [
    swap('#.A.+', '#...+')
      .replace('  A: { agent: ann }\n', '')
      .replace('sprite: knight', 'at: [0, 0]\n    sprite: knight'),
    'ann stands in a wall at (0, 0)',
    '20:9',
  ],
  [add('  - { id: ann, at: [1, 1] }'), "two have the id 'ann'", '22:11'],
  [add('  - { id: bob, sprite: knight, at: [2, 2] }'), 'ann stands at (2, 2) already', '22:36'],
  [add('  - { id: Bob, sprite: knight, at: [1, 1] }'), "'Bob' can't be an id", '22:11'],
  [add('  - { sprite: knight, at: [1, 1] }'), "'id' is missing", '22:5'],
  [add('  - { id: bob, sprite: night, at: [1, 1] }'), "did you mean 'figure/knight'?", '22:24'],
  [add('  - { id: bob, sprite: "../x", at: [1, 1] }'), 'is not the name of a tile', '22:24'],
  [agent('actions: [GO, TAEK]'), "did you mean 'TAKE'?", '22:19'],
  [agent('actions: GO'), "expected a list, found 'GO'", '22:14'],
  [agent('sight: 33'), 'at most 32', '22:12'],
  [agent('sihgt: 3'), "did you mean 'sight'?", '22:5'],
  [agent('name: ""'), 'the text is empty', '22:11'],
  [
    thing('rock: { kind: boulder, at: [1, 1] }')
      .replace('#.A.+', '#...+')
      .replace('#...#...#\n  #...', '#A..#...#\n  #...'),
    'rock stands at (1, 1) already, where ann should',
    '4:4',
  ],
  [npc('sprite: figure/rta'), "did you mean 'figure/rat'?", '23:30'],
  [npc('behaviour: sleep'), 'is not one of: still', '23:33'],
  [npc('behaviour: patrol'), 'rat patrols but has no route', '23:3'],
  [npc('behaviour: patrol, route: [[0, 0]]'), "rat can't walk to (0, 0): a wall is there", '23:49'],
  [npc('behaviour: patrol, route: [[2, 2], [50, 2]]'), '(50, 2) is outside the map', '23:57'],
  [npc('behaviour: wander, route: [[2, 2]]'), "'route' means nothing to the behaviour wander", '23:41'],
  [npc('every: 2'), "'every' means nothing to the behaviour still", '23:22'],
  [npc('behaviour: chase, targets: [bob]'), "no agent or creature has the id 'bob'", '23:50'],
  [npc('watch: 3'), 'it catches nobody', '23:29'],
  [npc('behavior: wander'), "did you mean 'behaviour'?", '23:22'],
  [
    swap('+.k.#\n', '#.k.#\n')
      .replace('  +: { door: gate }\n', '')
      .replace('doors:\n  gate: { key: small-key }\n', '') +
      'npcs:\n  rat: { at: [1, 1], behaviour: patrol, route: [[6, 1]] }\n',
    'no way leads from (1, 1) to (6, 1)',
    '20:49',
  ],
];

const CONDITIONS: readonly Row[] = [
  [add('success: won'), "expected keys with values, found 'won'", '22:10'],
  [add('success: {}'), 'no condition consists of nothing', '22:1'],
  [add('success: { agent: ann }'), 'no condition consists of agent', '22:1'],
  [
    add('success: { agent: ann, holds: small-key, done: true }'),
    'no condition consists of agent, holds, done',
    '22:1',
  ],
  [add('success: { agent: anne, done: true }'), "did you mean 'ann'?", '22:19'],
  [add('success: { agent: ann, holds: gate }'), "'gate' is a door, where a thing is wanted", '22:31'],
  [add('success: { agent: ann, in_room: wets }'), "did you mean 'west'?", '22:33'],
  [add('success: { agent: ann, has_read: small-key }'), 'has no text that could be read', '22:34'],
  [add('success: { agent: ann, at: [9, 9] }'), '(9, 9) is outside the map', '22:28'],
  [add('success: { agent: ann, done: yes }'), "'yes' is not one of: true", '22:30'],
  [
    add('success: { thing: small-key, is: open }'),
    'small-key is not a container, so it is never open',
    '22:34',
  ],
  [add('success: { thing: small-key, is: worked }'), 'has no work that could be done', '22:34'],
  [add('success: { door: gate, is: worked }'), 'a door is open, closed, locked or unlocked', '22:28'],
  [add('success: { door: gate, is: ajar }'), 'is not one of: open', '22:28'],
  [add('success: { thing: small-key, inside: gate }'), "'gate' is a door", '22:38'],
  [add('success: { thing: small-key, inside: small-key }'), 'is not a container', '22:38'],
  [add('success: { all: [] }'), 'the list has 0 entries: at least 1', '22:17'],
  [add('failure: { any: [{ agent: any, cuaght: true }] }'), "did you mean 'caught'?", '22:32'],
  [add('failure: { not: { agent: bob, done: true } }'), "no agent has the id 'bob'", '22:26'],
  [
    add(`success: ${'{ not: '.repeat(9)}{ agent: any, done: true }${' }'.repeat(9)}`),
    'conditions are nested more than 8 deep',
    '22:61',
  ],
];

const TABLES = { SHAPE, VALUES, MODELS, MAP, ROOMS, THINGS, BODIES, CONDITIONS };
const SETUP = {
  variables: { WORD: 'word', MY_API_KEY: 'x' },
  files: { 'bad.json': '{}', 'big.txt': 'x'.repeat(64_001) },
};

test('the base is right, so that each row holds one mistake', () => {
  expect(load(BASE).warnings).toEqual([]);
});

describe.each(Object.entries(TABLES))('%s', (_, rows) => {
  test.each(rows.map(([text, message, place]) => ({ text, message, place })))(
    '$place $message',
    ({ text, message, place }) => {
      const found = diagnose(text, SETUP);
      const told = found.map(
        (each) => `${each.line}:${each.column} ${each.message} → ${each.suggestion ?? ''}`,
      );
      expect(
        told.filter((each) => each.includes(message) && each.startsWith(`${place} `)),
        told.join('\n'),
      ).not.toEqual([]);
    },
  );
});

test('the corpus is large enough', () => {
  expect(Object.values(TABLES).flat().length).toBeGreaterThanOrEqual(200);
});
