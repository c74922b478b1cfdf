/** Tokens of a served world on the command line: what is said where none was sent, where another one was, and where it comes from. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { ROOT } from '../support/children.js';
import { servedWorld } from '../support/served-world.js';

it('a missing token and a wrong one are told apart, and WORLD_TOKEN is read unasked', async () => {
  const hash = createHash('sha256').update('sesame').digest();
  const principal = { name: 'ann', roles: ['agent'] as const, entities: null };
  const tokens = [{ hash, principal }];
  const world = await servedWorld(join(ROOT, 'scenarios/two-keepers.yaml'), {
    tokens,
    set: ['turns.max=1'],
  });
  const agent = ['agent', '--world', world.address, '--entity', 'miner', '--controller', 'scripted'];
  const missing = await orchestrate(agent);
  expect([missing.code, missing.err]).toEqual([
    2,
    expect.stringMatching(/no token was sent[\s\S]*WORLD_TOKEN/),
  ]);
  const wrong = await orchestrate(agent, { env: { WORLD_TOKEN: 'barley' } });
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining('this server does not accept the token'),
  ]);
  const right = await orchestrate(agent, { env: { WORLD_TOKEN: 'sesame' } });
  expect(right.out).toContain('playing miner');
});
