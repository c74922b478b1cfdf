/** Pages of other sites reach no served world, whatever name they use for it: asked as a browser would ask for them. */
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { served } from './served.js';

/** The status of a request as a browser would send it. */
function statusOf(address: string, headers: Record<string, string>): Promise<number | undefined> {
  const url = `${address}/orchestrate.world.v1.LeaseService/AcquireLease`;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    sent.end(JSON.stringify({ entity: 'monk', controller: 'evil' }));
  });
}

it('a request that another page sends, or that names another host, is refused whatever it holds', async () => {
  const world = await served(join(ROOT, 'scenarios/two-keepers.yaml'), temporaryFolder());
  const { address, run } = world;
  const { host, port } = new URL(address);
  for (const headers of [
    { origin: 'http://evil.test' },
    { origin: `http://evil.test:${port}` },
    { origin: 'null' },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { host: `evil.test:${port}` },
    { host: `127.0.0.1.evil.test:${port}`, origin: `http://127.0.0.1.evil.test:${port}` },
  ])
    expect([headers, await statusOf(address, headers)]).toEqual([headers, 403]);
  expect(run.leases.countHeld(run.served)).toBe(0);
  expect(await statusOf(address, { host, origin: address })).toBe(200);
  await world.close();
});
