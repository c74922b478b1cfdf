/** An environment that needs only a few keys: they become its definition, and what no log could hold is told. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ScenarioError } from '../../src/base/errors.js';
import { loadScenario } from '../../src/scenario/load.js';
import { settingsReader } from '../../src/scenario/settings-reader.js';

const reader = settingsReader('shop', { price: z.number(), sign: z.string().optional() });
const load = (content: string) => {
  const file = { path: 'shop.yaml', content: Buffer.from(content), readFile: () => Buffer.alloc(0) };
  return loadScenario(file, () => undefined, { worlds: [reader] });
};
const YAML = 'title: Shop\nenvironment: shop\nprice: 3\nagents: [{id: ann}, {id: bob}]\n';

it('the definition is the keys as they stand and the ids of the agents', () => {
  expect(load(YAML).scenario.definition).toEqual({ price: 3, agents: ['ann', 'bob'] });
});

it('a fraction is a mistake with its place', () => {
  let told: unknown;
  try {
    load(YAML.replace('3', '2.5'));
  } catch (error) {
    told = error instanceof ScenarioError ? error.diagnostics : error;
  }
  expect(told).toMatchObject([{ line: 3, message: 'price contains a fraction' }]);
});
