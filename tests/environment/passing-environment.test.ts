/** What a layer over an environment passes on: everything that the environment has, and nothing that it has not. */
import { expect, it } from 'vitest';
import type { Environment } from '../../src/environment/environment.js';
import { passingToEnvironment } from '../../src/environment/passing-environment.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { corridor } from '../orchestrator/two-agents.js';
import { partsFor } from '../support/play.js';

const { environment: bare } = await partsFor(corridor(), new MemorySink());
const OPTIONAL = {
  pictureGuide: 'from the side',
  search: {},
  outcomeOf: () => 'succeeded',
  everyNoun: () => [{ id: 'coin', kinds: ['item'] }],
  places: () => [{ name: 'hall', areas: [] }],
} as const satisfies Partial<Environment<unknown>>;

it('passes on every optional member, and makes none up', () => {
  const plain = Object.fromEntries(
    Object.entries(passingToEnvironment(bare)).filter(([key]) => !(key in OPTIONAL)),
  ) as unknown as Environment<unknown>;
  expect(Object.keys(passingToEnvironment(plain)).filter((key) => key in OPTIONAL)).toEqual([]);
  const passed = passingToEnvironment({ ...plain, ...OPTIONAL });
  expect(passed.pictureGuide).toBe(OPTIONAL.pictureGuide);
  expect(passed.search).toBe(OPTIONAL.search);
  expect(passed.outcomeOf?.({}, 'ann')).toBe('succeeded');
  expect(passed.everyNoun?.()).toEqual(OPTIONAL.everyNoun());
  expect(passed.places?.()).toEqual(OPTIONAL.places());
});
