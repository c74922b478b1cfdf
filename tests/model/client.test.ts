/**
 * The client whole, on the fake server: what it sends, which model it finds, how it adapts, what it keeps to
 * itself.
 */
import * as fc from 'fast-check';
import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ModelError, UsageError } from '../../src/base/errors.js';
import * as act from '../fake-server/behaviours.mjs';
import { wireMessages } from '../../src/model/request.js';
import { TransportError } from '../../src/model/transport.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer, Options } from '../fake-server/server.mjs';
import { bench, CANARY, game, KEY_VARIABLE, NEVER, specification, words } from './harness.js';

let server: FakeServer;
let closing: (() => void)[] = [];
afterEach(async () => {
  for (const close of closing) close();
  closing = [];
  await server.close();
});

async function fake(options: Options = {}): Promise<FakeServer> {
  server = await startFakeServer(options);
  return server;
}

function client(...args: Parameters<typeof bench>): ReturnType<typeof bench> {
  const made = bench(...args);
  closing.push(() => made.dependencies.transport.close());
  return made;
}

describe('a call', () => {
  it('is answered with words, reasoning, usage and model', async () => {
    const { baseUrl } = await fake({ reply: () => ({ content: 'ACTION: GO', reasoning: 'hm' }) });
    const { model } = client(specification(baseUrl));
    const { raw, ...reply } = await model.complete(game(), NEVER);
    expect(JSON.parse(raw ?? '')).toMatchObject({ choices: [{ message: { role: 'assistant' } }], usage: {} });
    expect(raw).not.toContain('ACTION: GO');
    expect(reply).toEqual({
      content: 'ACTION: GO',
      reasoning: 'hm',
      toolCalls: [],
      finishReason: 'stop',
      model: 'fake-vlm',
      usage: {
        promptTokens: 296,
        completionTokens: 4,
        cachedTokens: 0,
        imageTokens: 256,
        reasoningTokens: 1,
      },
      adaptations: [],
      latencyMs: 0,
      tries: [],
    });
  });

  it('is sent with the settings that were told, and they never hold the key', async () => {
    const { baseUrl } = await fake({ apiKey: CANARY });
    const spec = specification(baseUrl, { model: null, extra: { top_k: 20, logprobs: true } });
    const { model } = client(spec);
    expect(model.settings()['model']).toBeNull();
    await model.prepare(NEVER);
    const told = model.settings();
    await model.complete(game(), NEVER);
    const { messages: _messages, ...sent } = server.chats[0]?.body ?? {};
    expect(told).toEqual(sent);
    expect(told).toMatchObject({ model: 'fake-vlm', temperature: 0.2, top_k: 20, logprobs: true });
    expect(JSON.stringify(told)).not.toContain(CANARY);
  });

  it('says of itself no more than it must', async () => {
    const { baseUrl } = await fake();
    await client(specification(baseUrl)).model.complete(game(), NEVER);
    expect(Object.keys(server.requests[0]?.headers ?? {}).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ]);
  });

  it.each(['vllm', 'llama.cpp', 'ollama', 'lm-studio', 'sglang', 'hosted'] as const)(
    'is the same for %s',
    async (kind) => {
      const { baseUrl } = await fake({
        kind,
        reply: () => ({ content: null, reasoning: 'thinking', finishReason: 'length' }),
      });
      const reply = await client(specification(baseUrl)).model.complete(game(), NEVER);
      expect(reply).toMatchObject({ content: '', reasoning: 'thinking', finishReason: 'length' });
    },
  );

  it.each(['vllm', 'llama.cpp', 'ollama', 'lm-studio', 'sglang', 'hosted'] as const)(
    'is refused in the words of %s',
    async (kind) => {
      const { baseUrl } = await fake({ kind, images: 'none' });
      await expect(client(specification(baseUrl)).model.complete(game(), NEVER)).rejects.toThrow(
        /accepts no pictures for this model \(HTTP 400\): /,
      );
    },
  );

  it('leaves nothing behind on a signal that lives as long as a run', async () => {
    const { baseUrl } = await fake();
    const { signal } = new AbortController();
    const { model } = client(specification(baseUrl));
    await model.prepare(signal);
    server.next(act.loading);
    await model.complete(game(), signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('shares a signal with many others without a warning', async () => {
    const { baseUrl } = await fake();
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    const { model } = client(specification(baseUrl));
    await Promise.all(Array.from({ length: 24 }, () => model.complete(game(), signal)));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });

  it('that fails is told in the words of the system, also of a time-out', async () => {
    const { baseUrl } = await fake();
    const send = () => Promise.reject(new TransportError('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443'));
    const { model } = client(specification(baseUrl), {}, { send, close: () => undefined });
    await expect(model.complete(game(), NEVER)).rejects.toThrow(/connect ETIMEDOUT 10\.0\.0\.1/);
  });

  it('keeps its socket for the next', async () => {
    const { baseUrl } = await fake();
    const { model } = client(specification(baseUrl));
    for (let i = 0; i < 5; i++) await model.complete(game(), NEVER);
    expect(server.sockets()).toBe(1);
  });

  it('replaces a kept socket that the server has closed, uncounted', async () => {
    const { baseUrl } = await fake();
    const { model } = client(specification(baseUrl, { retries: 0 }));
    await model.complete(game(), NEVER);
    server.next(act.hangUp);
    expect((await model.complete(game(), NEVER)).tries).toEqual([]);
    expect(server.chats.length).toBe(3);
  });
});

describe('the model', () => {
  it('is the only one there', async () => {
    const { baseUrl } = await fake({ models: ['org/only-vl'] });
    const { model } = client(specification(baseUrl, { model: null }));
    expect(await model.prepare(NEVER)).toEqual({ model: 'org/only-vl', server: 'vLLM 0.33.0' });
    expect((await model.complete(game(), NEVER)).model).toBe('org/only-vl');
  });

  it('is found by the first call where nobody prepared', async () => {
    const { baseUrl } = await fake();
    const { model } = client(specification(baseUrl, { model: null }));
    expect((await model.complete(game(), NEVER)).model).toBe('fake-vlm');
  });

  it.each([
    ['vllm', 'vLLM 0.33.0'],
    ['llama.cpp', 'llama.cpp b11434'],
    ['ollama', 'Ollama 0.30.0'],
    ['sglang', 'SGLang'],
    ['lm-studio', 'LM Studio'],
    ['hosted', null],
  ] as const)('is served by %s', async (kind, expected) => {
    const { baseUrl } = await fake({ kind });
    expect((await client(specification(baseUrl)).model.prepare(NEVER)).server).toBe(expected);
  });

  it('must be named where there are several', async () => {
    const { baseUrl } = await fake({ models: ['a', 'b'] });
    const call = client(specification(baseUrl, { model: null })).model.prepare(NEVER);
    await expect(call).rejects.toMatchObject({
      message: expect.stringMatching(/has 2 models, and none was chosen/) as unknown,
      hints: ['choose one with --model', 'it has: a, b'],
    });
  });

  it('gets its nearest neighbour where it is not there', async () => {
    const { baseUrl } = await fake({ models: ['qwen3-vl-8b', 'gemma-3'] });
    const call = client(specification(baseUrl, { model: 'Qwen3-VL-4B' })).model.prepare(NEVER);
    await expect(call).rejects.toMatchObject({
      message: expect.stringMatching(/does not have the model "Qwen3-VL-4B"/) as unknown,
      hints: ['did you mean qwen3-vl-8b?', 'it has: qwen3-vl-8b, gemma-3'],
    });
  });

  it('may lack the tag that Ollama adds', async () => {
    const { baseUrl } = await fake({ models: ['qwen2.5vl:latest'] });
    expect(await client(specification(baseUrl, { model: 'qwen2.5vl' })).model.prepare(NEVER)).toMatchObject({
      model: 'qwen2.5vl',
    });
  });

  it.each(['a/b:nitro', 'a/b:floor', 'a/b:online', 'a/b@preset/x', '@preset/x'])(
    'may be a variant that no list holds: %s',
    async (model) => {
      const { baseUrl } = await fake({ models: ['a/b'] });
      expect(await client(specification(baseUrl, { model })).model.prepare(NEVER)).toMatchObject({ model });
    },
  );

  it('that a call does not find is told with those that are there', async () => {
    const { baseUrl } = await fake({ models: ['fake-vlm-2'] });
    await expect(client(specification(baseUrl)).model.complete(game(), NEVER)).rejects.toMatchObject({
      message: expect.stringMatching(
        /does not have the model \(HTTP 404\): The model `fake-vlm` does not exist/,
      ) as unknown,
      hints: ['did you mean fake-vlm-2?', 'it has: fake-vlm-2'],
    });
  });

  it('is believed where the server has no list', async () => {
    const { baseUrl } = await fake({ modelList: false });
    expect((await client(specification(baseUrl)).model.prepare(NEVER)).model).toBe('fake-vlm');
    await expect(client(specification(baseUrl, { model: null })).model.prepare(NEVER)).rejects.toThrow(
      /returns no list/,
    );
  });

  it('is asked for again after a bad moment, but not where nobody listens', async () => {
    const { baseUrl } = await fake();
    server.nextModels(act.loading);
    const { model, clock } = client(specification(baseUrl));
    await model.prepare(NEVER);
    expect(clock.waitsMs).toEqual([250]);
    await server.close();
    await expect(model.prepare(NEVER)).rejects.toMatchObject({
      message: expect.stringMatching(/does not answer: connection refused/) as unknown,
      hints: expect.arrayContaining([
        expect.stringMatching(/start the server if it is not running, .*vllm serve/),
      ]) as unknown,
    });
    expect(clock.waitsMs).toEqual([250]);
  });
});

describe('a server without system messages', () => {
  it('gets them in the first user message, from then on at once', async () => {
    const { baseUrl } = await fake({ system: false });
    const { model, clock } = client(specification(baseUrl, { retries: 0 }));
    expect((await model.complete(game(), NEVER)).tries).toEqual([
      { problem: '400 System role not supported', afterMs: 0 },
    ]);
    expect((await model.complete(game(), NEVER)).tries).toEqual([]);
    expect(server.chats.length).toBe(3);
    expect(clock.waitsMs).toEqual([]);
  });

  it.each([true, false])(
    'or with them (%s): settings, messages and adaptations make the body again',
    async (system) => {
      const { baseUrl } = await fake({ system });
      const { model } = client(specification(baseUrl, { retries: 0 }));
      for (const messages of [game(), game()]) {
        const { adaptations } = await model.complete(messages, NEVER);
        expect(adaptations).toEqual(system ? [] : ['system-folded']);
        const foldSystem = adaptations.includes('system-folded');
        const sent = { ...model.settings(), messages: wireMessages(messages, { foldSystem }) };
        expect(server.chats.at(-1)?.body).toEqual(sent);
      }
    },
  );

  it('is not asked a third time', async () => {
    const { baseUrl } = await fake();
    const roles = act.error(400, 'Conversation roles must alternate user/assistant');
    server.next(roles, roles);
    await expect(client(specification(baseUrl)).model.complete(game(), NEVER)).rejects.toThrow(
      /order of the message roles.*tried 2 times/,
    );
  });
});

describe('a cancelled call', () => {
  it.each([act.hang, act.stallMidBody])('ends at once and closes its socket (%#)', async (silence) => {
    const { baseUrl } = await fake();
    server.next(silence);
    const { model, clock } = client(specification(baseUrl));
    const cancel = new AbortController();
    const call = model.complete(game(), cancel.signal);
    await server.stalled();
    cancel.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(clock.pending).toBe(0);
    await expect.poll(() => server.sockets()).toBe(0);
    expect(server.chats.length).toBe(1);
  });

  it('is not sent at all where it was cancelled before', async () => {
    const { baseUrl } = await fake();
    const { model } = client(specification(baseUrl));
    await expect(model.complete(game(), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    await expect(model.prepare(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.requests).toEqual([]);
  });

  it('does not wait any longer for another try', async () => {
    const { baseUrl } = await fake();
    server.next(act.loading);
    const cancel = new AbortController();
    const { model, clock } = client(specification(baseUrl));
    clock.sleep = () => Promise.resolve(cancel.abort());
    await expect(model.complete(game(), cancel.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.chats.length).toBe(1);
  });

  it('leaves no socket behind after a hundred', async () => {
    const { baseUrl } = await fake();
    const { model } = client(specification(baseUrl));
    const calls = Array.from({ length: 100 }, async () => {
      server.next(act.hang);
      const cancel = new AbortController();
      const call = model
        .complete(game(), cancel.signal)
        .catch((error: unknown) => (error instanceof Error ? error.name : ''));
      await server.stalled();
      cancel.abort();
      return call;
    });
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['AbortError']));
    await expect.poll(() => server.sockets()).toBe(0);
  });
});

describe('the key', () => {
  it('is sent where it is needed and read at each call', async () => {
    const { baseUrl } = await fake({ apiKey: CANARY });
    const env: Record<string, string> = {};
    const { model } = client(specification(baseUrl), env);
    await expect(model.complete(game(), NEVER)).rejects.toMatchObject({
      hints: [
        `no key was sent: the environment variable ${KEY_VARIABLE} is not set; set it, or add it to a .env file`,
      ],
    });
    env[KEY_VARIABLE] = ` ${CANARY}\n`;
    await expect(model.complete(game(), NEVER)).resolves.toMatchObject({ finishReason: 'stop' });
  });

  it('is not sent where none is named, whatever the environment of the process holds', async () => {
    const { baseUrl } = await fake();
    const printed = vi.spyOn(console, 'debug');
    process.env['OPENAI_LOG'] = 'debug';
    process.env['OPENAI_API_KEY'] = CANARY;
    process.env['OPENAI_ORG_ID'] = 'org-canary';
    process.env['OPENAI_CUSTOM_HEADERS'] = 'x-canary: yes';
    const { model } = client(specification(baseUrl, { apiKeyEnv: null }));
    await model.prepare(NEVER);
    await model.complete(game(), NEVER);
    for (const name of ['OPENAI_API_KEY', 'OPENAI_ORG_ID', 'OPENAI_CUSTOM_HEADERS', 'OPENAI_LOG'])
      delete process.env[name];
    expect(JSON.stringify(server.requests)).not.toMatch(/canary|added-below/);
    expect(printed).not.toHaveBeenCalled();
  });

  it('goes to the chat API alone, not to the probes of the server', async () => {
    const { baseUrl } = await fake();
    await client(specification(baseUrl)).model.prepare(NEVER);
    const withKey = server.requests.filter((request) => request.headers.authorization !== undefined);
    expect(withKey.map((request) => request.path)).toEqual(['/v1/models']);
  });

  it('that no header can hold is refused without being shown', async () => {
    const { baseUrl } = await fake();
    const { model } = client(specification(baseUrl), { [KEY_VARIABLE]: `${CANARY}\nx-evil: 1` });
    const error: unknown = await model.complete(game(), NEVER).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelError);
    expect(inspect(error, { depth: 9 })).not.toContain(CANARY);
    expect(server.requests).toEqual([]);
  });

  it('does not come back in a reply, nor stay in the client', async () => {
    const { baseUrl } = await fake();
    server.next(act.saysKey);
    const { model } = client(specification(baseUrl));
    const reply = await model.complete(game(), NEVER);
    expect(reply.content).toBe('ACTION: SPEAK "Bearer [key]"');
    expect(inspect(model, { depth: 9, showHidden: true })).not.toContain(CANARY);
    expect(JSON.stringify(model)).not.toContain(CANARY);
  });

  it.each([`sk/slash/${CANARY}`, `sk"quote\\${CANARY}`])(
    '%s does not come back in any spelling',
    async (key) => {
      const { baseUrl } = await fake();
      server.next(act.echoesKey(401), act.echoesKeyEscaped);
      const { model } = client(specification(baseUrl), { [KEY_VARIABLE]: key });
      for (let i = 0; i < 2; i++)
        await expect(model.complete(game(), NEVER)).rejects.toThrow(/: \S.*\[key\]$/);
    },
  );

  it('does not come back in the rest of an answer', async () => {
    const { baseUrl } = await fake();
    const message = { content: 'GO' };
    server.next(act.raw(JSON.stringify({ choices: [{ message }], debug: { authorization: CANARY } })));
    const { raw } = await client(specification(baseUrl)).model.complete(game(), NEVER);
    expect(JSON.parse(raw ?? '')).toEqual({ choices: [{ message: {} }], debug: { authorization: '[key]' } });
  });

  it('does not come back in a header', async () => {
    const { baseUrl } = await fake();
    server.next(act.redirect(`/login/${CANARY}`));
    await expect(client(specification(baseUrl)).model.complete(game(), NEVER)).rejects.toThrow(
      /: \/login\/\[key\]$/,
    );
  });

  it('does not follow a redirect', async () => {
    const { baseUrl } = await fake();
    const elsewhere = await startFakeServer();
    server.next(act.redirect(`${elsewhere.baseUrl}/chat/completions`));
    await expect(client(specification(baseUrl)).model.complete(game(), NEVER)).rejects.toThrow(
      /redirects elsewhere/,
    );
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });
});

describe('opening', () => {
  it.each([
    ['localhost:8000', /http/],
    ['not a url', /not a URL/],
    ['ftp://host/v1', /http:\/\/ or https:\/\//],
    ['file:///etc/passwd', /http:\/\/ or https:\/\//],
    [`http://user:${CANARY}@host/v1`, /user name or password/],
    [`http://host/v1?key=${CANARY}`, /query/],
  ])('refuses the address %s', async (address, expected) => {
    await fake();
    let refusal: unknown;
    try {
      client(specification(address));
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(UsageError);
    expect(String(refusal)).toMatch(expected);
    expect(inspect(refusal)).not.toContain(CANARY);
  });

  it.each(['', 'warm', '-1', '1e400', 'NaN'])('refuses the temperature %j', async (temperature) => {
    await fake();
    expect(() => client(specification('http://h/v1', { temperature }))).toThrow(UsageError);
  });

  it.each(['messages', 'model', 'stream', 'n'])('refuses %s under extra', async (field) => {
    await fake();
    expect(() => client(specification('http://h/v1', { extra: { [field]: null } }))).toThrow(UsageError);
  });

  it('says https where a plain server was called securely', async () => {
    const { baseUrl } = await fake();
    const secure = baseUrl.replace('http:', 'https:');
    await expect(client(specification(secure)).model.prepare(NEVER)).rejects.toThrow(
      /securely|dropped the connection/,
    );
  });

  it('says that a host is not known', async () => {
    await fake();
    const { model } = client(specification('http://no-such-host.invalid/v1'));
    await expect(model.prepare(NEVER)).rejects.toThrow(/was not found/);
  });
});

it('answers or throws a ModelError, whatever bytes come', async () => {
  const { baseUrl } = await fake();
  const { model } = client(specification(baseUrl, { retries: 0 }));
  const good = Buffer.from(
    JSON.stringify({
      choices: [{ index: 0, message: { content: 'x' }, finish_reason: 'stop' }],
      usage: null,
    }),
  );
  const edit = fc.record({
    at: fc.nat(good.length),
    drop: fc.nat(30),
    insert: fc.uint8Array({ maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { maxLength: 4 }),
      fc.constantFrom(200, 200, 400, 500),
      async (edits, status) => {
        let bytes = good;
        for (const { at, drop, insert } of edits)
          bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + drop)]);
        server.next(({ response }) => void response.writeHead(status).end(bytes));
        const outcome: unknown = await model
          .complete([words('user', 'x'), ...game()], NEVER)
          .catch((error: unknown) => error);
        const isReply = typeof outcome === 'object' && outcome !== null && 'finishReason' in outcome;
        expect(isReply || outcome instanceof ModelError).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});

it('survives nesting that would overflow a stack', async () => {
  const { baseUrl } = await fake();
  const depth = 100_000;
  server.next(act.raw(`{"choices":${'['.repeat(depth)}${']'.repeat(depth)}}`));
  expect(await client(specification(baseUrl)).model.complete(game(), NEVER)).toMatchObject({ content: '' });
});
