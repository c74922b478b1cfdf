/**
 * Files from strangers: whatever is handed to the loader ends in a scenario or in a ScenarioError, soon, and never in another
 * error, a hang, or a changed prototype. The worst that is known is listed; the rest is mutated from what ships.
 */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { BASE, diagnose, load } from './support.js';
import { SIZED, sizeOf, someOf } from '../support/sizes.js';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const laughs = Array.from(
  { length: 30 },
  (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}*a${i}]`,
).join('\n');
const chain = Array.from({ length: 3000 }, (_, i) => `a${i + 1}: &a${i + 1} { not: *a${i} }`).join('\n');

const HOSTILE: readonly (readonly [name: string, content: Uint8Array | string, message: string])[] = [
  ['alias bomb', `a0: &a0 lol\n${laughs}`, 'aliases make the scenario too large'],
  ['deep by aliases', `a0: &a0 {}\n${chain}`, 'nested more than 40 deep'],
  ['alias of itself', 'a: &a [*a]', 'there is no anchor before the alias *a'],
  ['alias as key', 'a: &a x\n*a : y', 'a key must be a scalar, not a list or a mapping'],
  ['merge of an alias', 'a: &a { b: 1 }\nc:\n  <<: *a', "the merge key '<<'"],
  ['unknown alias', 'a: *b', 'there is no anchor before the alias *b'],
  ['deep lists', '['.repeat(10_000), 'nested more than 40 deep'],
  ['deep maps', '{a: '.repeat(4000), 'nested more than 40 deep'],
  ['deep dashes', '- '.repeat(9000), 'nested more than 40 deep'],
  ['deep questions', '? '.repeat(9000), 'nested more than 40 deep'],
  ['deep colons', ': '.repeat(9000), 'nested more than 40 deep'],
  [
    'deep indentation',
    Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    'nested more than 40 deep',
  ],
  ['deep on many lines', '- \n- - \n- - - '.repeat(3) + '[\n'.repeat(50_000), 'nested more than 40 deep'],
  ['one line of 10 MB', `title: ${'x'.repeat(10_000_000)}`, 'larger than'],
  ['one long line', `title: ${'x'.repeat(LIMITS.yamlLineBytes)}`, 'the line is longer than'],
  ['too many lines', `a:\n${'- b\n'.repeat(900_000)}`, 'more than 60000 lines'],
  ['too many keys', Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join('\n'), 'too many values'],
  ['too many values in few tokens', `a: [\n${'1,1,1,1,\n'.repeat(240_000)}]`, ''],
  ['blank lines', '\n'.repeat(3_900_000), 'more than 60000 lines'],
  ['empty keys', ':\n'.repeat(50_000), ''],
  ['empty questions', '?\n'.repeat(50_000), ''],
  [
    'thousands of terrains',
    `${BASE}terrain:\n${Array.from({ length: 5000 }, (_, i) => `  t${i}: { name: x, sprite: wall }`).join('\n')}`,
    'the maximum is 256',
  ],
  [
    'thousands of unknown ids',
    `${BASE}things:\n${Array.from({ length: 5000 }, (_, i) => `  a-rather-long-name-${i}: { in: a-rather-long-name-x${i} }`).join('\n')}`.replace(
      'things:\n  small-key: { kind: key }\n',
      '',
    ),
    "no thing has the id 'a-rather",
  ],
  ['tag', 'a: !!js/function "function () {}"', 'Unresolved tag: tag:yaml.org,2002:js/function'],
  ['local tag', 'a: !ruby/object x', 'Unresolved tag: !ruby/object'],
  ['binary', 'a: !!binary aGVsbG8=', 'Unresolved tag: tag:yaml.org,2002:binary'],
  ['verbatim tag', 'a: !<tag:example.org,2000:x> x', 'Unresolved tag: tag:example.org,2000:x'],
  ['directive', '%YAML 1.1\n---\na: no', 'directives are not supported'],
  ['tag directive', '%TAG ! tag:example.org,2000:\n---\na: b', 'directives are not supported'],
  ['two documents', 'title: a\n---\ntitle: b', 'a file can contain only one scenario'],
  ['three marks', '---\n---\n---\n', 'a file can contain only one scenario'],
  ['NUL', 'title: a\0b', 'the control character U+0000'],
  ['escape', 'title: \u001B[31mred', 'the control character U+001B'],
  ['UTF-16 LE', new Uint8Array([0xff, 0xfe, 0x74, 0x00]), 'the file is UTF-16'],
  ['UTF-16 BE', new Uint8Array([0xfe, 0xff, 0x00, 0x74]), 'the file is UTF-16'],
  ['Latin-1', new Uint8Array([0x74, 0x3a, 0x20, 0xe9]), 'the file is not UTF-8 text'],
  ['lone surrogate', 'title: \uD800', 'half of a surrogate pair'],
  [
    'a room of 10^18 tiles',
    BASE.replace('area: [1, 1, 3, 3]', 'area: [1, 1, 1000000000, 1000000000]'),
    'the maximum is 1000',
  ],
  ['a thousand rooms over a large map', thousandRooms(), 'the rooms cover the map several times over'],
  [
    'regular expression bomb',
    BASE.replace('title: Test', `title: ${'a'.repeat(15_000)}!`),
    'the maximum is 2000 characters',
  ],
];

function thousandRooms(): string {
  const row = `  ${'#'.repeat(199)}.\n`;
  const rooms = Array.from({ length: 1000 }, (_, i) => `  r${i}: { area: [0, 0, 199, 200] }\n`).join('');
  return `title: T\nmap: |\n${row.repeat(200)}rooms:\n${rooms}agents: [{ id: ann, sprite: knight, at: [199, 0] }]\n`;
}

describe('hostile files', () => {
  test.each(someOf(HOSTILE, 'hostileFiles'))('%s', SIZED, (_, content, message) => {
    const found = diagnose(content);
    expect(found.map((each) => each.message).join('\n')).toContain(message);
    expect(found.filter((each) => each.severity === 'error')).not.toEqual([]);
    for (const each of found) expect(each.source.length).toBeLessThanOrEqual(122);
  });
});

test('a byte order mark is no mistake', () => {
  expect(load(new Uint8Array([0xef, 0xbb, 0xbf, ...text(BASE)])).scenario.title).toBe('Test');
});

test('line ends of Windows are no mistake, and columns stay right', () => {
  expect(load(BASE.replaceAll('\n', '\r\n')).warnings).toEqual([]);
  const [found] = diagnose(BASE.replace('#.A.+.k.#', '#.A.+?k.#').replaceAll('\n', '\r\n'));
  expect([found?.line, found?.column]).toEqual([5, 8]);
});

test('the largest map loads', () => {
  const wall = `  ${'#'.repeat(200)}\n`;
  const row = `  #${'.'.repeat(198)}#\n`;
  const content = `title: Large\nmap: |\n${wall}${row.repeat(198)}${wall}rooms: { all: { from: [1, 1] } }\nagents: [{ id: ann, sprite: knight, at: [100, 100] }]\n`;
  const { definition } = load(content).scenario;
  expect(definition).toMatchObject({
    size: { width: 200, height: 200 },
    rooms: [{ areas: [{ x: 1, y: 1, width: 198, height: 198 }] }],
  });
});

test('a secret is not repeated, wherever it stands', () => {
  const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz012345';
  for (const content of [
    `title: ${key}`,
    `${BASE}models: { main: { api_key: ${key} } }`,
    `${BASE}models:\n  main:\n    api_key_env: ${key}\n`,
  ]) {
    expect(JSON.stringify(diagnose(content))).not.toContain(key);
  }
});

test('nothing is written into prototypes', () => {
  diagnose(`${BASE}__proto__: { polluted: 1 }\nmodels: { main: { extra: { __proto__: { polluted: 1 } } } }`);
  diagnose(BASE, {
    set: ['__proto__.polluted=1', 'models.__proto__.polluted=1', 'constructor.prototype.polluted=1'],
  });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

const SHIPPED = ['crypt', 'brass-key', 'two-keepers', 'watchman'].map((name) =>
  readFileSync(`scenarios/${name}.yaml`, 'utf8'),
);
const SNIPPETS = [
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '\n',
  '  ',
  '"',
  "'",
  '|',
  '>',
  '#',
  '&a ',
  '*a',
  '!',
  '%',
  '?',
  '~',
  '-1',
  '0x1',
  '.inf',
  'null',
  '${X',
  '\t',
  '\u{1F600}',
  '__proto__: 1\n',
];

test('every mutation of what ships loads or is refused in words', SIZED, () => {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat(12),
    put: fc.oneof(fc.constantFrom(...SNIPPETS), fc.string({ maxLength: 4 })),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...SHIPPED),
      fc.array(edit, { minLength: 1, maxLength: 5 }),
      (scenario, edits) => {
        const mutated = edits.reduce((whole, { at, cut, put }) => {
          const from = Math.floor(at * whole.length);
          return whole.slice(0, from) + put + whole.slice(from + cut);
        }, scenario);
        for (const each of diagnose(mutated)) {
          expect(each.line).toBeGreaterThanOrEqual(1);
          expect(each.column).toBeGreaterThanOrEqual(1);
          expect(each.message).not.toBe('');
        }
      },
    ),
    { numRuns: sizeOf('changedScenarios') },
  );
});
