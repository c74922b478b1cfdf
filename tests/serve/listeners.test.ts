/** A signal that outlives many connections: what listens on it does not grow with each of them. */
import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Part } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { WorldClient } from '../../src/serve/client/world-client.js';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { served } from './served.js';

const KEEPERS = join(ROOT, 'scenarios/two-keepers.yaml');
const RECONNECTS = 20;

it('twenty connections to servers that are gone, refuse or break off leave nothing on the signal of the client', async () => {
  const { signal } = new AbortController();
  const listening = (): number => getEventListeners(signal, 'abort').length;
  const counts: number[] = [];
  for (let i = 0; i < RECONNECTS; i++) {
    const world = await served(KEEPERS, temporaryFolder());
    const client = new WorldClient({ address: world.address, token: null });
    await client.world('', signal);
    await expect(client.world('other', signal)).rejects.toThrow('there is no run');
    const lease = await client.acquire({ run: '', entity: 'miner', controller: 'test' }, signal);
    // What renews a lease has a signal of the lease, as `agent` does it.
    const leaving = new AbortController();
    client.keep(lease, () => undefined, leaving.signal);
    for await (const { entity } of client.entities('', signal)) if (entity !== undefined) break;
    let read = 0;
    const reading = (async () => {
      for await (const observation of client.observations(lease, [Part.OFFERS], signal))
        read += Number(observation.tick);
    })();
    await expect.poll(() => read).toBeGreaterThan(0);
    await Promise.all([world.close(), expect(reading).rejects.toThrow()]);
    await expect(client.world('', signal)).rejects.toThrow();
    leaving.abort();
    counts.push(listening());
  }
  expect(Math.max(...counts.slice(1))).toBeLessThanOrEqual(1);
}, 120_000);
