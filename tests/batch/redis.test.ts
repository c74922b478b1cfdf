/** The connection to a queue, on a real Redis: what Redis refuses ends it with a hint, and a loss is reported once, not with every try to connect again. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectQueue } from '../../src/batch/remote/redis.js';
import type { RedisServer } from '../support/redis-server.js';
import { NO_REDIS, startRedis } from '../support/redis-server.js';

let server: RedisServer | null = null;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server?.kill());

const losses: string[] = [];
const connect = (url: string, password?: string) =>
  connectQueue({ url, password, storeId: 'losses', onLost: (words) => losses.push(words) });

describe('a queue that is refused', () => {
  /** The message and the hint of a connection that must fail. */
  const refusal = (url: string, password?: string) =>
    connect(url, password).then(
      (link) => link.close(),
      (error: Error & { hints?: readonly string[] }) => ({ message: error.message, hints: error.hints }),
    );

  it('names the database that Redis does not have, instead of playing on database 0', async ({ skip }) => {
    const { url } = server ?? skip(NO_REDIS);
    expect(await refusal(`${url}/99`)).toEqual({
      message: `the queue ${url}/99 can't be reached: ERR DB index is out of range`,
      hints: ['the number after the address is that of a database: leave it out for database 0'],
    });
  });

  it('names REDIS_PASSWORD if there is no password, or a wrong one', async ({ skip }) => {
    const { url } = server ?? skip(NO_REDIS);
    const link = await connect(url);
    await link.redis.config('SET', 'requirepass', 'secret');
    try {
      for (const password of [undefined, 'wrong'])
        expect(await refusal(url, password)).toEqual({
          message: expect.stringMatching(/can't be reached: (NOAUTH|WRONGPASS)/) as string,
          hints: [expect.stringContaining('REDIS_PASSWORD')],
        });
      (await connect(url, 'secret')).close();
    } finally {
      await link.redis.config('SET', 'requirepass', '');
      link.close();
    }
  });

  it('says that a web server is no Redis', async () => {
    const web = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => web.once('listening', resolve));
    const url = `redis://127.0.0.1:${(web.address() as AddressInfo).port}`;
    expect(await refusal(url)).toEqual({
      message: `the queue ${url} can't be reached: Protocol error, got "H" as reply type byte.`,
      hints: ['something other than Redis answers at this port: check the address; TLS needs rediss://'],
    });
    web.close();
  });

  it('is not reported as lost', () => expect(losses).toEqual([]));
});

it('reports each loss of the connection once', { tags: ['long'] }, async ({ skip }) => {
  const redis = server ?? skip(NO_REDIS);
  const link = await connect(redis.url);
  link.newConnection();
  losses.length = 0;
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
});
