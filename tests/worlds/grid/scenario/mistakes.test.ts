/** Mistakes in a grid's map, rooms, doors, things, bodies and conditions are told at their place. */
import { expect, test } from 'vitest';
import type { Row } from '../../../scenario/rows.js';
import { add, agent, npc, swap, testRows, thing } from '../../../scenario/rows.js';
import { BASE, diagnose, load } from '../../../scenario/support.js';

const MAP: readonly Row[] = [
  [
    swap('  #...#...#\n  #.A', '  #...#..#\n  #.A'),
    'row 1 of the map has 8 characters, but most rows have 9',
    '4:11',
  ],
  [swap('  #...#...#\n  #.A', '  #...#...##\n  #.A'), 'row 1 of the map has 10 characters', '4:12'],
  [swap('  #...#...#\n  #.A', '  #...#.?.#\n  #.A'), "legend does not define '?'", '4:9'],
  [swap('  #...#...#\n  #.A', '  #...#. .#\n  #.A'), 'legend does not define a space', '4:9'],
  [swap('  #...#...#\n  #.A', '  #...#..\u{1F600}\n  #.A'), "legend does not define '\u{1F600}'", '4:10'],
  [swap('  #...#...#\n  #.A', '  #...#\u{1F600}?.#\n  #.A'), "legend does not define '?'", '4:10'],
  ['title: T\nmap: ""\nagents: [{ id: ann }]\n', 'the text is empty', '2:6'],
  ['title: T\nmap: |\n\nagents: [{ id: ann }]\n', 'the text is empty', '2:6'],
  [swap('map: |', 'map: >'), "the lines of the map were joined into one → write 'map: |'", '2:6'],
  [swap('map: |', 'map:'), 'in a block after |', '2:5'],
  [
    'title: T\nmap:\n  ___\n  _A:_\n  ___: _\nagents: [{ id: ann }]\n',
    'Implicit keys need to be on a single line → write a colon after each key, and text of several lines in a block: key: |',
    '3:3',
  ],
  ['title: T\nmap: 5\nagents: [{ id: ann }]\n', 'expected text, found the number 5', '2:6'],
  ['title: T\nagents: [{ id: ann }]\n', "'map' is missing (text)", '1:1'],
  [
    `title: T\nmap: |\n  ${'.'.repeat(201)}\nagents: [{ id: ann }]\n`,
    'the map is 201 × 1 tiles; the maximum is 200 × 200',
    '2:6',
  ],
  [`title: T\nmap: |\n${'  .\n'.repeat(201)}agents: [{ id: ann }]\n`, 'the map is 1 × 201 tiles', '2:6'],
  [swap('legend:', 'legend:\n  ab: floor'), "'ab' is not a single plain character", '9:3'],
  [swap('legend:', 'legend:\n  q: flor'), "did you mean 'floor'?", '9:6'],
  [swap('legend:', 'legend:\n  q: [floor]'), 'found a list', '9:6'],
  [swap('legend:', 'legend:\n  q: { wall: true }'), "unknown key 'wall'", '9:8'],
  [swap('legend:', 'legend:\n  q: floor'), "'q' does not occur in the map", '9:3'],
  [
    swap('{ thing: small-key }', '{ things: [small-key, gate] }'),
    "'gate' is a door, but a thing is needed",
    '11:28',
  ],
  [
    swap('{ thing: small-key }', '{ things: [small-key, cup] }').replace('key }', 'key }\n  cup: {}'),
    "2 things don't fit on 1 tile with 'k' → draw 'k' on at least 2 tiles",
    '11:16',
  ],
  [
    swap('{ thing: small-key }', '{ things: [small-key, small-key] }').replace('.k.', 'kkk'),
    'small-key appears twice in the map',
    '11:28',
  ],
  [swap('{ agent: ann }', '{ agent: anne }'), "did you mean 'ann'?", '9:15'],
  [swap('{ door: gate }', '{ door: small-key }'), "'small-key' is a thing, but a door is needed", '10:14'],
  [swap('{ thing: small-key }', '{ thing: small-key, terrain: lwan }'), "unknown terrain 'lwan'", '11:35'],
  [swap('#.A.+', '#AA.+'), 'ann appears twice in the map', '5:5'],
  [agent('at: [1, 1]'), 'ann is already placed by the map', '22:9'],
  [
    swap('legend:', 'terrain: { bog: { sprite: swamp, name: bog } }\nlegend:\n  .: bog'),
    "the tileset has no tile 'swamp'",
    '8:27',
  ],
  [add('terrain: { bog: { name: bog } }'), "'sprite' is missing", '22:12'],
];

const SLIPS: readonly Row[] = [
  [thing('north: { kind: food, at: [1, 1] }'), "north is called 'north', which is a direction", '19:3'],
  [thing('bun: { kind: food, at: [1, 1], name: Take }'), "bun is called 'take', which is an action", '19:3'],
  [agent('aliases: [up, North-East]'), "ann is called 'north-east', which is a direction", '20:5'],
  [agent('aliases: [small key]'), "'small key' is also the name of small-key", '22:15'],
  [agent('aliases: [gate]'), "'gate' is also the name of gate", '22:15'],
  [
    swap('gate: { key: small-key }', 'gate: { key: b }').replace(
      'agents:',
      '  b: { kind: boulder, at: [1, 1] }\nagents:',
    ),
    "b can't be carried, so it can't open gate",
    '16:16',
  ],
  [
    thing('c: { kind: chest, at: [1, 1], key: k }\n  k: { kind: key, in: c }'),
    'the key k is inside c, which it unlocks',
    '19:38',
  ],
  [
    thing('c: { kind: chest, at: [1, 1], key: k }\n  d: { kind: chest, in: c }\n  k: { kind: key, in: d }'),
    'the key k is inside c, which it unlocks',
    '19:38',
  ],
  [add('failure: { agent: any, caught: true }'), 'the run can fail but never succeed', '22:1'],
];

test('a letter drawn over the outer wall is told, unless its ground is named', () => {
  const inWall = BASE.replace('  #########\n', '  ##A######\n').replace('#.A.+', '#...+');
  const [warning, ...others] = load(inWall).warnings;
  expect(others).toEqual([]);
  expect(warning).toMatchObject({
    message: 'the letter of agent ann makes a hole in the outer wall at (2, 0)',
    line: 3,
    column: 5,
  });
  expect(load(inWall.replace('{ agent: ann }', '{ agent: ann, terrain: floor }')).warnings).toEqual([]);
  expect(load(BASE).warnings).toEqual([]);
});

test('slips are warnings; the same where it is meant so is told by nothing', () => {
  for (const [text] of SLIPS)
    expect(load(text).warnings.map(({ severity }) => severity)).toContain('warning');
  const open = thing('c: { kind: chest, at: [1, 1], key: k, state: closed }\n  k: { kind: key, in: c }');
  expect(load(open).warnings).toEqual([]);
});

/** What follows from a mistake is not told beside it. */
const ALONE: readonly (readonly [text: string, message: string])[] = [
  [swap('agents:\n', 'agents:\n  - id: ann\n    sprite: knight\n    at: [1, 1]\n'), 'two agents have the id'],
  [swap('west: { area: [1, 1, 3, 3] }', 'west: { area: [1, 1, 30, 3] }'), 'reaches beyond the map'],
  [add('turns:\n  max: ${NOT_SET}'), 'may not read the environment variable NOT_SET'],
  [add('turns:\n  max: ${VLLM_MODEL}'), 'VLLM_MODEL is not set'],
];

test.each(ALONE)('a cause is told alone: %#', (text, message) => {
  const told = diagnose(text).map((each) => each.message);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(message);
});

const ROOMS: readonly Row[] = [
  [swap('{ area: [1, 1, 3, 3] }', '{}'), 'the room west has no area', '13:3'],
  [
    swap('{ area: [1, 1, 3, 3] }', '{ area: [1, 1, 3] }'),
    'the list has 3 entries; the minimum is 4',
    '13:17',
  ],
  [swap('{ area: [1, 1, 3, 3] }', '{ area: [1, 1, 30, 3] }'), 'reaches beyond the map', '13:17'],
  [swap('{ area: [1, 1, 3, 3] }', '{ area: [-1, 1, 3, 3] }'), 'the minimum is 0', '13:18'],
  [swap('{ area: [1, 1, 3, 3] }', '{ area: [1.5, 1, 3, 3] }'), 'expected a whole number', '13:18'],
  [swap('{ area: [1, 1, 3, 3] }', '{ area: [1, 1, 0, 3] }'), 'the minimum is 1', '13:24'],
  [swap('{ area: [1, 1, 3, 3] }', '{ area: [1, 1, 6, 3] }'), 'already belongs to east', '13:17'],
  [swap('{ area: [1, 1, 3, 3] }', '{ from: [0, 0] }'), '(0, 0) is wall, not a tile of a room', '13:17'],
  [swap('{ area: [1, 1, 3, 3] }', '{ from: [99, 0] }'), '(99, 0) is outside the map', '13:17'],
  [
    swap('rooms:', 'rooms:\n  shed: { from: [6, 3] }\n  barn: { from: [6, 1] }').replace(
      '  east: { area: [5, 1, 3, 3] }\n',
      '',
    ),
    'shed and barn are one space',
    '13:17',
  ],
  [swap('  west: {', '  West: {'), "'West' is not a valid id", '13:3'],
  [swap('  west: {', '  ann: {'), "the id 'ann' is used twice", '13:3'],
  [swap('  west: {', '  every: {'), "'every' is a reserved", '13:3'],
  [swap('gate: { key: small-key }', 'gate: { key: smal-key }'), "did you mean 'small-key'?", '16:16'],
  [
    swap('gate: { key: small-key }', 'gate: { key: west }'),
    "'west' is a room, but a thing is needed",
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
    'joins west and east (east), not the rooms given here',
    '16:3',
  ],
  [swap('gate: { key: small-key }', 'gate: { direction: north }'), 'not the rooms given here', '16:3'],
  [swap('gate: { key: small-key }', 'gate: { kind: glass }'), 'is not one of: wood, iron, gate', '16:17'],
  [swap('doors:', 'doors:\n  hatch: {}'), 'the door hatch has no position', '16:3'],
  [swap('doors:', 'doors:\n  hatch: { at: [0, 0] }'), 'the door hatch at (0, 0) joins nothing', '16:3'],
  [swap('doors:', 'doors:\n  hatch: { at: [4, 2] }'), 'is already at (4, 2)', '16:16'],
  [
    swap('doors:', 'doors:\n  hatch: { at: [9, 2] }'),
    '(9, 2) is outside the map, which is 9 × 5 tiles',
    '16:16',
  ],
  [swap('  east: { area: [5, 1, 3, 3] }\n', ''), 'the door gate at (4, 2) joins nothing', '15:3'],
];

const THINGS: readonly Row[] = [
  [thing('box: { kind: chest }'), 'the thing box has no position', '19:3'],
  [thing('box: { kind: chets, at: [1, 1] }'), "did you mean 'chest'?", '19:16'],
  [thing('box: { kind: chest, at: [0, 0] }'), 'box is in the wall at (0, 0)', '19:27'],
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
    "'west' is a room, but an agent or creature is needed",
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
  [thing('orb: { sprite: wall, at: [1, 1] }'), "'wall' is a ground class, but a tile is needed", '19:18'],
  [thing('box: { kind: chest, at: [1.5, 1] }'), 'expected a whole number, found the number 1.5', '19:28'],
  [thing('box: { kind: chest, at: [1, 1, 1] }'), 'the list has 3 entries; the maximum is 2', '19:27'],
  [thing('box: { kind: chest, at: 1 }'), 'expected a list', '19:27'],
  [thing('box: { kind: chest, at: [1000000000, 1] }'), 'the maximum is 999', '19:28'],
  [
    thing('arm: { kind: lever, at: [1, 1], work: {} }'),
    'work needs exactly one of opens, removes, becomes; found: 0',
    '19:35',
  ],
  [thing('arm: { kind: lever, at: [1, 1], work: { opens: gat } }'), "did you mean 'gate'?", '19:50'],
  [thing('arm: { kind: lever, at: [1, 1], work: { opens: gate, removes: true } }'), 'found: 2', '19:35'],
  [
    thing('arm: { kind: lever, at: [1, 1], work: { opens: gate, tool: axe } }'),
    "no thing has the id 'axe'",
    '19:62',
  ],
  [
    thing('coin: { sprite: table, at: [1, 1], stack: { kind: coin, amount: 0 } }'),
    'the minimum is 1',
    '19:67',
  ],
  [thing('Box: { at: [1, 1] }'), "'Box' is not a valid id", '19:3'],
  [thing("'b/x': { at: [1, 1] }"), "'b/x' is not a valid id", '19:3'],
  [thing("'b\u00e9': { at: [1, 1] }"), 'is not a valid id', '19:3'],
];

const BODIES: readonly Row[] = [
  [swap('#.A.+', '#...+').replace('  A: { agent: ann }\n', ''), 'ann has no position', '19:5'],
  [
    swap('#.A.+', '#...+')
      .replace('  A: { agent: ann }\n', '')
      .replace('sprite: knight', 'at: [0, 0]\n    sprite: knight'),
    'ann is in the wall at (0, 0)',
    '20:9',
  ],
  [add('  - { id: ann, at: [1, 1] }'), "two agents have the id 'ann'", '22:11'],
  [add('  - { id: any, sprite: knight, at: [1, 1] }'), "'any' is a reserved", '22:11'],
  [add('  - { id: world, sprite: knight, at: [1, 1] }'), "'world' is a reserved", '22:11'],
  [add('npcs:\n  world: { sprite: rat, at: [1, 1] }'), "'world' is a reserved", '23:3'],
  [add('  - { id: bob, sprite: knight, at: [2, 2] }'), 'ann is already at (2, 2)', '22:36'],
  [add('  - { id: Bob, sprite: knight, at: [1, 1] }'), "'Bob' is not a valid id", '22:11'],
  [add('  - { sprite: knight, at: [1, 1] }'), "'id' is missing", '22:5'],
  [add('  - { id: bob, sprite: night, at: [1, 1] }'), "did you mean 'figure/knight'?", '22:24'],
  [add('  - { id: bob, sprite: "../x", at: [1, 1] }'), 'is not the name of a tile', '22:24'],
  [agent('actions: [GO, TAEK]'), "did you mean 'TAKE'?", '22:19'],
  [agent('actions: GO'), "expected a list, found 'GO'", '22:14'],
  [agent('sight: 33'), 'the maximum is 32', '22:12'],
  [agent('sihgt: 3'), "did you mean 'sight'?", '22:5'],
  [agent('name: ""'), "'' is not a valid name", '22:11'],
  [
    thing('rock: { kind: boulder, at: [1, 1] }')
      .replace('#.A.+', '#...+')
      .replace('#...#...#\n  #...', '#A..#...#\n  #...'),
    'rock is already at (1, 1), the position of ann',
    '4:4',
  ],
  [npc('sprite: figure/rta'), "did you mean 'figure/rat'?", '23:30'],
  [npc('sprite: gaurd'), "did you mean 'figure/guard'?", '23:30'],
  [npc('sprite: water'), "'water' is a ground class", '23:30'],
  [npc('behaviour: sleep'), 'is not one of: still', '23:33'],
  [npc('behaviour: patrol'), 'rat patrols but has no route', '23:3'],
  [npc('behaviour: patrol, route: [[0, 0]]'), "rat can't walk to (0, 0): the wall is there", '23:49'],
  [
    npc('behaviour: patrol, route: [[1, 3], [6, 1]]'),
    'rat opens no doors, and the path to (6, 1) leads through a closed one',
    '23:57',
  ],
  [
    npc('behaviour: patrol, route: [[3, 3], [1, 3]]').replace(
      'agents:',
      '  t: { kind: furniture, sprite: furniture/table, at: [1, 3] }\nagents:',
    ),
    "rat can't walk to (1, 3): t is there",
    '24:57',
  ],
  [
    npc('behaviour: patrol, route: [[1, 3]]').replace(
      'agents:',
      '  t: { kind: furniture, sprite: furniture/table, at: [1, 2] }\n  u: { kind: furniture, sprite: furniture/table, at: [2, 1] }\nagents:',
    ),
    'immovable things block every path of rat to (1, 3)',
    '25:49',
  ],
  [npc('behaviour: patrol, route: [[2, 2], [50, 2]]'), '(50, 2) is outside the map', '23:57'],
  [npc('behaviour: wander, route: [[2, 2]]'), "'route' has no effect with the behaviour wander", '23:41'],
  [npc('every: 2'), "'every' has no effect with the behaviour still", '23:22'],
  [npc('behaviour: chase, targets: [bob]'), "no agent or creature has the id 'bob'", '23:50'],
  [npc('watch: 3'), "'watch' has no effect without 'catches'", '23:29'],
  [npc('behavior: wander'), "did you mean 'behaviour'?", '23:22'],
  [
    swap('+.k.#\n', '#.k.#\n')
      .replace('  +: { door: gate }\n', '')
      .replace('doors:\n  gate: { key: small-key }\n', '') +
      'npcs:\n  rat: { at: [1, 1], behaviour: patrol, route: [[6, 1]] }\n',
    'there is no path from (1, 1) to (6, 1)',
    '20:49',
  ],
];

const CONDITIONS: readonly Row[] = [
  // What is wrong in a condition does not hide what else is wrong in it.
  [add('success: { all: [{ agent: ann, in_room: wst }], door: gate }'), "no room has the id 'wst'", '22:41'],
  [
    add('success: { not: { not: { agent: ann, holds: key }, agent: ann } }'),
    "no thing has the id 'key'",
    '22:45',
  ],
  [
    add('success: { thing: small-key, inside: small-key, is: open }'),
    'small-key is not a container',
    '22:38',
  ],
  [add('success: { agent: ann, at: [99, 99], holds: small-key }'), '(99, 99) is outside the map', '22:28'],
  [
    add('success: { agent: ann, has_read: small-key, in_room: west }'),
    'small-key has no text to read',
    '22:34',
  ],
  [add('success: { counter: pulls, at_least: 1, at_most: 2 }'), "no trigger counts 'pulls'", '22:21'],
  [add('success: won'), "expected keys with values, found 'won'", '22:10'],
  [add('success: {}'), 'nothing is not a valid condition', '22:1'],
  [add('success: { agent: ann }'), 'agent is not a valid condition', '22:1'],
  [
    add('success: { agent: ann, holds: small-key, done: true }'),
    'agent, holds, done is not a valid condition',
    '22:1',
  ],
  [add('success: { agent: anne, done: true }'), "did you mean 'ann'?", '22:19'],
  [add('success: { agent: ann, holds: gate }'), "'gate' is a door, but a thing is needed", '22:31'],
  [add('success: { agent: ann, in_room: wets }'), "did you mean 'west'?", '22:33'],
  [add('success: { agent: ann, has_read: small-key }'), 'has no text to read', '22:34'],
  [add('success: { agent: ann, near: small-kye }'), "did you mean 'small-key'?", '22:30'],
  [
    add('success: { agent: ann, near: west }'),
    "'west' is a room, but a thing or door or agent or creature is needed",
    '22:30',
  ],
  [add('success: { agent: ann, near: ann, within: 2 }'), 'ann is always near itself', '22:30'],
  [add('success: { agent: ann, near: gate, within: -1 }'), 'the minimum is 0', '22:44'],
  [add('success: { thing: small-key, within: 1 }'), 'within, thing is not a valid condition', '22:1'],
  [add('success: { agent: ann, at: [9, 9] }'), '(9, 9) is outside the map', '22:28'],
  [add('success: { agent: ann, done: yes }'), "'yes' is not one of: true", '22:30'],
  [
    add('success: { thing: small-key, is: open }'),
    "small-key is not a container, so its state is never 'open'",
    '22:34',
  ],
  [
    add('success: { thing: small-key, is: worked }'),
    "has no 'work', so its state is never 'worked'",
    '22:34',
  ],
  [add('success: { door: gate, is: worked }'), 'a door is open, closed, locked or unlocked', '22:28'],
  [add('success: { door: gate, is: ajar }'), 'is not one of: open', '22:28'],
  [add('success: { thing: small-key, inside: gate }'), "'gate' is a door", '22:38'],
  [add('success: { thing: small-key, inside: small-key }'), 'is not a container', '22:38'],
  [add('success: { all: [] }'), 'the list has 0 entries; the minimum is 1', '22:17'],
  [add('failure: { any: [{ agent: any, cuaght: true }] }'), "did you mean 'caught'?", '22:32'],
  [add('failure: { not: { agent: bob, done: true } }'), "no agent has the id 'bob'", '22:26'],
  [
    add(`success: ${'{ not: '.repeat(9)}{ agent: any, done: true }${' }'.repeat(9)}`),
    'conditions are nested more than 8 deep',
    '22:61',
  ],
];

const OWNERS = {
  agent: '  - { id: twin, sprite: knight, at: [1, 1] }',
  creature: 'npcs:\n  twin: { sprite: rat, at: [3, 1] }',
  thing: '  twin: { sprite: table, at: [1, 3] }',
  room: '  twin: { area: [5, 1, 1, 1] }',
  door: '  twin: { at: [4, 2] }',
} as const;

/** The base with one more of a kind, called `twin`. */
function withTwin(text: string, kind: keyof typeof OWNERS): string {
  const before = { thing: '\nagents:', room: '\ndoors:', door: '\nthings:', agent: null, creature: null }[
    kind
  ];
  if (before !== null) return text.replace(before, () => `\n${OWNERS[kind]}${before}`);
  return kind === 'agent'
    ? text.replace('\n  - id: ann', () => `\n${OWNERS.agent}\n  - id: ann`)
    : `${text}${OWNERS[kind]}\n`;
}

test('an id belongs to one of all agents, creatures, things, rooms and doors', () => {
  const kinds = ['agent', 'creature', 'thing', 'room', 'door'] as const;
  const pairs = kinds.flatMap((one, i) => kinds.slice(i + 1).map((other) => [one, other] as const));
  for (const [one, other] of pairs) {
    const told = diagnose(withTwin(withTwin(BASE, one), other)).map(({ message }) => message);
    expect(
      told.filter((each) => each.startsWith("the id 'twin' is used twice")),
      `${one} ${other}`,
    ).toHaveLength(1);
  }
});

test('terrain is drawn with a class of ground or with a tile', () => {
  for (const sprite of ['hedge', 'furniture/table'])
    expect(
      load(swap('legend:', `terrain: { bog: { sprite: ${sprite}, name: bog } }\nlegend:\n  .: bog`)).warnings,
    ).toEqual([]);
});

testRows({ SLIPS, MAP, ROOMS, THINGS, BODIES, CONDITIONS });

test('an emoji is one character of the map, with or without its variation selector', () => {
  const map = '  #########\n  #...#...#\n  #.A.+.k.#';
  const drawn = (dagger: string) =>
    BASE.replace(map, `  #########\n  #.\u{1F600}.#..${dagger}#\n  #.A.+.k.#`).replace(
      'legend:',
      `legend:\n  '\u{1F600}': grass\n  '${dagger}': water`,
    );
  const plain = load(
    BASE.replace(map, '  #########\n  #.".#..~#\n  #.A.+.k.#').replace('legend:', `legend:\n  '"': grass`),
  );
  for (const dagger of ['\u{1F5E1}', '\u{1F5E1}\uFE0F']) {
    expect(diagnose(drawn(dagger))).toEqual([]);
    expect(load(drawn(dagger)).scenario.definition).toEqual(plain.scenario.definition);
  }
});
