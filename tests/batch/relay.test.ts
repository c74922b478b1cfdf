/** What a batch and its workers tell each other over a real Redis: each worker hears what is meant for it, and one batch at a time has a store's claim. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { BatchClaim } from '../../src/batch/remote/batch-claim.js';
import type { QueueLink } from '../../src/batch/remote/redis.js';
import { relayOfBatch, relayOfWorker } from '../../src/batch/remote/relay.js';
import type { ToBatch, ToWorkers } from '../../src/batch/remote/relay.js';
import { NO_REDIS, linkTo, startRedis } from '../support/redis-server.js';
import type { RedisServer } from '../support/redis-server.js';

let redis: RedisServer | null = null;
const links: QueueLink[] = [];

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(async () => {
  for (const link of links) link.close();
  await redis?.kill();
});

async function linked(storeId: string): Promise<QueueLink> {
  const link = await linkTo(known(redis, 'a Redis'), storeId);
  links.push(link);
  return link;
}

it('a worker hears stops and its own answers, no other worker’s', async ({ skip }) => {
  if (redis === null) return skip(NO_REDIS);
  const heard: Readonly<Record<string, ToWorkers[]>> = { ann: [], bob: [] };
  const told: ToBatch[] = [];
  const batch = await relayOfBatch(await linked('relay-store'), (message) => told.push(message));
  const ann = await relayOfWorker(await linked('relay-store'), 'ann', (message) =>
    heard['ann']?.push(message),
  );
  await relayOfWorker(await linked('relay-store'), 'bob', (message) => heard['bob']?.push(message));
  // A store of its own has a queue of its own.
  const strangers: ToWorkers[] = [];
  await relayOfWorker(await linked('another-store'), 'ann', (message) => strangers.push(message));
  const admitted = { kind: 'admitted', worker: 'ann', request: 1 } as const;
  const stop = { kind: 'stop', runId: 'crypt-0123456789ab', how: 'soft' } as const;
  batch.send(admitted);
  batch.send(stop);
  ann.send({ kind: 'gone', worker: 'ann' });
  await expect.poll(() => heard['ann']).toEqual([admitted, stop]);
  await expect.poll(() => heard['bob']).toEqual([stop]);
  await expect.poll(() => told).toEqual([{ kind: 'gone', worker: 'ann' }]);
  expect(strangers).toEqual([]);
});

it('a second batch is refused as long as the first lives', { tags: ['long'] }, async ({ skip }) => {
  if (redis === null) return skip(NO_REDIS);
  const first = await BatchClaim.acquire(await linked('claimed-store'));
  const second = await linked('claimed-store');
  await expect(BatchClaim.acquire(second)).rejects.toThrow(/another batch/);
  await first.release();
  const later = await BatchClaim.acquire(second);
  await later.release();
});
