/** From a server's JSON to a reply: every spelling of the servers, nothing trusted, nothing thrown. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { NO_USAGE } from '../../src/model/chat.js';
import { toReply } from '../../src/model/reply.js';

function completion(message: unknown, finishReason: unknown = 'stop', more: object = {}): unknown {
  return { model: 'm', choices: [{ index: 0, message, finish_reason: finishReason }], ...more };
}

describe('the words', () => {
  it.each([
    ['text', 'GO', 'GO'],
    ['null', null, ''],
    ['absent', undefined, ''],
    ['parts', [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }], 'ab'],
    ['a number', 5, ''],
    ['an object', { text: 'x' }, ''],
    ['a lone surrogate', 'x\uD800y', 'x\uFFFDy'],
  ])('%s', (_, content, expected) => {
    expect(toReply(completion({ content }))?.content).toBe(expected);
  });

  it.each([
    [{ reasoning: 'a' }, 'a'],
    [{ reasoning_content: 'b' }, 'b'],
    [{ reasoning: 'a', reasoning_content: 'b' }, 'a'],
    [{ reasoning: null, reasoning_content: 'b' }, 'b'],
    [{ reasoning: '' }, null],
    [{ reasoning: 3 }, null],
  ])('reasoning in %j', (message, expected) => {
    expect(toReply(completion(message))?.reasoning).toBe(expected);
  });

  it.each(['stop', 'length', 'content_filter', 'repetition', 'tool_calls'])(
    'keeps the finish reason %s',
    (reason) => {
      expect(toReply(completion({ content: 'x' }, reason))?.finishReason).toBe(reason);
    },
  );

  it.each([null, undefined, 7, {}])('has no finish reason in %j', (reason) => {
    expect(
      toReply({ choices: [{ message: { content: 'x' }, finish_reason: reason }] })?.finishReason,
    ).toBeNull();
  });

  it('is empty, and says so, where there are no choices', () => {
    expect(toReply({ choices: [] })).toMatchObject({ content: '', finishReason: 'no-choice', toolCalls: [] });
  });

  it('takes the first of several choices, whatever their order', () => {
    const choices = [
      { index: 1, message: { content: 'second' } },
      { index: 0, message: { content: 'first' } },
    ];
    expect(toReply({ choices })?.content).toBe('first');
  });

  it.each([undefined, null, 'text', 3, [], {}, { choices: null }, { choices: {} }])(
    'is none at all in %j',
    (body) => {
      expect(toReply(body)).toBeNull();
    },
  );

  it('is whole at the limit; one byte more is cut and ended by length', () => {
    const edge = 'é'.repeat(LIMITS.replyBytes / 2);
    expect(toReply(completion({ content: edge }))).toMatchObject({ content: edge, finishReason: 'stop' });
    const over = toReply(completion({ content: `x${edge}` }));
    expect(over?.finishReason).toBe('length');
    expect(Buffer.byteLength(over?.content ?? '')).toBe(LIMITS.replyBytes - 1);
    expect(over?.content.endsWith('é')).toBe(true);
  });
});

describe('the rest of the answer', () => {
  const rawOf = (body: unknown) => JSON.parse(toReply(body)?.raw ?? '') as unknown;

  it('is kept whole, but for the words that stand elsewhere', () => {
    const logprobs = { content: [{ token: 'GO', logprob: -0.125, top_logprobs: [] }] };
    const message = { role: 'assistant', content: 'GO', reasoning_content: 'hm', refusal: null };
    const choices = [{ index: 0, message, finish_reason: 'stop', logprobs }];
    const body = { id: 'x', model: 'm', system_fingerprint: 'fp', choices, usage: { prompt_tokens: 1.5 } };
    const bare = [{ ...choices[0], message: { role: 'assistant', refusal: null } }];
    expect(rawOf(body)).toEqual({ ...body, choices: bare });
  });

  it('keeps words that stand nowhere else', () => {
    const choices = [
      { index: 0, message: { content: 'first', reasoning: 'a', reasoning_content: 'b' } },
      { index: 1, message: { content: 'second' } },
    ];
    expect(rawOf({ choices })).toEqual({
      choices: [
        { index: 0, message: { reasoning_content: 'b' } },
        { index: 1, message: { content: 'second' } },
      ],
    });
  });

  it('is whole at the limit; of one byte more only the size is told', () => {
    const padded = (pad: string) => completion({ content: 'GO' }, 'stop', { pad });
    const room = LIMITS.replyRawBytes - Buffer.byteLength(toReply(padded(''))?.raw ?? '');
    const edge = `é${'x'.repeat(room - 2)}`;
    expect(rawOf(padded(edge))).toMatchObject({ pad: edge });
    expect(rawOf(padded(`${edge}x`))).toEqual({ omitted_bytes: LIMITS.replyRawBytes + 1 });
  });

  it('is left out where it nests deeper than JSON can be written', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`);
    expect(toReply(completion({ content: 'GO' }, 'stop', { deep }))).toMatchObject({
      content: 'GO',
      raw: '{"omitted_bytes":null}',
    });
  });
});

describe('tool calls', () => {
  it('keeps name and unparsed arguments', () => {
    const tool_calls = [{ id: '1', type: 'function', function: { name: 'GO', arguments: '{"to": ' } }];
    expect(toReply(completion({ content: null, tool_calls }))?.toolCalls).toEqual([
      { name: 'GO', arguments: '{"to": ' },
    ]);
  });

  it('writes arguments that came as an object as text, and none that are too deep', () => {
    const called = (given: unknown) =>
      toReply(completion({ tool_calls: [{ function: { name: 'GO', arguments: given } }] }));
    expect(called({ to: 'x' })?.toolCalls).toEqual([{ name: 'GO', arguments: '{"to":"x"}' }]);
    const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
    expect(called(deep)?.toolCalls).toEqual([{ name: 'GO', arguments: '{' }]);
  });

  it('passes over what is none', () => {
    const tool_calls = [null, 4, {}, { function: { name: 3 } }, { function: { name: 'GO', arguments: 4 } }];
    expect(toReply(completion({ tool_calls }))?.toolCalls).toEqual([{ name: 'GO', arguments: '' }]);
  });

  it('reads arguments that came as an object, and calls without id or type', () => {
    const tool_calls = [
      { function: { name: 'GO', arguments: { to: 'x', why: ['a'] } } },
      { function: { name: 'GO', arguments: {} } },
      { id: 'a', type: 'function', function: { name: 'LOOK', arguments: null } },
    ];
    expect(toReply(completion({ tool_calls }))?.toolCalls).toEqual([
      { name: 'GO', arguments: '{"to":"x","why":["a"]}' },
      { name: 'GO', arguments: '{}' },
      { name: 'LOOK', arguments: '' },
    ]);
  });

  it.each([[[]], [null], [undefined], [{}]])('are none in %j', (tool_calls) => {
    expect(toReply(completion({ content: 'x', tool_calls }))?.toolCalls).toEqual([]);
  });

  it(`keeps ${LIMITS.toolCalls}`, () => {
    const tool_calls = Array.from({ length: LIMITS.toolCalls + 1 }, () => ({
      function: { name: 'GO', arguments: '{}' },
    }));
    expect(toReply(completion({ tool_calls }))?.toolCalls.length).toBe(LIMITS.toolCalls);
  });
});

const usageOf = (usage: unknown) => toReply(completion({ content: 'x' }, 'stop', { usage }))?.usage;

describe('usage', () => {
  it("reads vLLM's details", () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 16, multimodal_tokens: { image: 256 } },
      completion_tokens_details: { reasoning_tokens: 2 },
    };
    expect(usageOf(usage)).toEqual({
      promptTokens: 10,
      completionTokens: 5,
      cachedTokens: 16,
      imageTokens: 256,
      reasoningTokens: 2,
    });
  });

  it("reads SGLang's picture tokens", () => {
    expect(usageOf({ prompt_tokens_details: { image_tokens: 300 } })?.imageTokens).toBe(300);
  });

  it.each([
    undefined,
    null,
    'x',
    { prompt_tokens: -1 },
    { prompt_tokens: 1e308 },
    { prompt_tokens: 1.5 },
    { prompt_tokens: '9' },
  ])('knows nothing from %j', (usage) => expect(usageOf(usage)).toEqual(NO_USAGE));
});

it('makes something of any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (message, usage) => {
      const reply = toReply({ choices: [{ message, finish_reason: message }], usage });
      expect(reply?.content.isWellFormed()).toBe(true);
      expect(reply?.raw?.isWellFormed()).toBe(true);
    }),
  );
});

it('is not fooled by names of the object prototype', () => {
  const body: unknown = JSON.parse('{"__proto__": {"choices": []}, "constructor": 1}');
  expect(toReply(body)).toBeNull();
});
