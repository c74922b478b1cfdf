/** What a server may send at the most: whole at the limit, refused or cut one beyond it. */
import { afterEach, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { modelsIn } from '../../src/model/server.js';
import * as act from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { bench, game, NEVER, specification } from './harness.js';

let server: FakeServer;
afterEach(() => server.close());

it('takes an answer of the greatest size, and no byte more', async () => {
  server = await startFakeServer();
  const { model } = bench(specification(server.baseUrl, { retries: 0 }));
  const body = JSON.stringify({ choices: [{ message: { content: 'x' } }] });
  server.next(act.raw(body.padEnd(LIMITS.responseBytes)), act.raw(body.padEnd(LIMITS.responseBytes + 1)));
  expect((await model.complete(game(), NEVER)).content).toBe('x');
  await expect(model.complete(game(), NEVER)).rejects.toThrow(/sent an answer that is too long/);
  await expect.poll(() => server.sockets()).toBe(0);
});

it('repeats the words of a server to their limit', async () => {
  server = await startFakeServer();
  const { model } = bench(specification(server.baseUrl));
  const limit = LIMITS.serverWordsCharacters;
  server.next(
    act.error(400, 'w'.repeat(limit)),
    act.error(400, 'w'.repeat(limit + 1)),
    act.error(400, 'a\n\u001b[31mb\u202E'),
  );
  await expect(model.complete(game(), NEVER)).rejects.toThrow(new RegExp(`: w{${limit}}$`));
  await expect(model.complete(game(), NEVER)).rejects.toThrow(new RegExp(`: w{${limit - 1}}…$`));
  await expect(model.complete(game(), NEVER)).rejects.toThrow(/: a \[31mb$/);
});

it('reads a list of models to its limit', async () => {
  server = await startFakeServer();
  const data = Array.from({ length: LIMITS.serverModels + 1 }, (_, i) => ({ id: `m${i}` }));
  expect(modelsIn({ data })?.length).toBe(LIMITS.serverModels);
  expect(modelsIn({ data: data.slice(1) })?.length).toBe(LIMITS.serverModels);
});

it('gives no try more time than the table has', async () => {
  server = await startFakeServer();
  server.next(act.hang);
  const { model, clock } = bench(specification(server.baseUrl, { timeoutMs: 1e12, retries: 0 }));
  const call = model.complete(game(), NEVER).catch(String);
  await server.stalled();
  clock.expire();
  expect(await call).toMatch(/took too long/);
  expect(clock.nowMs).toBe(LIMITS.requestTimeoutMs);
});

it('does not wait longer for a path that only some servers have', async () => {
  server = await startFakeServer({ silentPaths: ['/version'] });
  const { model, clock } = bench(specification(server.baseUrl));
  const call = model.prepare(NEVER);
  await server.stalled();
  clock.expire();
  expect(await call).toEqual({ model: 'fake-vlm', server: 'vLLM' });
  expect(clock.nowMs).toBeLessThanOrEqual(3 * LIMITS.probeTimeoutMs);
});
