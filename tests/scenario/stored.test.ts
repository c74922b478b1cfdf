/**
 * The check of scenarios in logs, which follows from the schemas of their sections: a log of every earlier version
 * is read (of the first: tests/log/first-version.test.ts), and no bound becomes narrower than it was.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, expectTypeOf, it, test } from 'vitest';
import { z } from 'zod';
import { runScenario } from '../../src/assembly/run-scenario.js';
import { isRecord } from '../../src/base/json.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import { LogReader } from '../../src/log/reader.js';
import type {
  BudgetSpec,
  MemorySpec,
  ModelSpec,
  ProbesSpec,
  PromptSpec,
  ReflectionSpec,
  RenderSpec,
  RewardSpec,
  Scenario,
  TurnSpec,
} from '../../src/scenario/scenario.js';
import { SCENARIO_KEYS } from '../../src/scenario/schema.js';
import type { AGENT_KEYS } from '../../src/scenario/schema.js';
import type { modelSchema } from '../../src/scenario/schema-model.js';
import { later, LOGGED, section, stored } from '../../src/scenario/section.js';
import { scenarioFault, storedScenario } from '../../src/scenario/stored-scenario.js';
import { chainsOf } from '../support/chains.js';
import { temporaryFolder } from '../support/folder.js';

const LOGS = new URL('../fixtures/logs/', import.meta.url);
const BOUNDS = new URL('bounds.json', LOGS);
const EVERY_KEY = readFileSync(new URL('every-key.yaml', LOGS), 'utf8');
const folder = temporaryFolder();

function firstScenario(path: string): Scenario {
  const reader = new LogReader(path);
  const [{ runId } = { runId: '' }] = reader.runs();
  const { scenario } = reader.run(runId);
  expect(scenarioFault(scenario)).toBeNull();
  const chains = chainsOf(reader, runId);
  expect(chains.length).toBeGreaterThan(3);
  for (const [written, made] of chains) expect(written).toBe(made);
  reader.close();
  return scenario;
}

describe('a log with every key that all worlds share', () => {
  it.each(Array.from({ length: LOG_VERSION - 1 }, (_, i) => i + 2))(
    'is read as a program of version %i wrote it',
    (version) => {
      const path = join(folder, `v${version}.sqlite`);
      writeFileSync(path, gunzipSync(readFileSync(new URL(`v${version}.sqlite.gz`, LOGS))));
      firstScenario(path);
    },
  );

  it('is read as this program writes it, and without what was added before the first release', async () => {
    const log = join(folder, 'today.sqlite');
    await runScenario(EVERY_KEY, { log });
    const { probes, rewards, turns, ...scenario } = firstScenario(log);
    const { speculate, ...olderTurns } = turns;
    expect([probes, rewards, speculate]).not.toContain(undefined);
    expect(scenarioFault({ ...scenario, turns: olderTurns })).toBeNull();
  });
});

test('every key of the top level takes effect, and logs are checked for it', async () => {
  const log = join(folder, 'top-level.sqlite');
  await runScenario(EVERY_KEY, { log });
  // Names of actions and explanations take effect in the form of other keys.
  const { actions: _actions, reflection: _reflection, ...keys } = SCENARIO_KEYS;
  const expected = Object.keys(keys).filter((key) => key !== 'draw');
  expect(Object.keys(firstScenario(log))).toEqual(expect.arrayContaining(expected));
  expect(Object.keys(storedScenario.shape)).toEqual(expect.arrayContaining(Object.keys(keys)));
});

interface Bounds {
  /** Of a number, or of the length of a text or a list; null if there is none. */
  least: number | null;
  most: number | null;
  pattern: string | null;
  choices: readonly unknown[] | null;
}

/** The bounds of every value by its place: `.turns.max`, `.agents[].memory.kind`. */
function boundsOf(node: unknown, place = ''): Readonly<Record<string, Bounds>> {
  if (!isRecord<never>(node)) return {};
  const {
    minimum,
    minLength,
    minItems,
    maximum,
    maxLength,
    maxItems,
    pattern,
    enum: choices,
    const: only,
  } = node;
  const { anyOf = [], oneOf = [], properties = {}, items, additionalProperties } = node;
  const own: Bounds = {
    least: minimum ?? minLength ?? minItems ?? null,
    most: maximum ?? maxLength ?? maxItems ?? null,
    pattern: pattern ?? null,
    choices: choices ?? (only === undefined ? null : [only]),
  };
  const isBounded = Object.values(own).some((bound) => bound !== null);
  const below = [
    ...[...anyOf, ...oneOf].map((form) => boundsOf(form, place)),
    ...Object.entries(properties).map(([name, child]) => boundsOf(child, `${place}.${name}`)),
    boundsOf(items, `${place}[]`),
    boundsOf(additionalProperties, `${place}.*`),
  ];
  return Object.assign({}, isBounded ? { [place]: own } : {}, ...below);
}

/** Places where a value may no longer be what it might be before. */
function narrowed(
  before: Readonly<Record<string, Bounds>>,
  today: Readonly<Record<string, Bounds>>,
): readonly string[] {
  return Object.entries(before).flatMap(([place, was]) => {
    const is = today[place];
    if (is === undefined) return [];
    const isNarrower =
      (is.least ?? -Infinity) > (was.least ?? -Infinity) ||
      (is.most ?? Infinity) < (was.most ?? Infinity) ||
      (is.pattern !== null && is.pattern !== was.pattern) ||
      (is.choices !== null && was.choices?.every((choice) => is.choices?.includes(choice)) !== true);
    return isNarrower ? [place] : [];
  });
}

test('bounds of values in logs only grow', () => {
  const today = boundsOf(z.toJSONSchema(storedScenario));
  if (process.env['UPDATE_BOUNDS'] === '1') writeFileSync(BOUNDS, `${JSON.stringify(today, null, 2)}\n`);
  const before = JSON.parse(readFileSync(BOUNDS, 'utf8')) as typeof today;
  expect(before).toMatchObject({ '.turns.max': { least: 1, most: 100_000 }, '.models.*.guided': {} });
  expect(narrowed(before, today)).toEqual([]);
  const turns = { least: 1, most: 50, pattern: null, choices: null };
  expect(narrowed(before, { ...today, '.turns.max': turns })).toEqual(['.turns.max']);
  const order = { least: null, most: null, pattern: null, choices: ['sequential'] };
  expect(narrowed(before, { ...today, '.turns.order': order })).toEqual(['.turns.order']);
});

describe('a section', () => {
  const nested = section({ first_ms: z.int().min(1).default(5), then_ms: z.int().optional() });
  const schema = section({
    max_turns: z.int().min(1).default(9),
    given_up: z.enum(['wait', 'stop']).optional(),
    waits: z.array(nested).max(2).default([]),
    pause_ms: later(z.int().min(0), 0),
    tags: later(z.array(z.string())),
    path: z.string().max(3).default('').register(LOGGED, { as: z.string() }),
  });
  const accepts = (value: unknown): boolean => stored(schema).safeParse(value).success;

  it('takes effect with names in camel case, null for absent keys, and nothing for later ones', () => {
    const effective = { maxTurns: 9, givenUp: null, waits: [], path: '' };
    expect(schema.parse({})).toEqual(effective);
    expect(schema.parse({ pause_ms: 0 })).toEqual(effective);
    expect(schema.parse({ pause_ms: 3, tags: ['a'], waits: [{}] })).toEqual({
      ...effective,
      waits: [{ firstMs: 5, thenMs: null }],
      pauseMs: 3,
      tags: ['a'],
    });
  });

  it('is stored in that form, with the same bounds and with fields of newer programs', () => {
    const logged = { maxTurns: 9, givenUp: null, waits: [{ firstMs: 1, thenMs: 2, more: 1 }], path: 'long' };
    expect(accepts(logged)).toBe(true);
    expect(accepts({ ...logged, pauseMs: 3, newer: true })).toBe(true);
    const refused = [
      { ...logged, maxTurns: 0 },
      { ...logged, givenUp: 'go' },
      { ...logged, waits: [{ firstMs: 0, thenMs: 2 }] },
      { ...logged, waits: [{}, {}, {}] },
      { ...logged, pauseMs: 0 },
      { ...logged, pauseMs: null },
      { ...logged, path: null },
      { maxTurns: 9 },
    ];
    expect(refused.filter(accepts)).toEqual([]);
  });
});

type Effective<S extends 'turns' | 'budget' | 'render' | 'prompt' | 'reflection' | 'probes' | 'rewards'> =
  Exclude<z.output<(typeof SCENARIO_KEYS)[S]>, undefined>;

test('the documented types have the keys of the schemas, and no others', () => {
  expectTypeOf<keyof Effective<'turns'>>().toEqualTypeOf<keyof TurnSpec | 'ties'>();
  expectTypeOf<keyof Effective<'budget'>>().toEqualTypeOf<keyof BudgetSpec>();
  expectTypeOf<keyof Effective<'render'>>().toEqualTypeOf<keyof RenderSpec>();
  expectTypeOf<keyof Effective<'prompt'>>().toEqualTypeOf<keyof PromptSpec>();
  expectTypeOf<keyof Effective<'rewards'>>().toEqualTypeOf<keyof RewardSpec>();
  expectTypeOf<keyof Effective<'probes'>>().toEqualTypeOf<keyof ProbesSpec>();
  expectTypeOf<keyof Effective<'reflection'>>().toEqualTypeOf<keyof ReflectionSpec>();
  expectTypeOf<keyof z.output<typeof AGENT_KEYS.memory>>().toEqualTypeOf<keyof MemorySpec>();
  expectTypeOf<keyof z.output<typeof modelSchema>>().toEqualTypeOf<keyof ModelSpec>();
});
