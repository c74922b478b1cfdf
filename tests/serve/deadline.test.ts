/** A time limit for clients: a busy process reads what arrived in time before it disconnects anybody. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { atDeadline } from '../../src/serve/deadline.js';

const LIMIT_MS = 500;
/** A client that is never busy: it sends one byte at once. */
const CLIENT = `
const { workerData } = require('node:worker_threads');
require('node:net').connect(workerData, '127.0.0.1').on('error', () => {}).write('x');
`;

it('an answer that arrived while the process was busy counts', async () => {
  const limits: string[] = [];
  const server = createServer((socket) => {
    const heard = atDeadline(LIMIT_MS, () => limits.push('disconnected'));
    socket.once('data', () => {
      limits.push('heard');
      heard();
    });
    const busy = performance.now() + 2 * LIMIT_MS;
    while (performance.now() < busy);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new Worker(CLIENT, { eval: true, workerData: (server.address() as AddressInfo).port });
  await expect.poll(() => limits).not.toEqual([]);
  await wait(2 * LIMIT_MS);
  expect(limits).toEqual(['heard']);
  await client.terminate();
  server.close();
});

it('a client that stays silent is over the limit, not before it and once', async () => {
  const begun = performance.now();
  const acted: number[] = [];
  atDeadline(LIMIT_MS, () => acted.push(performance.now() - begun));
  await wait(3 * LIMIT_MS);
  expect(acted).toHaveLength(1);
  expect(acted[0]).toBeGreaterThanOrEqual(LIMIT_MS - 2);
});

it.each([0, 0.5])('nothing happens if it is cancelled after %d of the limit', async (share) => {
  let isActed = false;
  const cancel = atDeadline(LIMIT_MS, () => (isActed = true));
  await wait(share * LIMIT_MS);
  cancel();
  await wait(LIMIT_MS);
  expect(isActed).toBe(false);
});
