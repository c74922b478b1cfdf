/** Which patrols are told of: those that something bars for good, once each, and none that somebody could clear or that is free. */
import { expect, it } from 'vitest';
import { npc, swap } from '../../../scenario/rows.js';
import { diagnose, ownSprites } from '../../../scenario/support.js';

const told = (text: string): readonly string[] =>
  diagnose(text, { known: { sprites: ownSprites() } }).flatMap(({ message }) =>
    /\brat\b|no way leads/.test(message) ? [message] : [],
  );

const PATROL = npc('sprite: figure/rat, behaviour: patrol, route: [[1, 3], [6, 1]]');
const OPEN = PATROL.replace('key: small-key }', 'state: open, key: small-key }');
const beside = (what: string): string => OPEN.replace('agents:', `  t: { ${what}, at: [1, 3] }\nagents:`);

/** Between the two free tiles in the middle only a diagonal step leads, past two walls. */
const CORNER = `title: Corner
map: |
  ######
  #A####
  #.####
  ##.###
  ##B###
  ######
legend:
  A: { agent: ann }
  B: { npc: rat }
agents:
  - { id: ann, sprite: figure/knight }
npcs:
  rat: { sprite: figure/rat, behaviour: patrol, route: [[1, 2]] }
rules: { movement: tile, diagonals: true }
`;

it.each<[what: string, text: string, messages: readonly string[]]>([
  ['a door that stands open', OPEN, []],
  [
    'a door that is shut',
    PATROL,
    [
      'rat opens no doors, and the way to (6, 1) leads through one that is shut: it waits until somebody opens it',
    ],
  ],
  [
    'a thing that nobody can move',
    beside('kind: furniture, sprite: furniture/table'),
    ["rat can't walk to (1, 3): t stands there"],
  ],
  ['a thing that can be pushed away', beside('kind: boulder, sprite: furniture/boulder'), []],
  ['a thing that can be carried away', beside('kind: key'), []],
  [
    'a thing that is not there yet',
    beside('kind: furniture, sprite: furniture/table, absent: true').concat(
      'triggers: { t: { when: { agent: ann, in_room: east }, then: [{ spawn: t }] } }\n',
    ),
    [],
  ],
  [
    'a wall, which is told as that and not once more',
    swap('+.k.#\n', '#.k.#\n')
      .replace('  +: { door: gate }\n', '')
      .replace('doors:\n  gate: { key: small-key }\n', '')
      .concat('npcs:\n  rat: { at: [1, 1], sprite: figure/rat, behaviour: patrol, route: [[6, 1]] }\n'),
    ['no way leads from (1, 1) to (6, 1)'],
  ],
  [
    'the corner of two walls, past which no diagonal step leads',
    CORNER,
    ['no way leads from (2, 4) to (1, 2)'],
  ],
])('past %s', (_what, text, messages) => {
  expect(told(text)).toEqual(messages);
});
