/** Mistakes in triggers are told at their place; what can never fire, or never matters, too. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../../../src/base/limits.js';
import { add, testRows, thing } from '../../../scenario/rows.js';
import type { Row } from '../../../scenario/rows.js';
import { BASE, load } from '../../../scenario/support.js';

/** A trigger `t` at the end of the scenario, on one line after `triggers:` on line 22. */
function trigger(body: string): string {
  return add(`triggers:\n  t: ${body}`);
}

const THEN = 'then: [{ open: gate }]';
const KEY = 'when: { used: small-key }';

const ROWS: readonly Row[] = [
  [trigger(`{ ${THEN} }`), "the trigger t has no event or condition → write 'when' or 'if'", '23:3'],
  [trigger(`{ when: {}, ${THEN} }`), "'when' must be exactly one of used, entered_room", '23:8'],
  [trigger(`{ when: { used: small-key, turn: 1 }, ${THEN} }`), 'found: used and turn', '23:8'],
  [trigger(`{ when: { turn: 1, on: gate }, ${THEN} }`), "'on' has no effect together with 'turn'", '23:25'],
  [trigger(`{ when: { pulled: small-key }, ${THEN} }`), "unknown key 'pulled'", '23:16'],
  [trigger(`{ when: { used: smal-key }, ${THEN} }`), "did you mean 'small-key'?", '23:22'],
  [trigger(`{ when: { used: small-key, agent: anne }, ${THEN} }`), "did you mean 'ann'?", '23:40'],
  [trigger(`{ when: { entered_room: wst }, ${THEN} }`), "did you mean 'west'?", '23:30'],
  [trigger(`{ when: { entered_tile: [0, 0] }, ${THEN} }`), 'the wall is at (0, 0)', '23:30'],
  [trigger(`{ when: { said: hi, in_room: esat }, ${THEN} }`), "did you mean 'east'?", '23:35'],
  [trigger(`{ when: { used: small-key, on: gate }, ${THEN} }`), 'small-key on gate turns its lock', '23:37'],
  [trigger(`{ ${KEY}, then: [{}] }`), 'an effect must be exactly one of open, close', '23:42'],
  [trigger(`{ ${KEY}, then: [{ open: gate, lock: gate }] }`), 'found: open and lock', '23:42'],
  [trigger(`{ ${KEY}, then: [{ open: gats }] }`), "did you mean 'gate'?", '23:50'],
  [trigger(`{ ${KEY}, then: [{ open: small-key }] }`), 'small-key is not a container', '23:50'],
  [trigger(`{ ${KEY}, then: [{ open: gate, by: 1 }] }`), "'by' has no effect together with 'open'", '23:56'],
  [
    trigger(`{ ${KEY}, then: [{ spawn: small-key }] }`),
    "small-key is present from the start, so it can't be spawned",
    '23:51',
  ],
  [trigger(`{ ${KEY}, then: [{ move: small-key }] }`), 'the destination of small-key is missing', '23:44'],
  [trigger(`{ ${KEY}, then: [{ move: small-key, at: [0, 0] }] }`), 'the wall is at (0, 0)', '23:65'],
  [trigger(`{ ${KEY}, then: [{ tell: Ho, to: bob }] }`), "no agent has the id 'bob'", '23:58'],
  [
    trigger(`{ ${KEY}, then: [{ tell: Ho, to: ann, in_room: west }] }`),
    "'to', 'in_room' and 'at' are mutually exclusive",
    '23:42',
  ],
  [trigger(`{ ${KEY}, then: [{ tell: Ho, at: [99, 0] }] }`), '(99, 0) is outside the map', '23:58'],
  [trigger('{ when: { turn: 1 }, then: [{ tell: Ho }] }'), 'no agent sets this trigger off', '23:36'],
  [trigger(`{ ${KEY}, then: [{ incapacitate: anne }] }`), "did you mean 'ann'?", '23:58'],
  [trigger('{ when: { turn: 1 }, then: [{ restore: actor }] }'), 'so there is no actor', '23:45'],
  [trigger(`{ ${KEY}, then: [{ count: pulls }] }`), 'the counter pulls is never used', '23:51'],
  [trigger(`{ if: { counter: pulls, at_least: 1 }, ${THEN} }`), "no trigger counts 'pulls'", '23:23'],
  [
    trigger(`{ ${KEY}, if: { counter: pull, exactly: 1 }, then: [{ count: pulls }] }`),
    "did you mean 'pulls'?",
    '23:50',
  ],
  [trigger(`{ ${KEY}, if: { counter: pulls }, ${THEN} }`), 'counter is not a valid condition', '23:35'],
  [
    thing('bun: { at: [1, 1], sprite: bread, absent: true }'),
    'bun is absent and no trigger spawns it',
    '19:3',
  ],
  [
    thing('bun: { held_by: ann, sprite: bread, absent: true }'),
    "bun is absent at the start, so it can't be held",
    '19:19',
  ],
  [
    thing('box: { kind: chest, at: [1, 1], absent: true }\n  bun: { in: box, sprite: bread }'),
    'box is absent at the start, so nothing can be in it',
    '20:14',
  ],
];

testRows({ triggers: ROWS });

test('triggers become data, by id, and a scenario without any says nothing of them', () => {
  const source = add(
    [
      'triggers:',
      '  b: { when: { turn: 2 }, then: [{ count: n }], repeat: true }',
      '  a: { if: { counter: n, at_least: 1 }, then: [{ tell: Ho, to: everyone }] }',
    ].join('\n'),
  );
  expect(load(source).scenario.definition).toMatchObject({
    triggers: [
      {
        id: 'a',
        when: null,
        condition: { kind: 'count', counter: 'n', min: 1, max: null },
        effects: [{ kind: 'tell', text: 'Ho', to: { kind: 'everyone' } }],
        repeats: false,
      },
      {
        id: 'b',
        when: { kind: 'turn-over', turn: 2 },
        condition: null,
        effects: [{ kind: 'count', counter: 'n', by: 1 }],
        repeats: true,
      },
    ],
  });
  expect(load(BASE).scenario.definition).not.toHaveProperty('triggers');
});

test('a trigger that opens a lock without a key makes the lock no slip', () => {
  const locked = trigger(`{ ${KEY}, then: [{ unlock: gate }] }`).replace(
    '{ key: small-key }',
    '{ state: locked }',
  );
  expect(load(locked).warnings.map(({ message }) => message)).not.toContain(
    'gate is locked and nothing can open it',
  );
});

test('there are limits on triggers and on their effects', () => {
  const effects = (count: number): string =>
    trigger(`{ ${KEY}, then: [${'{ open: gate }, '.repeat(count)}] }`);
  expect(() => load(effects(LIMITS.triggerEffects))).not.toThrow();
  expect(() => load(effects(LIMITS.triggerEffects + 1))).toThrow();
  const many = (count: number): string =>
    add(`triggers:\n${Array.from({ length: count }, (_, i) => `  t${i}: { ${KEY}, ${THEN} }`).join('\n')}`);
  expect(() => load(many(LIMITS.triggers))).not.toThrow();
  expect(() => load(many(LIMITS.triggers + 1))).toThrow(/1001 triggers; the maximum is 1000/);
});
