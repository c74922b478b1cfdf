/** A signal that outlives many connections: what listens on it does not grow with each of them. */
import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { ObservationSchema, Part, WaitSchema } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { WorldClient } from '../../src/serve/client/world-client.js';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { served } from './served.js';

const KEEPERS = join(ROOT, 'scenarios/two-keepers.yaml');
const RECONNECTS = 20;
/** What waits to be sent on a stream of HTTP/2 before it says that it is full. */
const STREAM_BYTES = 16 * 1024;

it(
  'twenty connections to servers that are gone, refuse or break off leave nothing on the signal of the client',
  { tags: ['long'] },
  async () => {
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
      client.keepAlive(lease, () => undefined, leaving.signal);
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
  },
);

it('a stream whose messages wait to be sent leaves nothing on its own signal', async () => {
  const warned: string[] = [];
  const hear = ({ name, message }: Error): void => void warned.push(`${name}: ${message}`);
  process.on('warning', hear);
  const { signal } = new AbortController();
  const world = await served(KEEPERS, temporaryFolder(), { set: ['turns.max=24'] });
  const client = new WorldClient({ address: world.address, token: null });
  const lease = await client.acquire({ run: '', entity: 'miner', controller: 'test' }, signal);
  let waited = 0;
  for await (const seen of client.observations(lease, [Part.FRAME, Part.PROMPT], signal)) {
    if (seen.isFinal) break;
    if (seen.tick === 0n) continue;
    // More than a stream takes at once.
    if (toBinary(ObservationSchema, seen).length > STREAM_BYTES) waited += 1;
    const wait = { intent: { case: 'wait' as const, value: create(WaitSchema) }, requestId: '' };
    await client.submit(lease, { ...seen, basedOnTick: 0n }, wait, signal);
  }
  await world.close();
  process.off('warning', hear);
  expect(waited).toBeGreaterThan(15);
  expect(warned).toEqual([]);
});
