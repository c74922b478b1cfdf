/** The fake server refuses what a real one would refuse: each row is one mistake of a client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tinyPng } from '../model/harness.js';
import { inspectPng } from './png.mjs';
import { startFakeServer } from './server.mjs';
import type { FakeServer } from './server.mjs';

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer({ contextTokens: 2000 });
});
afterAll(() => server.close());

const image = (png: Uint8Array = tinyPng()): object => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}` },
});
const text = (words: string): object => ({ type: 'text', text: words });
const tool = (name: string, changes: object = {}): object => ({
  type: 'function',
  function: { name, description: 'x', parameters: { type: 'object', properties: {} }, ...changes },
});
const user = (...content: object[]): object => ({ role: 'user', content });

function body(changes: object = {}): object {
  const messages = [{ role: 'system', content: 'rules' }, user(text('now'), image())];
  return { model: 'fake-vlm', messages, temperature: 0, top_p: 1, max_tokens: 9, seed: 1, ...changes };
}

async function sent(value: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(value),
  });
  return { status: response.status, text: await response.text() };
}

function damaged(at: number): Uint8Array {
  const png = Uint8Array.from(tinyPng());
  png[at] = (png[at] ?? 0) ^ 1;
  return png;
}

describe('the fake server', () => {
  it('answers a good request', async () => {
    expect((await sent(body())).status).toBe(200);
  });

  const past = user(text('then'), image());
  const answer = { role: 'assistant', content: 'ACTION: WAIT' };
  it.each([
    ['no object', 'text', 400, 'validation error'],
    ['an unknown field', body({ guided_choice: ['a'] }), 400, 'guided_choice'],
    ['no tools', body({ tools: [] }), 400, 'tools'],
    ['a choice without tools', body({ tool_choice: 'auto' }), 400, 'needs tools'],
    ['a choice that is none', body({ tools: [tool('GO')], tool_choice: 'must' }), 400, 'tool_choice'],
    ['a tool with a space in its name', body({ tools: [tool('GO TO')] }), 400, 'tools.0'],
    ['a tool without parameters', body({ tools: [tool('GO', { parameters: undefined })] }), 400, 'tools.0'],
    ['two tools of one name', body({ tools: [tool('GO'), tool('GO')] }), 400, 'one name'],
    ["another server's constraint", body({ grammar: 'root ::= "a"' }), 400, 'grammar'],
    ['stream_options alone', body({ stream_options: {} }), 400, 'stream'],
    ['two constraints', body({ structured_outputs: { regex: 'a', choice: ['b'] } }), 400, 'one kind'],
    ['another model', body({ model: 'x' }), 404, 'does not exist'],
    ['no messages', body({ messages: [] }), 400, 'messages'],
    ['a strange role', body({ messages: [{ role: 'tool', content: 'x' }] }), 400, 'role'],
    [
      'neighbours of one role',
      body({ messages: [user(text('a')), user(text('b'), image())] }),
      400,
      'alternate',
    ],
    [
      'a late system message',
      body({ messages: [user(text('a')), { role: 'system', content: 'b' }] }),
      400,
      'alternate',
    ],
    ['the assistant last', body({ messages: [user(text('a'), image()), answer] }), 400, 'last message'],
    [
      'an old picture',
      body({ messages: [past, answer, user(text('now'), image())] }),
      400,
      'At most 1 image',
    ],
    ['a picture before its text', body({ messages: [user(image(), text('now'))] }), 400, 'last part'],
    ['no picture', body({ messages: [user(text('now'))] }), 400, 'last part'],
    ['a damaged picture', body({ messages: [user(image(damaged(45)))] }), 400, 'a wrong checksum'],
    ['too long', body({ max_tokens: 1900 }), 400, 'context length is only 2000'],
  ])('refuses %s', async (_, value, status, words) => {
    const answered = await sent(value);
    expect(answered.status).toBe(status);
    expect(answered.text).toContain(words);
  });

  it.each(['temperature', 'top_p', 'max_tokens', 'seed'])('refuses %s left out', async (setting) => {
    const answered = await sent(body({ [setting]: undefined }));
    expect(answered.status).toBe(400);
    expect(answered.text).toContain(`${setting}: a number must be given`);
  });

  it('takes a reply and a question about it after a request that it had, and after no other', async () => {
    const { messages } = body() as { messages: object[] };
    const more = [answer, user(text('again?'))];
    const fresh = [{ role: 'system', content: 'rules' }, user(text('never asked'), image())];
    expect((await sent(body())).status).toBe(200);
    expect((await sent(body({ messages: [...messages, ...more] }))).status).toBe(200);
    expect((await sent(body({ messages: [...fresh, ...more] }))).status).toBe(400);
    expect((await sent(body({ messages: [...messages, answer, user(text('a'), image())] }))).status).toBe(
      400,
    );
  });

  it('sees every damaged byte of a picture', () => {
    const size = tinyPng().length;
    expect(inspectPng(Buffer.from(tinyPng()))).toEqual({ width: 2, height: 2 });
    for (let at = 0; at < size; at++) expect(typeof inspectPng(Buffer.from(damaged(at)))).toBe('string');
    for (let end = 0; end < size; end++)
      expect(typeof inspectPng(Buffer.from(tinyPng().subarray(0, end)))).toBe('string');
  });

  it('has as many slots as it says, however late it hears its own clock', async () => {
    const slow = await startFakeServer({ slots: 2, latencyMs: 100 });
    const chat = JSON.stringify(body());
    const ask = () => fetch(`${slow.baseUrl}/chat/completions`, { method: 'POST', body: chat });
    const asked = Array.from({ length: 12 }, ask);
    while (slow.prompts.length < asked.length) await new Promise((resolve) => setTimeout(resolve, 1));
    const held = setInterval(() => {
      for (const until = performance.now() + 40; performance.now() < until;);
    }, 5);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    clearInterval(held);
    const metrics = await (await fetch(new URL('/metrics', slow.baseUrl))).text();
    await slow.close();
    expect(statuses).toEqual(Array.from({ length: 12 }, () => 200));
    const waited = Number(/request_queue_time_seconds_sum\S* (\S+)/.exec(metrics)?.[1]);
    // Two wait for nothing, two for one answer, and so on; whoever came later than the first waits less.
    expect(waited).toBeLessThanOrEqual(2 * 0.1 * (1 + 2 + 3 + 4 + 5) + 1e-6);
    expect(waited).toBeGreaterThan(0);
  });
});
