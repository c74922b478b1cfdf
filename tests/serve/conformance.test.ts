/** The checks that anybody can run against a server, by two of their three clients. Python's runs in `scripts/python-agent.mjs`. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { served } from './served.js';
import type { ServedOptions } from './served.js';

/** What the checks said of a server of two entities. */
async function said(client: string, options: ServedOptions = {}): Promise<string> {
  const world = await served(join(ROOT, 'scenarios/two-keepers.yaml'), temporaryFolder(), options);
  const address = world.address.replace('http://', '');
  const file = join(ROOT, 'examples/served/conformance', client);
  const child = spawn(process.execPath, [file, address], { stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = '';
  child.stdout.on('data', (data: Buffer) => (lines += data.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  await world.close();
  return lines;
}

describe.each(['client-json.mjs', 'client-grpc.mjs'])('%s', (client) => {
  it('finds every check as it should be', async () => {
    expect(await said(client)).toMatch(/^(ok {6}.*\n){14}14 passed, 0 failed\n$/);
  });
});

it('checks that fail are told, with what came instead', async () => {
  const nobody = [
    { hash: Buffer.alloc(32), principal: { name: 'x', roles: ['agent' as const], entities: null } },
  ];
  const lines = await said('client-json.mjs', { tokens: nobody });
  expect(lines).toContain('FAILED  the world tells its versions: UNAUTHENTICATED TOKEN_MISSING');
  expect(lines).toMatch(/\d+ passed, 1\d failed\n$/);
});
