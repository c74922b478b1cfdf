/** The body of a chat request: explicit settings, image last, roles in order, equal beginnings. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.js';
import type { Message } from '../../src/model/chat.js';
import type { HttpRequest } from '../../src/model/transport.js';
import { openChatModel } from '../../src/model/openai.js';
import { adaptationsOf, bodySettings, chatBody, wireMessages } from '../../src/model/request.js';
import { bench, game, NEVER, specification, tinyPng, words } from './harness.js';

const PLAIN = { foldSystem: false };
const spec = specification('http://127.0.0.1:1/v1');

describe('the body', () => {
  it('says every sampling setting as a number', () => {
    expect(chatBody(bodySettings(spec, 'm'), [], PLAIN)).toEqual({
      model: 'm',
      messages: [],
      stream: false,
      temperature: 0.2,
      top_p: 0.95,
      max_tokens: 400,
      seed: 7,
    });
  });

  it('carries further fields, decimals as numbers at any depth', () => {
    const extra = {
      top_k: 20,
      min_p: { decimal: '0.05' },
      chat_template_kwargs: { enable_thinking: false, x: [{ decimal: '1.5' }] },
    };
    expect(chatBody(bodySettings({ ...spec, extra }, 'm'), [], PLAIN)).toMatchObject({
      top_k: 20,
      min_p: 0.05,
      chat_template_kwargs: { enable_thinking: false, x: [1.5] },
    });
  });

  it('leaves out what extra sets to null', () => {
    const body = chatBody(
      bodySettings({ ...spec, extra: { max_tokens: null, max_completion_tokens: 9 } }, 'm'),
      [],
      PLAIN,
    );
    expect(body).not.toHaveProperty('max_tokens');
    expect(body).toHaveProperty('max_completion_tokens', 9);
  });

  it('is its settings and the messages, and nothing else', () => {
    const odd = { ...spec, extra: { seed: null, min_p: { decimal: '0.05' }, logprobs: true } };
    const { messages, ...rest } = chatBody(bodySettings(odd, 'm'), game(), PLAIN);
    expect(messages).toEqual(wireMessages(game(), PLAIN));
    expect(bodySettings(odd, 'm')).toEqual(rest);
    expect(rest).toMatchObject({ model: 'm', temperature: 0.2, min_p: 0.05, logprobs: true });
  });
});

describe('the bytes that are sent', () => {
  const image = fc
    .uint8Array({ maxLength: 40 })
    .map((png) => ({ kind: 'image', png, frameHash: 'f' }) as const);
  // Whatever JSON escapes, and halves of characters.
  const text = fc.string({ unit: 'binary' }).map((words) => ({ kind: 'text', text: words }) as const);
  const message = fc.record({
    role: fc.constantFrom<Message['role']>('system', 'user', 'assistant'),
    parts: fc.array(fc.oneof(text, image), { maxLength: 4 }),
  });
  const odd = { 1: 'one', stop: [']}'], seed: null };
  const answer = { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] };

  it('are the whole body as JSON', async () => {
    const sent: Uint8Array[] = [];
    const { dependencies } = bench(spec);
    const transport = {
      send: ({ body }: HttpRequest) => {
        sent.push(body ?? new Uint8Array());
        return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) });
      },
      close: () => undefined,
    };
    const talks = fc.tuple(fc.array(message, { maxLength: 6 }), fc.constantFrom<JsonObject>({}, odd));
    await fc.assert(
      fc.asyncProperty(talks, async ([talk, extra]) => {
        const model = openChatModel({ ...spec, extra }, { ...dependencies, transport });
        await model.complete(talk, NEVER);
        const whole = JSON.stringify({ ...model.settings(), messages: wireMessages(talk, PLAIN) });
        expect(Buffer.from(sent.at(-1) ?? []).toString()).toBe(whole);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the messages', () => {
  it('puts the picture last and keeps text alone as a string', () => {
    const image = { kind: 'image', png: tinyPng(), frameHash: 'f' } as const;
    const [system, last] = wireMessages(
      [words('system', 'rules'), { role: 'user', parts: [image, { kind: 'text', text: 'after' }] }],
      PLAIN,
    );
    expect(system).toEqual({ role: 'system', content: 'rules' });
    expect(last?.content).toEqual([
      { type: 'text', text: 'after' },
      {
        type: 'image_url',
        image_url: { url: `data:image/png;base64,${Buffer.from(tinyPng()).toString('base64')}` },
      },
    ]);
  });

  it('leaves several pictures where they stand, behind the texts that tell them apart', () => {
    const image = (frameHash: string, byte: number) =>
      ({ kind: 'image', png: new Uint8Array([byte]), frameHash }) as const;
    const text = (words: string) => ({ kind: 'text', text: words }) as const;
    const parts = [text('turn'), text('then:'), image('a', 1), text('now:'), image('b', 2)];
    const messages: Message[] = [{ role: 'user', parts }];
    const url = (digits: string) => ({ url: `data:image/png;base64,${digits}` });
    expect(wireMessages(messages, PLAIN)[0]?.content).toEqual([
      { type: 'text', text: 'turn\n\nthen:' },
      { type: 'image_url', image_url: url('AQ==') },
      { type: 'text', text: 'now:' },
      { type: 'image_url', image_url: url('Ag==') },
    ]);
  });

  it('encodes only the bytes of a view into a larger buffer', () => {
    const larger = new Uint8Array([9, 9, 1, 2, 3, 9]);
    const image = { kind: 'image', png: larger.subarray(2, 5), frameHash: 'f' } as const;
    expect(JSON.stringify(wireMessages([{ role: 'user', parts: [image] }], PLAIN))).toContain('base64,AQID"');
  });

  it('joins neighbours of one role and all system text', () => {
    const messages = [words('system', 'a'), words('user', 'b'), words('user', 'c'), words('system', 'd')];
    expect(wireMessages(messages, PLAIN)).toEqual([
      { role: 'system', content: 'a\n\nd' },
      { role: 'user', content: 'b\n\nc' },
    ]);
  });

  it('opens the first user message with the system text where a server has no system role', () => {
    const folded = wireMessages(game(), { foldSystem: true });
    expect(folded.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(folded[0]?.content).toBe('You are Ada.\n\nTurn 1.');
  });

  it('are told to differ only where there was a system text to fold', () => {
    expect(adaptationsOf(game(), { foldSystem: true })).toEqual(['system-folded']);
    expect(adaptationsOf(game().slice(1), { foldSystem: true })).toEqual([]);
    expect(adaptationsOf(game(), PLAIN)).toEqual([]);
  });

  const role = fc.constantFrom<Message['role']>('system', 'user', 'assistant');
  it('never has neighbours of one role, nor system text after the first message', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(role, fc.string())), fc.boolean(), (list, foldSystem) => {
        const wired = wireMessages(
          list.map(([who, text]) => words(who, text)),
          { foldSystem },
        );
        const roles = wired.map((message) => message.role);
        expect(roles.every((who, i) => i === 0 || (who !== roles[i - 1] && who !== 'system'))).toBe(true);
        const sent = wired.map((message) => JSON.stringify(message.content)).join('');
        for (const [, text] of list) expect(sent).toContain(JSON.stringify(text).slice(1, -1));
      }),
    );
  });

  it('sends a past that grew as the same bytes with more behind', () => {
    const past = [words('system', 'rules'), words('user', 'one'), words('assistant', 'two')];
    const before = JSON.stringify(wireMessages(past, PLAIN)).slice(0, -1);
    expect(JSON.stringify(wireMessages([...past, words('user', 'three')], PLAIN)).startsWith(before)).toBe(
      true,
    );
  });
});
