/** A request that fails for good: whether the server answers others, and so whether it is down. */
import { afterEach, expect, it } from 'vitest';
import { ModelError } from '../../src/base/errors.js';
import * as act from '../fake-server/behaviours.mjs';
import type { Behaviour, FakeServer } from '../fake-server/server.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import { bench, game, NEVER, specification } from './harness.js';

let server: FakeServer;
let close = (): void => undefined;
afterEach(async () => {
  close();
  await server.close();
});

/** How a call ended, of which the first tries meet these; after them the server answers well. */
async function failing(behaviours: readonly Behaviour[], reply = 'OK') {
  server = await startFakeServer({ images: 'any', reply: () => reply });
  server.next(...behaviours);
  const { model, dependencies } = bench(specification(server.baseUrl, { extra: { top_k: 7 } }));
  close = () => dependencies.transport.close();
  const error: unknown = await model.complete(game(), NEVER).catch((thrown: unknown) => thrown);
  return { error: error instanceof ModelError ? error : null, bodies: server.chats.map(({ body }) => body) };
}

const times = (count: number, behaviour: Behaviour): readonly Behaviour[] =>
  Array.from({ length: count }, () => behaviour);

it('a short question with the same settings tells whether the server answers others', async () => {
  const { error, bodies } = await failing(times(3, act.crashed));
  expect(error).toMatchObject({ isOfRequest: true, isRetryable: true, status: 500 });
  expect(error?.tries.map(({ problem }) => problem.slice(0, 4))).toEqual(['500 ', '500 ', '500 ']);
  expect(bodies.length).toBe(4);
  const { messages, seed: _, ...settings } = bodies[3] ?? {};
  expect(messages).toEqual([{ role: 'user', content: 'Answer with the word OK.' }]);
  const { messages: sent, seed: __, ...before } = bodies[2] ?? {};
  expect(settings).toEqual(before);
  expect(sent).not.toEqual(messages);
});

it('a server that does not answer the question either is down', async () => {
  const { error, bodies } = await failing(times(6, act.crashed));
  expect(error).toMatchObject({ isOfRequest: false, isRetryable: true });
  expect(bodies.length).toBe(6);
});

it('to refuse the question is to answer', async () => {
  const { error } = await failing([...times(3, act.crashed), act.error(400, 'a picture is required')]);
  expect(error).toMatchObject({ isOfRequest: true });
});

it.each<[string, Behaviour]>([
  ['a web page', act.status(200, '<html>Bad Gateway</html>')],
  ['other JSON', act.changed(() => ({ status: 'ok' }))],
  ['an abort', act.message({ content: 'ACTION' }, 'abort')],
])('%s in place of an answer is asked for again', async (_, behaviour) => {
  expect(await failing([behaviour])).toMatchObject({ error: null, bodies: { length: 2 } });
  close();
  await server.close();
  const { error } = await failing(times(3, behaviour));
  expect(error).toMatchObject({ isOfRequest: true });
});

it('a refusal that names its cause is no failure of the server, and nothing is asked', async () => {
  const { error, bodies } = await failing([act.error(400, 'no')]);
  expect(error).toMatchObject({ isOfRequest: false, isRetryable: false });
  expect(bodies.length).toBe(1);
});

it('nothing is asked of a server that nobody can reach', async () => {
  server = await startFakeServer();
  const { baseUrl } = server;
  await server.close();
  const { model, dependencies, clock } = bench(specification(baseUrl));
  close = () => dependencies.transport.close();
  await expect(model.complete(game(), NEVER)).rejects.toMatchObject({ isOfRequest: false });
  // Between the three tries.
  expect(clock.waitsMs.length).toBe(2);
});
