/** What can't mend itself ends `agent` and `runner` at once with its message; the minute of waiting is for servers that are gone. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { mayRecover, usageError } from '../../src/serve/client/world-client.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { main } from '../../src/cli/main.js';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { servedWorld } from '../support/served-world.js';
import type { Served, ServedOptions } from '../serve/served.js';

const KEEPERS = join(ROOT, 'scenarios/two-keepers.yaml');
const AGENTS = { watcher: { tags: [], program: './ends.sh' } };

function serve(options: ServedOptions = {}): Promise<Served> {
  return servedWorld(KEEPERS, options);
}

it('a refusal for good is told from a server that may come back', () => {
  const of = (code: Code) => new ConnectError('no', code);
  const lasting = [Code.Unauthenticated, Code.PermissionDenied, Code.NotFound, Code.FailedPrecondition];
  for (const code of lasting)
    expect([mayRecover(of(code)), mayRecover(usageError(of(code)))]).toEqual([false, false]);
  for (const code of [Code.Unavailable, Code.Internal, Code.ResourceExhausted])
    expect([mayRecover(of(code)), mayRecover(usageError(of(code)))]).toEqual([true, true]);
});

it('a runner ends when the server that comes back does not know its run, or its token', async () => {
  const hash = createHash('sha256').update('sesame').digest();
  const tokens = [{ hash, principal: { name: 'x', roles: ['agent'] as const, entities: null } }];
  for (const [options, words] of [
    [{}, 'there is no run'],
    [{ tokens }, 'no token was sent'],
  ] as const) {
    const first = await serve();
    const port = Number(new URL(first.address).port);
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'runner.yaml'), JSON.stringify({ world: first.address, agents: AGENTS }));
    writeFileSync(join(folder, 'ends.sh'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const { io, out, err } = capturedIo({ cwd: folder });
    const ended = main(['runner', 'runner.yaml'], io);
    await expect.poll(out).toContain('exited with code 3');
    await first.close();
    const begun = performance.now();
    const second = await serve({ ...options, port });
    expect([await ended, err()]).toEqual([2, expect.stringContaining(words)]);
    expect(performance.now() - begun).toBeLessThan(20_000);
    await second.close();
  }
});

it('an agent whose token may not play the entity ends with the reason', async () => {
  const hash = createHash('sha256').update('sesame').digest();
  const principal = { name: 'ann', roles: ['agent'] as const, entities: ['monk'] };
  const { address } = await serve({ tokens: [{ hash, principal }] });
  const words = ['agent', '--world', address, '--entity', 'miner', '--controller', 'scripted'];
  const { code, err } = await orchestrate(words, { env: { WORLD_TOKEN: 'sesame' } });
  expect([code, err]).toEqual([
    2,
    'error: the served world refused the request: ann may not control miner\n',
  ]);
  const run = await orchestrate([...words, '--run', 'other'], { env: { WORLD_TOKEN: 'sesame' } });
  const refused =
    'error: the served world refused the request: there is no run "other"; the only run is two-keepers-';
  expect([run.code, run.err]).toEqual([2, expect.stringContaining(refused)]);
});
