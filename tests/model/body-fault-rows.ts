/** The table of faults, second part: what an answer's body holds, streams that nobody asked for, and how models and servers behave. */
import * as act from '../fake-server/behaviours.mjs';
import type { Behaviour } from '../fake-server/server.mjs';
import * as wire from '../fake-server/wire-faults.mjs';
import { answered, askedAgain, paused, retried, reworded } from './fault-rows.js';
import type { FaultRow, ImpossibleRow, Row } from './fault-rows.js';

/** The body's text changed, whatever JSON makes of it. */
function text(change: (body: string) => string | Buffer): readonly Behaviour[] {
  return [(exchange) => act.raw(change(wire.bodyOf(exchange).toString()))(exchange)];
}

/** The first choice changed. */
function choice(
  change: (choice: { finish_reason: unknown; message: Record<string, unknown> }) => unknown,
): readonly Behaviour[] {
  return [
    act.changed(
      (good: { choices: [{ finish_reason: unknown; message: Record<string, unknown> }] }) =>
        void change(good.choices[0]),
    ),
  ];
}

function content(of: (good: string) => unknown): readonly Behaviour[] {
  return choice(({ message }) => (message['content'] = of(String(message['content']))));
}

function finish(reason: unknown): readonly Behaviour[] {
  return choice((one) => (one.finish_reason = reason));
}

function field(name: string, value: unknown): readonly Behaviour[] {
  return [act.changed((good: object) => ({ ...good, [name]: value }))];
}

const EMPTY = /empty/;
const UNENDED = /did not end properly/;
const OTHER = 'ACTION: SPEAK \\"no\\"';

const JSON_ROWS: readonly Row[] = [
  retried('invalid', [act.truncatedJson], /chatcmpl/),
  answered(
    'duplicate keys',
    text((body) => body.replace('"content":', `"content":"${OTHER}","content":`)),
  ),
  answered(
    '`__proto__`',
    text((body) => body.replace('{', '{"__proto__":{"choices":[]},')),
  ),
  retried(
    '`__proto__` holds all',
    text((body) => `{"__proto__":${body}}`),
    /not-chat/,
  ),
  retried('no choices', [act.changed(() => ({ id: 'x', object: 'chat.completion' }))], /not-chat/),
  askedAgain('empty choices', field('choices', []), /sent no answer/),
  askedAgain(
    'a choice without a message',
    choice((one) => Reflect.deleteProperty(one, 'message')),
    /sent no answer/,
  ),
  askedAgain('refusal', [act.message({ content: null, refusal: 'I will not.' })], /declined to answer/),
  askedAgain(
    'refusal as a part',
    [act.message({ content: [{ type: 'refusal', refusal: 'I will not.' }] })],
    /declined to answer/,
  ),
  askedAgain(
    'content null',
    content(() => null),
    EMPTY,
  ),
  answered(
    'content array of parts',
    content((good) => [{ type: 'text', text: good }]),
  ),
  askedAgain(
    'content number',
    content(() => 7),
    EMPTY,
  ),
  retried(
    '100 MB content',
    content(() => 'x'.repeat(100_000_000)),
    /longer than 8000000 bytes/,
  ),
  reworded(
    'NUL',
    content((good) => `\0${good}\0`),
  ),
  reworded(
    'lone surrogate',
    content((good) => `I see \uD800.\n${good}`),
  ),
  reworded('invalid UTF-8', [act.badUtf8]),
  answered(
    'deep nesting 10^5',
    text((body) => body.replace('{', `{"deep":${'['.repeat(1e5)}${']'.repeat(1e5)},`)),
  ),
  answered('usage negative', field('usage', { prompt_tokens: -5, completion_tokens: -1 })),
  answered('usage 1e308', field('usage', { prompt_tokens: 1e308, completion_tokens: 1.5 })),
  answered('usage missing', field('usage', undefined)),
  answered('other model id', field('model', 'somebody/else')),
  askedAgain('finish_reason null', finish(null), UNENDED),
  retried('finish_reason abort', finish('abort'), /it ended its answer with "abort": ACTION/),
  retried('finish_reason error', finish('error'), /it ended its answer with "error": ACTION/),
  askedAgain('finish_reason length', finish('length'), /cut off/),
  askedAgain('finish_reason content_filter', finish('content_filter'), /content filter/),
  askedAgain('finish_reason unknown', finish('banana'), UNENDED),
  askedAgain(
    'reasoning_content only',
    [act.message({ content: null, reasoning_content: 'ACTION: GO NORTH' })],
    /no answer/,
  ),
  askedAgain(
    'tool_calls instead of text',
    [
      act.message(
        {
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'GO', arguments: '{"to":"north"}' } }],
        },
        'tool_calls',
      ),
    ],
    /./,
  ),
  answered('n=2', [
    act.changed(
      (good) =>
        void good.choices.push({
          ...structuredClone(good.choices[0]),
          index: 1,
          message: { role: 'assistant', content: 'ACTION: SPEAK "no"' },
        }),
    ),
  ]),
];

/** A server that streams although nobody asked it to. The client asks for whole answers and reads no events. */
function streamed(change: (events: readonly string[]) => string): readonly Behaviour[] {
  return [
    (exchange) => {
      const { choices } = exchange.completion as { choices: [{ message: { content: string } }] };
      const chunk = (delta: unknown, reason: string | null): string =>
        JSON.stringify({
          object: 'chat.completion.chunk',
          choices: [{ index: 0, delta, finish_reason: reason }],
        });
      const words = choices[0].message.content.split(/(?<= )/).map((one) => chunk({ content: one }, null));
      const body = change([chunk({ role: 'assistant' }, null), ...words, chunk({}, 'stop'), '[DONE]']);
      act.raw(body, { 'content-type': 'text/event-stream' })(exchange);
    },
  ];
}

function events(list: readonly string[], end = '\n\n'): string {
  return list.map((data) => `data: ${data}${end}`).join('');
}

const STREAM: readonly Row[] = [
  paused(
    'no [DONE]',
    streamed((all) => events(all.slice(0, -1))),
    /streams its answer/,
  ),
  paused(
    '[DONE] first',
    streamed((all) => events(['[DONE]', ...all])),
    /streams its answer/,
  ),
  paused(
    'no finish_reason',
    streamed((all) => events([...all.slice(0, -2), '[DONE]'])),
    /streams its answer/,
  ),
  paused(
    'error object mid-stream',
    streamed((all) => events([...all.slice(0, 2), '{"error":{"message":"died","code":500}}', '[DONE]'])),
    /streams its answer/,
  ),
  paused(
    'comments only',
    streamed(() => ': keep-alive\n\n'.repeat(9)),
    /streams its answer/,
  ),
  paused(
    'comments before a body',
    [(exchange) => act.raw(`: OPENROUTER PROCESSING\n\n${wire.bodyOf(exchange).toString()}`)(exchange)],
    /streams its answer/,
  ),
  paused(
    'multi-line data',
    streamed((all) => all.map((one) => `data: ${one.slice(0, 5)}\ndata: ${one.slice(5)}\n\n`).join('')),
    /streams its answer/,
  ),
  paused(
    'CRLF/LF mix',
    streamed((all) => all.map((one, i) => `data: ${one}${i % 2 === 0 ? '\r\n\r\n' : '\n\n'}`).join('')),
    /streams its answer/,
  ),
  answered(
    'CRLF/LF mix: in a body',
    text((body) => body.replaceAll('":', '":\r\n').replaceAll(',"', ',\n"')),
  ),
  answered('split inside UTF-8 code point', [
    (exchange) => wire.inPieces(1)({ ...exchange, completion: { ...exchange.completion, note: 'é€😀' } }),
  ]),
  paused(
    'duplicated chunk',
    streamed((all) => events(all.flatMap((one) => [one, one]))),
    /streams its answer/,
  ),
  retried(
    'duplicated chunk: the whole body',
    text((body) => body + body),
    /chatcmpl/,
  ),
  answered('reordered index', [
    act.changed(
      (good) =>
        void good.choices.unshift({
          ...structuredClone(good.choices[0]),
          index: 1,
          message: { role: 'assistant', content: 'ACTION: SPEAK "no"' },
        }),
    ),
  ]),
  retried('never-ending whitespace', [wire.blankDrips(1000)], /no complete answer within/),
  askedAgain(
    'never-ending whitespace: in the words',
    [act.message({ content: ' \n'.repeat(2000) }, 'length')],
    /cut off/,
  ),
  paused(
    'role changes',
    streamed((all) =>
      events(
        all.map((one, i) => one.replace('"delta":{', `"delta":{"role":"${i % 2 === 0 ? 'user' : 'tool'}",`)),
      ),
    ),
    /streams its answer/,
  ),
  answered(
    'role changes: of a whole reply',
    choice(({ message }) => (message['role'] = 'user')),
  ),
  retried('answer after 10 min', [wire.slow(600_000)], /no complete answer within/),
];

const TOKENS = '<|im_end|><|endoftext|></s><|eot_id|>';

const BEHAVIOUR: readonly Row[] = [
  askedAgain(
    'echo of the system prompt',
    [(exchange) => act.message({ content: exchange.system })(exchange)],
    /./,
  ),
  askedAgain(
    'repeats forever to max_tokens',
    [act.message({ content: 'ACTION: GO NORTH\n'.repeat(100) }, 'length')],
    /cut off/,
  ),
  askedAgain(
    "somebody else's name as speaker",
    content((good) => `carl: ${good}`),
    /./,
  ),
  reworded(
    'control tokens in output',
    content((good) => `${good}${TOKENS}`),
  ),
  retried('server restarts between attempts', [wire.restarts, act.crashed], /500|hang up|ECONNRESET/),
  answered('latency 0..60 s bimodal: just in time', [wire.slow(40_000)]),
  retried('latency 0..60 s bimodal: too late', [wire.slow(60_001)], /no complete answer within/),
];

export const BODY_FAULTS: readonly FaultRow[] = [
  ...JSON_ROWS.map((row) => ({ group: 'JSON', ...row })),
  ...STREAM.map((row) => ({ group: 'SSE', ...row })),
  ...BEHAVIOUR.map((row) => ({ group: 'Behaviour', ...row })),
];

export const IMPOSSIBLE: readonly ImpossibleRow[] = [
  {
    group: 'JSON',
    entry: "other request's id",
    cannot:
      'a completion has no id of the request: it belongs to what the connection asked last. What can be done stands under Foreign',
  },
];
