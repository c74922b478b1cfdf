/** One mistake hides no other that does not follow from it, none is told twice, and what is suggested is of use. */
import { expect, it } from 'vitest';
import { add, npc, swap, thing } from './rows.js';
import { BASE, diagnose, ownSprites } from './support.js';

const told = (text: string): readonly string[] =>
  diagnose(text, { known: { sprites: ownSprites() } }).map(({ message }) => message);
const suggestion = (text: string, message: string): string | undefined =>
  diagnose(text, { known: { sprites: ownSprites() } }).find((one) => one.message.includes(message))
    ?.suggestion;

it.each<[what: string, text: string, messages: readonly string[]]>([
  [
    'an unknown key, an unknown agent beside it',
    add('success: { agent: an, in: east }'),
    ["unknown key 'in' in success", "no agent has the id 'an'"],
  ],
  [
    'two unknown ids in one condition',
    add('success: { agent: an, holds: gould }'),
    ["no agent has the id 'an'", "no thing has the id 'gould'"],
  ],
  [
    'two places, of which one is nobody',
    thing('q: { held_by: zed, at: [0, 0], kind: key }'),
    [
      'the thing q is placed 2 times',
      'the key q opens nothing',
      "no agent or creature has the id 'zed'",
      'q is in the wall at (0, 0)',
    ],
  ],
  [
    'a door without a place, with an unknown key',
    swap('  gate: {', '  d2: { key: nokey }\n  gate: {'),
    ['the door d2 has no position', "no thing has the id 'nokey'"],
  ],
  [
    'a door that joins nothing, with an unknown key',
    swap('  gate: {', '  d1: { key: nokey, at: [2, 2] }\n  gate: {'),
    ['the door d1 at (2, 2) joins nothing', "no thing has the id 'nokey'"],
  ],
  [
    'a creature without place and route, with an unknown target',
    add('npcs:\n  rat: { behaviour: patrol, targets: [zed] }'),
    [
      'rat has no position',
      'rat patrols but has no route',
      "no agent or creature has the id 'zed'",
      "'targets' has no effect with the behaviour patrol",
    ],
  ],
  [
    'an agent without a place, with an unknown action',
    swap('  A: { agent: ann }', '  A: floor').replace('sprite: knight', 'sprite: knight\n    actions: [FLY]'),
    ['ann has no position', "there is no action called 'FLY'"],
  ],
  [
    'a tag, a row that is short and an unknown key of a door',
    BASE.replace('title: Test', 'title: !x Test')
      .replace('  #...#...#\n', '  #...#...\n')
      .replace('key: small-key }', 'key: smal-key }'),
    [
      'YAML: Unresolved tag: !x',
      'row 1 of the map has 8 characters, but most rows have 9',
      "no thing has the id 'smal-key'",
      'the key small-key opens nothing',
    ],
  ],
  [
    'a row that is short where the legend gives # another meaning',
    BASE.replace('#...#...#\n', '#...#...\n')
      .replace('key: small-key }', 'key: smal-key }')
      .replace('legend:\n', "legend:\n  '#': wall\n"),
    [
      'row 1 of the map has 8 characters, but most rows have 9',
      "no thing has the id 'smal-key'",
      'the key small-key opens nothing',
    ],
  ],
  [
    'a door that is drawn twice beside rooms that it parts',
    BASE.replace('#...#...#\n  #.A.+', '#...+...#\n  #.A.+')
      .replace('west: { area: [1, 1, 3, 3] }', 'west: { from: [1, 1] }')
      .replace('east: { area: [5, 1, 3, 3] }', 'east: { from: [5, 1] }'),
    ['gate appears twice in the map'],
  ],
  [
    'a door that nobody knows, drawn between rooms',
    swap('+: { door: gate }', '+: { door: gat }')
      .replace('gate: {', 'gate: { at: [4, 1],')
      .replace('west: { area: [1, 1, 3, 3] }', 'west: { from: [1, 1] }')
      .replace('east: { area: [5, 1, 3, 3] }', 'east: { from: [5, 1] }'),
    ["no door has the id 'gat'"],
  ],
  [
    'a room that covers another: which rooms the door between them joins only follows',
    swap('east: { area: [5, 1, 3, 3] }', 'east: { area: [2, 1, 6, 3] }'),
    ['the tile (2, 1) already belongs to east'],
  ],
  [
    'two rooms in one space: that a door within it joins nothing only follows',
    BASE.replace('#...#...#\n  #.A.+', '#.......#\n  #.A.+')
      .replace('west: { area: [1, 1, 3, 3] }', 'west: { from: [1, 1] }')
      .replace('east: { area: [5, 1, 3, 3] }', 'east: { from: [5, 1] }'),
    ['west and east are one space: no wall or door between them'],
  ],
  [
    'a room outside the map, a door to it',
    BASE.replace('east: { area: [5, 1, 3, 3] }', 'east: { area: [50, 1, 3, 3] }'),
    ['this area reaches beyond the map, which is 9 × 5 tiles'],
  ],
  [
    'two agents of one id, a letter in the map for one of them',
    add('  - { id: ann, sprite: knight }'),
    ["two agents have the id 'ann'"],
  ],
  [
    'two agents of one id, one of them in a wall',
    add('  - { id: ann, sprite: knight, at: [0, 0] }'),
    ["two agents have the id 'ann'", 'ann is in the wall at (0, 0)'],
  ],
])('%s: all are told', (_what, text, messages) => {
  const found = diagnose(text, { known: { sprites: ownSprites(), actions: ['GO'] } }).map(
    ({ message }) => message,
  );
  expect(found.toSorted()).toEqual([...messages].toSorted());
});

it('a number that is too large is told once', () => {
  expect(told(add('seed: 99999999999999999999999'))).toEqual([
    'the number 99999999999999999999999 is too large',
  ]);
});

it('a tile that is suggested is free', () => {
  const crowd = npc('sprite: rat').replace('npcs:', 'npcs:\n  bat: { at: [1, 2], sprite: rat }');
  const text = crowd.replace('npcs:', 'npcs:\n  cat: { at: [1, 1], sprite: rat }');
  expect(suggestion(text, 'is already at (1, 1)')).toBe('(2, 1) is free');
});

it('a thing without looks is told to take a sprite or a kind', () => {
  expect(suggestion(thing('q: { at: [1, 1] }'), "no tile 'q'")).toBe(
    "write 'sprite: TILE', or a kind that has one, such as 'kind: key'",
  );
});

it.each([
  ['item/golf', 'assets/tileset.json lists the tiles, and docs/pictures/tiles.png shows them'],
  ['item/potion', "did you mean 'item/potion-blue'?"],
  ['key', "did you mean 'item/key-blue'?"],
  ['item/cone', "did you mean 'item/coin'?"],
  ['coim', "did you mean 'item/coin'?"],
  ['item/wolf', "did you mean 'figure/wolf'?"],
])('the sprite %s: %s', (sprite, words) => {
  expect(suggestion(thing(`q: { at: [1, 1], sprite: ${sprite} }`), 'no tile')).toBe(words);
});

it('far figures are not suggested, but all are listed', () => {
  const text = BASE.replace('sprite: knight', 'sprite: zog');
  const figures = [...ownSprites().tiles].filter((tile) => tile.startsWith('figure/'));
  const names = figures.map((tile) => tile.slice('figure/'.length)).sort();
  expect(names).toContain('zombie');
  expect(suggestion(text, "no tile 'zog'")).toBe(`known: ${names.join(', ')}`);
});

it('of a line with a secret the part before it is shown, and the caret points at it', () => {
  const secret = 'sk-abcdefghijklmnopqrstuvwxyz123456';
  const found = diagnose(add(`models: { main: { token: hunter2, api_key: ${secret} } }`));
  const shown = found.map(({ source, caret }) => ({ source, at: source.slice(caret - 1) }));
  expect(shown).toEqual([
    { source: 'models: { main: { token: ********', at: 'token: ********' },
    { source: 'models: { main: { token: ********, api_key: ********', at: 'api_key: ********' },
    { source: 'models: { main: { token: ********, api_key: ********', at: '********' },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/hunter2|abcdef/);
});
