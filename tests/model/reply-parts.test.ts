/** What a server gives as a reply is read by its type: parts of text, parts of reasoning, calls of before, and errors within an answer. */
import { expect, it } from 'vitest';
import { classifyAnswer } from '../../src/model/fault.js';
import { toReply } from '../../src/model/reply.js';

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

it.each(['length', 'abort', 'toString', 'EOS-ish'])('leaves %s as it is', (reason) => {
  expect(toReply(answer({ content: 'x' }, reason))?.finishReason).toBe(reason);
});

const given = (body: object, status = 200) => classifyAnswer({ status, headers: {} }, JSON.stringify(body));

it.each([
  [
    'within a choice',
    { choices: [{ error: { message: 'host gone', code: 502 }, message: { content: 'x' } }] },
    'host gone',
  ],
  ['flat, with a detail', { detail: 'Model is loading' }, 'Model is loading'],
  ['flat, as an object', { object: 'error', message: 'no room', code: 503 }, 'no room'],
])('an error %s is one', (_, body, words) => {
  expect(given(body)).toMatchObject({ ok: false, fault: { message: words } });
});

it('tells what the host behind a gateway said', () => {
  const body = {
    error: { message: 'Provider returned error', code: 429, metadata: { raw: 'slow down, please' } },
  };
  expect(given(body, 429)).toMatchObject({
    ok: false,
    fault: { message: 'Provider returned error: slow down, please' },
  });
});

it.each([
  ['The decoder prompt (length 9) is longer than the maximum model length of 8.', 'context'],
  ['Model does not support images. Please use a model that does.', 'no-vision'],
])('knows %s', (message, kind) => {
  expect(given({ error: message }, 400)).toMatchObject({ ok: false, fault: { kind } });
});

it.each(['utf-8', 'Identity', ''])('reads a plain body whose encoding is given as "%s"', (encoding) => {
  const text = JSON.stringify(answer({ content: 'ACTION: WAIT' }));
  expect(classifyAnswer({ status: 200, headers: { 'content-encoding': encoding } }, text)).toMatchObject({
    ok: true,
  });
});
