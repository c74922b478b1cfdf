/** Faults of a server that only many agents meet: one slot for all, every other answer a failure. */
import { afterEach, expect, it } from 'vitest';
import { sharedAdmission } from '../../src/model/rate-limiter.js';
import { openChatModel } from '../../src/model/openai.js';
import * as act from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { bench, NEVER, specification, words } from './harness.js';

let server: FakeServer;
afterEach(() => server.close());

const AGENTS = Array.from({ length: 16 }, (_, i) => `agent ${i}`);

function asked(agent: string) {
  return [words('system', 'Say who you are.'), words('user', agent)];
}

it('16 agents share one slot: each gets its own answer', async () => {
  server = await startFakeServer({ images: 'none', slots: 1, latencyMs: 1, reply: ({ text }) => text });
  const { model, dependencies } = bench(specification(server.baseUrl));
  for (let turn = 0; turn < 5; turn++) {
    const replies = await Promise.all(AGENTS.map((agent) => model.complete(asked(agent), NEVER)));
    expect(replies.map(({ content }) => content)).toEqual(AGENTS);
  }
  expect(server.sockets()).toBeLessThanOrEqual(AGENTS.length);
  dependencies.transport.close();
  await expect.poll(() => server.sockets()).toBe(0);
});

it(
  'flapping 50 %: each gets its own answer, or an error in words; what is sent again stays a small share',
  { tags: ['long'] },
  async () => {
    server = await startFakeServer({ images: 'none', reply: ({ text }) => text });
    server.next(...Array.from({ length: 2000 }, (_, i) => (i % 2 === 0 ? act.crashed : act.ok)));
    const made = bench(specification(server.baseUrl));
    const admission = sharedAdmission({ requestsPerMinute: null, requestsAtOnce: null }, made.clock);
    const model = openChatModel(specification(server.baseUrl), { ...made.dependencies, admission });
    let answered = 0;
    for (let turn = 0; turn < 20; turn++) {
      const calls = AGENTS.map((agent) =>
        model.complete(asked(agent), NEVER).then(({ content }) => content, String),
      );
      const told = await Promise.all(calls);
      for (const [i, content] of told.entries())
        expect([AGENTS[i], /failed \(HTTP 500\)/.exec(content)?.[0]]).toContain(
          content === AGENTS[i] ? content : 'failed (HTTP 500)',
        );
      answered += told.filter((content, i) => content === AGENTS[i]).length;
    }
    const calls = 20 * AGENTS.length;
    const isQuestion = ({ body }: { body: unknown }): boolean => JSON.stringify(body).includes('the word OK');
    const questions = server.chats.filter(isQuestion).length;
    expect(server.chats.length - questions).toBeGreaterThan(calls * 1.1);
    expect(server.chats.length - questions).toBeLessThanOrEqual(calls * 1.2);
    // Whether it answers others can be seen from the others, but for the first answers of a turn.
    expect(questions).toBeLessThanOrEqual(20);
  },
);
