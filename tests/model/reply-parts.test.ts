/** What a server gives as a reply is read by its type: parts of text, parts of reasoning, calls of before, and errors within an answer. */
import { expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { FaultError, jsonIn } from '../../src/model/fault.js';
import { toReply } from '../../src/model/reply.js';
import { protocolOf } from '../../src/parse/protocols.js';

const answer = (message: object, finish: string = 'stop') => ({
  choices: [{ index: 0, message, finish_reason: finish }],
});

it.each([
  [
    'text',
    [
      { type: 'text', text: 'ACTION: ' },
      { type: 'text', text: 'WAIT' },
    ],
    'ACTION: WAIT',
    null,
  ],
  ['reasoning alone', [{ type: 'reasoning', text: 'ACTION: WAIT' }], '', 'ACTION: WAIT'],
  [
    'thinking in its own field',
    [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'ACTION: WAIT' },
    ],
    'ACTION: WAIT',
    'Hm.',
  ],
  [
    'thinking as a list',
    [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'x' },
    ],
    'x',
    'Hm.',
  ],
  [
    'a type that is not known',
    [
      { type: 'image_url', text: 'ACTION: WAIT' },
      { type: 'text', text: 'x' },
    ],
    'x',
    null,
  ],
  ['no type', [{ text: 'x' }], 'x', null],
])('parts: %s', (_, content, words, reasoning) => {
  expect(toReply(answer({ content }))).toMatchObject({ content: words, reasoning });
});

it('reads a call as it was before there were several', () => {
  const call = { name: 'GO', arguments: '{"direction": "north"}' };
  expect(toReply(answer({ content: null, function_call: call }, 'function_call'))).toMatchObject({
    toolCalls: [call],
    finishReason: 'tool_calls',
  });
});

it.each(['eos', 'eos_token', 'stop_sequence', 'end_turn', 'STOP'])('takes %s for a proper end', (reason) => {
  expect(toReply(answer({ content: 'x' }, reason))?.finishReason).toBe('stop');
});

it.each(['length', 'toString', 'EOS-ish'])('leaves %s as it is', (reason) => {
  expect(toReply(answer({ content: 'x' }, reason))?.finishReason).toBe(reason);
});

const SORRY = "I'm sorry, I can't help with that.";

it.each([
  ['in its field', { content: null, refusal: SORRY }, SORRY],
  ['in a part', { content: [{ type: 'refusal', refusal: SORRY }] }, SORRY],
  [
    'after other words',
    {
      content: [
        { type: 'text', text: 'ACTION: WAIT' },
        { type: 'refusal', refusal: SORRY },
      ],
    },
    `ACTION: WAIT\n${SORRY}`,
  ],
])('keeps what a model says when it declines, %s, and does not let it act', (_, message, words) => {
  const reply = known(toReply(answer(message)), 'a reply');
  expect(reply).toMatchObject({ content: words, finishReason: 'refusal' });
  expect(protocolOf('command').read(reply, [])).toMatchObject({
    ok: false,
    problem: { code: 'refused-by-model' },
  });
});

it.each(['', null, 7])('takes the refusal %j for none', (refusal) => {
  expect(toReply(answer({ content: 'x', refusal }))).toMatchObject({ content: 'x', finishReason: 'stop' });
});

it.each([
  ['no choice', { choices: [] }, 'no-choice'],
  ['a choice that is null', { choices: [null] }, 'no-choice'],
  ['a choice without a message', { choices: [{ index: 0, finish_reason: 'stop' }] }, 'no-choice'],
  ['a filter', answer({ content: 'x' }, 'content_filter'), 'filtered'],
  ["Google's filter", answer({ content: '' }, 'SAFETY'), 'filtered'],
  ['an error', answer({ content: 'ACTION: WAIT' }, 'error'), 'server-error'],
  ['an abort', answer({ content: 'ACTION: WAIT' }, 'abort'), 'server-error'],
  ["Anthropic's refusal", answer({ content: 'No.' }, 'refusal'), 'refused-by-model'],
  ["Anthropic's limit", answer({ content: 'ACTION: WAIT' }, 'max_tokens'), 'truncated'],
])('has a code of its own for %s', (_, body, code) => {
  const reply = known(toReply(body), 'a reply');
  expect(protocolOf('command').read(reply, [])).toMatchObject({ ok: false, problem: { code } });
});

/** The fault that an answer stands for. */
function faultOf(body: object, status = 200): unknown {
  try {
    return jsonIn({ status, headers: {} }, JSON.stringify(body));
  } catch (error) {
    return error instanceof FaultError ? error.fault : error;
  }
}

it.each([
  [
    'within a choice',
    { choices: [{ error: { message: 'host gone', code: 502 }, message: { content: 'x' } }] },
    'host gone',
  ],
  ['flat, with a detail', { detail: 'Model is loading' }, 'Model is loading'],
  ['flat, as an object', { object: 'error', message: 'no room', code: 503 }, 'no room'],
])('an error %s is one', (_, body, words) => {
  expect(faultOf(body)).toMatchObject({ message: words, retryAfter: {} });
});

it('tells what the host behind a gateway said', () => {
  const body = {
    error: { message: 'Provider returned error', code: 429, metadata: { raw: 'slow down, please' } },
  };
  expect(faultOf(body, 429)).toMatchObject({ message: 'Provider returned error: slow down, please' });
});

it.each([
  ['The decoder prompt (length 9) is longer than the maximum model length of 8.', 'context'],
  ['Model does not support images. Please use a model that does.', 'no-vision'],
])('knows %s', (message, kind) => {
  expect(faultOf({ error: message }, 400)).toMatchObject({ kind });
});

it.each(['utf-8', 'Identity', ''])('reads a plain body whose encoding is given as "%s"', (encoding) => {
  const text = JSON.stringify(answer({ content: 'ACTION: WAIT' }));
  expect(jsonIn({ status: 200, headers: { 'content-encoding': encoding } }, text)).toEqual(JSON.parse(text));
});
