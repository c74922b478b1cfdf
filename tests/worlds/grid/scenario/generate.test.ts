/** `generate` instead of `map`: what it makes is an ordinary definition, from the seed; impossible requests are told at their place. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../../../src/base/limits.js';
import { openScenarioFile } from '../../../../src/scenario/folder.js';
import { loadScenario } from '../../../../src/scenario/load.js';
import type { GridDefinition } from '../../../../src/worlds/grid/definition.js';
import { testRows } from '../../../scenario/rows.js';
import type { Row } from '../../../scenario/rows.js';
import { load, ownSprites } from '../../../scenario/support.js';
import { READERS } from '../../../../src/worlds/registry.js';

const HEAD = 'title: T\nagents: [{ id: ann, sprite: knight }]\n';

function generate(body: string, more = ''): string {
  return `${HEAD}generate: { ${body} }\n${more}`;
}

function placed(lists: string): string {
  return generate(
    `size: [20, 20], rooms: 3, ${lists}`,
    'things: { gem: { sprite: bread }, cup: { sprite: bread } }\nnpcs: { rat: {} }\n',
  );
}

const ROWS: readonly Row[] = [
  [HEAD, "'map' is missing (text) → draw one after `map: |`", '1:1'],
  [generate('size: [20, 20], rooms: 3', 'map: "..."\n'), 'a map is either drawn or generated', '3:1'],
  [generate('size: [20, 20], rooms: 40'), "40 rooms don't fit into 20 × 20 tiles → 9 fit", '3:36'],
  [generate('size: [5, 5], rooms: 2'), "2 rooms don't fit into 5 × 5 tiles → one fits", '3:34'],
  [
    generate('size: [20, 20], rooms: 3, locked: 3'),
    '3 locked doors need more than 3 rooms → at most 2',
    '3:47',
  ],
  [generate('size: [20, 20], rooms: 3, room_size: [9, 4]'), 'is longer than the longest, 4', '3:50'],
  [generate('size: [20, 20], rooms: 3, deepest: [gem]'), '→ define it under', '3:49'],
  [
    generate(
      'size: [20, 20], rooms: 3, deepest: [gem]',
      'things: { gem: { held_by: ann, sprite: bread } }\n',
    ),
    'gem already has a position',
    '3:49',
  ],
  [placed('far: [gen]'), "no thing or creature has the id 'gen' → did you mean 'gem'?", '3:45'],
  [placed('near: [cup], apart: [cup]'), "3 rooms don't suffice: none is left for cup", '3:60'],
  [placed('apart: [gem, cup, gem]'), 'gem is already in generate.apart → keep only one', '3:57'],
  [placed('near: [gem], far: [gem]'), 'gem is already in generate.near → keep only one', '3:58'],
  [placed('far: [rat], in: { room-2: [gem, rat] }'), 'rat is already in generate.far', '3:71'],
  [
    placed('in: { room-4: [gem] }'),
    "no generated room has the id 'room-4' → the rooms are room-1 to room-3",
    '3:45',
  ],
  [
    generate('size: [20, 20], rooms: 3, locked: 1', 'things: { key-1: { kind: key } }\n'),
    'key-1 is already the id of the brass key in the generated map',
    '4:11',
  ],
  [generate('size: [4, 20], rooms: 1'), 'the minimum is 5', '3:20'],
  [generate(`size: [20, 20], rooms: ${LIMITS.generatedRooms + 1}`), 'the maximum is 400', '3:36'],
  [generate('rooms: 3'), "'size' is missing", '3:1'],
  [generate('size: [20, 20], rooms: 3, lockd: 1'), "did you mean 'locked'?", '3:39'],
  [
    generate(
      'size: [5, 5], rooms: 1',
      'npcs:\n' + Array.from({ length: 9 }, (_, i) => `  r${i}: { sprite: rat }\n`).join(''),
    ),
    'there is no tile left for r8',
    '3:1',
  ],
];

testRows({ generate: ROWS });

function definition(seed: string): GridDefinition {
  const file = openScenarioFile('scenarios/lost-ring.yaml');
  const { scenario } = loadScenario(file, () => undefined, {
    seed,
    worlds: READERS,
    known: { sprites: ownSprites() },
  });
  expect(scenario.seed).toBe(seed);
  return scenario.definition as unknown as GridDefinition;
}

test('the finished map is the definition, which says nothing of how it came about', () => {
  const made = definition('11');
  expect(made.rows).toHaveLength(32);
  expect(made.doors.flatMap(({ key }) => key ?? []).toSorted()).toEqual(['key-1', 'key-2']);
  expect(made).not.toHaveProperty('generate');
  expect(made.rooms.find(({ id }) => id === 'room-1')).toMatchObject({ name: 'landing' });
  expect(made).toEqual(definition('11'));
});

test('the seed decides about the map', () => {
  expect(definition('11').rows).not.toEqual(definition('12').rows);
});

test('many seeds load without a complaint', () => {
  const file = openScenarioFile('scenarios/lost-ring.yaml');
  for (let seed = 0; seed < 30; seed++) {
    const options = { seed: String(seed), worlds: READERS, known: { sprites: ownSprites() } };
    expect(loadScenario(file, () => undefined, options).warnings).toEqual([]);
  }
});

test('as many rooms as the limit says are made', () => {
  const source = generate(`size: [200, 200], rooms: ${LIMITS.generatedRooms}, locked: 100, loops: 100`);
  expect(load(source, { known: {} }).scenario.definition).toMatchObject({
    size: { width: 200, height: 200 },
  });
});

test('nothing is placed where the scenario itself puts something', () => {
  const source = generate(
    'size: [5, 5], rooms: 1',
    'things: { cup: { sprite: bread, at: [1, 1] }, gem: { sprite: bread } }\nnpcs: { rat: { at: [2, 1] } }\n',
  ).replace('sprite: knight }', 'sprite: knight, at: [3, 1] }');
  for (let seed = 1; seed <= 60; seed++) {
    const { things } = load(source, { seed: String(seed), known: {} }).scenario
      .definition as unknown as GridDefinition;
    // The room has nine tiles.
    expect(things.find(({ id }) => id === 'gem')?.place).not.toMatchObject({ y: 1 });
  }
});
