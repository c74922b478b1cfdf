/** The run's seed reaches the server's sampler, by real requests: other seeds ask otherwise, the same run in the same way again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
let server: FakeServer;

beforeAll(async () => {
  // The first answer of each step is refused, so that it is asked for twice.
  let asked = 0;
  server = await startFakeServer({ reply: () => (asked++ % 2 === 0 ? 'ACTION: GO NORTH' : 'ACTION: WAIT') });
  writeFileSync(join(cwd, 'scenario.yaml'), corridor('max: 2, repair: false'));
});
afterAll(() => server.close());

let runs = 0;

async function seedsAsked(...more: readonly string[]): Promise<readonly unknown[]> {
  const before = server.chats.length;
  const out = `${++runs}.sqlite`;
  const model = ['--model', 'fake-vlm', '--base-url', server.baseUrl];
  const ran = await orchestrate(['run', 'scenario.yaml', ...model, '--out', out, ...more], { cwd });
  expect(ran.code, ran.err).toBe(0);
  return server.chats.slice(before).map(({ body }) => Object(body).seed as unknown);
}

it('gives each request a seed of its own, the same when the run is played again', async () => {
  const seeds = await seedsAsked('--seed', 'one');
  expect(seeds).toHaveLength(8);
  expect(new Set(seeds).size).toBe(8);
  for (const seed of seeds)
    expect(Number.isInteger(seed) && Number(seed) >= 0 && Number(seed) <= LIMITS.samplingSeed).toBe(true);
  expect(await seedsAsked('--seed', 'one')).toEqual(seeds);
  const others = await seedsAsked('--seed', 'two');
  expect(others.filter((seed) => seeds.includes(seed))).toEqual([]);
});

it('leaves a seed that the settings name as it is', async () => {
  const seeds = await seedsAsked('--seed', 'one', '--set', 'models.fake-vlm.seed=7');
  expect(new Set(seeds)).toEqual(new Set([7]));
});

it('refuses a seed that a sampler does not take', async () => {
  const set = (seed: number) => ['check', 'scenario.yaml', '--set', `models.main.seed=${seed}`];
  expect((await orchestrate(set(LIMITS.samplingSeed), { cwd })).err).not.toContain('seed');
  expect((await orchestrate(set(LIMITS.samplingSeed + 1), { cwd })).code).toBe(2);
});
