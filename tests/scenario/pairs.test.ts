/**
 * No mistake hides another that does not follow from it: of a scenario that can be wrong in many places, every two mistakes are made
 * together, and both must be told.
 */
import { expect, it, test } from 'vitest';
import { diagnose } from './support.js';

const WELL = `title: Two rooms
map: |
  ###########
  #A..#..k..#
  #...+.....#
  #B..#..~..#
  ###########
legend:
  A: { agent: ada }
  B: { agent: ben }
  +: { door: gate }
  k: { thing: small-key }
rooms:
  yard: { from: [1, 1] }
  store: { from: [6, 1] }
doors:
  gate: { key: small-key }
things:
  small-key: { kind: key }
  chest: { at: [9, 3], kind: chest }
npcs:
  rat: { at: [8, 2], behaviour: wander }
success: { agent: ada, holds: small-key }
turns: { max: 20 }
agents:
  - id: ada
    sprite: knight
  - id: ben
    sprite: wizard
`;

interface Mistake {
  from: string;
  to: string;
  message: string;
}

/** After a line, another one. */
const after = (line: string, more: string, message: string): Mistake => ({
  from: `${line}\n`,
  to: `${line}\n${more}\n`,
  message,
});
const instead = (from: string, to: string, message: string): Mistake => ({ from, to, message });

const MISTAKES: readonly Mistake[] = [
  instead('title: Two', 'titel: Two', "unknown key 'titel'"),
  instead('+.....#', '+..z..#', "the legend does not define 'z'"),
  instead('#B..#..~..#', '#B..#..~..', 'row 3 of the map has 10 characters'),
  instead('agent: ben', 'agent: bem', "no agent has the id 'bem'"),
  instead('#...+.....#', '#..++.....#', 'gate appears twice in the map'),
  instead('#A..#..k..#', '#A..#..kk.#', 'small-key appears twice in the map'),
  after('legend:', '  x: { terrain: swamp }', "unknown terrain 'swamp'"),
  after('legend:', '  kk: floor', "'kk' is not a single plain character"),
  after('rooms:', '  cellar: { area: [40, 1, 2, 2] }', 'this area reaches beyond the map'),
  after('rooms:', '  attic: {}', 'the room attic has no area'),
  after('rooms:', '  vault: { from: [0, 0] }', '(0, 0) is wall, not a tile of a room'),
  after('rooms:', '  void: { from: [99, 1] }', '(99, 1) is outside the map'),
  after('doors:', '  nowhere: { at: [2, 2] }', 'the door nowhere at (2, 2) joins nothing'),
  after('doors:', '  wrong: { at: [7, 2], between: [yard, cellr] }', "no room has the id 'cellr'"),
  after(
    'doors:',
    '  astray: { at: [7, 2], between: [yard, cellr] }',
    'the door astray at (7, 2) joins nothing',
  ),
  after('doors:', '  afar: { at: [50, 2] }', '(50, 2) is outside the map'),
  after('doors:', '  lost: {}', 'the door lost has no position'),
  instead('gate: { key: small-key }', 'gate: { key: smal-key }', "no thing has the id 'smal-key'"),
  after('things:', '  orb: { at: [1, 2] }', "the tileset has no tile 'orb'"),
  after('things:', '  coin: { at: [0, 1], sprite: scroll }', 'coin is in the wall at (0, 1)'),
  after('things:', '  bag: { in: bag, kind: chest }', 'bag is inside itself'),
  after('things:', '  memo: { at: [1, 2], kind: note }', 'the note memo has no text'),
  after('npcs:', '  fog: { at: [7, 3], sprite: rat }', 'fog is in the water at (7, 3)'),
  after('npcs:', '  cat: { at: [2, 1], sprite: zog }', "the tileset has no tile 'zog'"),
  after(
    'npcs:',
    '  bat: { at: [3, 1], sprite: rat, behaviour: patrol, route: [[0, 0]] }',
    "bat can't walk to (0, 0)",
  ),
  after('npcs:', '  ada: { at: [3, 3], sprite: rat }', "the id 'ada' is used twice"),
  instead('holds: small-key }', 'holds: rubby }', "no thing has the id 'rubby'"),
  instead('max: 20', 'max: soon', "expected a whole number, found 'soon'"),
  after('agents:', '  - { id: eve, sprite: knight, at: [4, 0] }', 'eve is in the wall at (4, 0)'),
  after('agents:', '  - { id: ben, sprite: knight, at: [3, 2] }', "two agents have the id 'ben'"),
  after('agents:', '  - { id: ada, sprite: knight, at: [0, 0] }', 'ada is in the wall at (0, 0)'),
  after(
    'agents:',
    '  - { id: kim, sprite: knight, at: [2, 3], actions: [FLY] }',
    "there is no action called 'FLY'",
  ),
  after('agents:', '  - { id: liz, sprite: hero, at: [2, 3] }', "the tileset has no tile 'hero'"),
  after('agents:', '  - { id: max, sprite: knight }', 'max has no position'),
];

const made = (text: string, { from, to }: Mistake): string => {
  if (!text.includes(from)) throw new Error(`there is no ${from}`);
  return text.replace(from, () => to);
};
const told = (text: string): readonly string[] =>
  diagnose(text)
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

it('alone it is without a mistake', () => {
  expect(told(WELL)).toEqual([]);
});

test.each(MISTAKES.map((one) => ({ ...one, one })))('$message: beside every other', ({ one, message }) => {
  const single = told(made(WELL, one));
  expect(single).toContainEqual(expect.stringContaining(message));
  const hidden = MISTAKES.slice(0, MISTAKES.indexOf(one)).flatMap((other) => {
    const text = made(WELL, one);
    if (!text.includes(other.from)) return [];
    const found = told(made(text, other));
    const lacking = [message, other.message].filter((words) => !found.some((each) => each.includes(words)));
    return lacking.map((words) => `'${words}' is hidden in: ${found.join(' | ')}`);
  });
  expect(hidden).toEqual([]);
});
