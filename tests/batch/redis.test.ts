/** The connection to a queue, on a real Redis: its loss is reported once, and not with every try to connect again. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connectQueue } from '../../src/batch/remote/redis.js';
import { NO_REDIS, startRedis } from '../support/redis-server.js';

it('reports each loss of the connection once', async ({ skip }) => {
  const redis = await startRedis();
  if (redis === null) return skip(NO_REDIS);
  const losses: string[] = [];
  const link = await connectQueue({
    url: redis.url,
    password: undefined,
    storeId: 'losses',
    onLost: (words) => losses.push(words),
  });
  link.newConnection();
  for (const count of [1, 2]) {
    await redis.kill();
    // Enough for several tries of both connections.
    await wait(1500);
    expect(losses).toHaveLength(count);
    await redis.start();
    await expect.poll(() => link.redis.status).toBe('ready');
    await wait(2500);
  }
  link.close();
  await redis.kill();
});
