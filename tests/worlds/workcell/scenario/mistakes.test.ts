/** Mistakes in a workcell's keys are told at their place. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../../src/base/limits.js';
import { workcell } from '../../../../src/worlds/workcell/workcell.js';
import { diagnose, load, ownSprites } from '../../../scenario/support.js';

const BASE = `title: Test
environment: workcell
car:
  parts:
    windscreen: {}
    front-left-tyre: {}
    flap: { kind: panel, side: 180 }
faults: [{ part: windscreen, fault: cracked }]
spares: [windscreen, flap]
agents:
  - id: ann
`;

const SETUP = { known: { sprites: ownSprites(), actions: workcell.actionNames } };

function swap(from: string, to: string): string {
  if (!BASE.includes(from)) throw new Error(`the base has no ${from}`);
  return BASE.replace(from, () => to);
}

/** [the scenario, part of the message or of the suggestion after `→`, line:column] */
const ROWS: readonly (readonly [text: string, message: string, place: string])[] = [
  [
    swap('flap: { kind: panel, side: 180 }', 'windscren: {}'),
    "'windscren' is not a built-in part, so it needs kind and side",
    '7:5',
  ],
  [swap('flap: { kind: panel, side: 180 }', 'windscren: {}'), "did you mean 'windscreen'?", '7:5'],
  [swap('kind: panel, side: 180', 'kind: panel'), 'so it needs side', '7:5'],
  [swap('kind: panel, side: 180', 'kind: panl, side: 180'), "did you mean 'panel'?", '7:19'],
  [swap('side: 180', 'side: 45'), 'the number 45 is not one of: 0, 90, 180, 270', '7:32'],
  [swap('side: 180', 'sde: 180'), "did you mean 'side'?", '7:26'],
  [swap('side: 180', 'side: 180, sprite: item/part-tire'), "did you mean 'item/part-tyre'?", '7:45'],
  [
    swap(
      '    flap:',
      `${'abcde'
        .split('')
        .map((id) => `    ${id}: { kind: panel, side: 90 }\n`)
        .join('')}    flap:`,
    ),
    'side 90 has 4 places, and all are taken',
    '10:5',
  ],
  [swap('car:\n', 'car:\n  kind: van\n'), "'kind' has no effect if parts are listed", '4:3'],
  [swap('car:\n', 'car:\n  kind: lorry\n'), "'lorry' is not one of: hatchback, van, roadster, any", '4:9'],
  [swap('part: windscreen', 'part: windshield'), "the car has no part 'windshield'", '8:18'],
  // Built in, but not of this car.
  [swap('part: windscreen', 'part: front-right-tyre'), "the car has no part 'front-right-tyre'", '8:18'],
  [
    swap('fault: cracked }', 'fault: cracked }, { part: front-right-tyre }'),
    "the car has no part 'front-right-tyre'",
    '8:56',
  ],
  [swap('part: windscreen', 'part: windscreen, side: 90'), "'windscreen' is on side 0", '8:36'],
  [swap('part: windscreen, fault', 'side: 270, fault'), 'the car has no part on side 270', '8:18'],
  [swap('fault: cracked', 'fault: crackd'), "did you mean 'cracked'?", '8:37'],
  [swap('fault: cracked', 'fault: punctured'), "'punctured' is not a fault of windscreen", '8:37'],
  [
    swap('{ part: windscreen, fault: cracked }', '{ part: flap }, { part: flap }'),
    "'flap' is already faulty",
    '8:34',
  ],
  [
    swap('{ part: windscreen, fault: cracked }', '{}, {}, {}'),
    'too few of the parts that this fault can affect have spares',
    '8:10',
  ],
  [
    swap('part: windscreen, fault: cracked', 'part: front-left-tyre'),
    "'front-left-tyre' has no spare",
    '8:18',
  ],
  [swap('[windscreen, flap]', '[windscreen, boot-lid]'), "the spare 'boot-lid' fits nothing", '9:22'],
  [swap('[windscreen, flap]', '[windscreen, windscreen]'), "'windscreen' is already on the shelf", '9:22'],
  [swap('[windscreen, flap]', '1').replace('cracked }', 'cracked }, {}'), '1 spares for 2 faults', '9:9'],
  [swap('[windscreen, flap]', '0'), 'the minimum is 1', '9:9'],
  [
    swap('- id: ann', '- { id: ann, orientation: 360 }'),
    'the number 360 is not one of: 0, 90, 180, 270',
    '11:29',
  ],
  [swap('- id: ann', '- { id: ann, actions: [SCAN_AEREA] }'), "did you mean 'SCAN_AREA'?", '11:26'],
  [swap('- id: ann', '- { id: ann, actions: [SCAN_AREA] }'), 'no robot may REMOVE_PART', '10:1'],
  [swap('- id: ann', '- { id: ann, sprite: robt }'), "did you mean 'figure/robot'?", '11:24'],
  [
    swap('agents:', 'render: { window: [13, 15] }\nagents:'),
    'the workshop does not fit into a frame of 13 × 15 tiles',
    '10:9',
  ],
  [swap('title: Test', 'title: Test\nmap: "#"'), "unknown key 'map'", '2:1'],
];

describe('a mistake in a workcell is told', () => {
  test('nowhere in the base', () => expect(diagnose(BASE, SETUP)).toEqual([]));

  test.each(ROWS.map(([text, message, place]) => ({ text, message, place })))(
    '$place $message',
    ({ text, message, place }) => {
      const told = diagnose(text, SETUP).map(
        (each) => `${each.line}:${each.column} ${each.message} → ${each.suggestion ?? ''}`,
      );
      expect(
        told.filter((each) => each.includes(message) && each.startsWith(`${place} `)),
        told.join('\n'),
      ).not.toEqual([]);
    },
  );

  test('for a part that only some of the cars have that the seed may choose', () => {
    const any = (id: string) =>
      diagnose(
        `title: T\nenvironment: workcell\ncar: { kind: any }\nfaults: [{ part: ${id} }]\nagents: [{ id: ann }]\n`,
        SETUP,
      );
    expect(any('windscreen')).toEqual([]);
    expect(any('rear-left-door')).toMatchObject([
      { line: 4, column: 18, message: "the van, which the seed may choose, has no part 'rear-left-door'" },
    ]);
  });
});

describe('a limit on a workcell', () => {
  const faults = (count: number) =>
    swap('{ part: windscreen, fault: cracked }', Array.from({ length: count }, () => '{}').join(', '))
      .replace('[windscreen, flap]', '10')
      .replace(/car:\n(?: .*\n)*/, '');
  const spares = (count: number) => swap('[windscreen, flap]', String(count));
  const robots = (count: number) =>
    swap(
      '  - id: ann\n',
      Array.from({ length: count }, (_, i) => `  - { id: a${i}, sprite: robot }\n`).join(''),
    );

  test.each([
    ['carFaults', faults, LIMITS.carFaults],
    ['spares', spares, LIMITS.spares],
    ['robots', robots, LIMITS.robots],
  ] as const)('%s', (_, text, most) => {
    expect(diagnose(text(most), SETUP)).toEqual([]);
    expect(diagnose(text(most + 1), SETUP)).toMatchObject([
      { message: expect.stringContaining(`the maximum is ${most}`) },
    ]);
  });
});

test('a workcell without keys of its own is a hatchback with one fault', () => {
  const { scenario } = load('title: T\nenvironment: workcell\nagents: [{ id: ann }]\n', SETUP);
  expect(scenario.definition).toMatchObject({
    cars: [{ name: 'hatchback' }],
    faults: [{ part: null, side: null, fault: null }],
    stock: { kind: 'drawn', count: 4 },
    robots: [{ id: 'ann', name: 'Ann', sprite: 'figure/robot', orientation: 0, actions: null }],
    rules: { sight: 'scan', isBurningSoundFatal: false },
  });
});
