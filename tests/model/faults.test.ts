/**
 * Every way in which a server fails over real sockets, with the one outcome it may have: answered, tried again
 * and then answered, or a ModelError in the server's words. No row waits: the clock is the test's.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { ModelError } from '../../src/base/errors.js';
import type { Reply } from '../../src/model/chat.js';
import { jsonIn } from '../../src/model/fault.js';
import * as act from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { Behaviour, FakeServer } from '../fake-server/server.mjs';
import { bench, CANARY, game, NEVER, specification } from './harness.js';
import type { Bench } from './harness.js';

interface Row {
  fault: string;
  /** What the server does, request by request. */
  does: readonly Behaviour[];
  /** Requests that the server must have seen, with the question after the last try (`lost-request.test.ts`). */
  requests: number;
  answered?: Partial<Reply>;
  error?: RegExp;
  hint?: RegExp;
  waitsMs?: readonly number[];
  /** Limits that must run out, because the server goes silent. */
  silences?: number;
}

const GOOD = { content: 'ACTION: WAIT', finishReason: 'stop' };
const three = (behaviour: Behaviour): readonly Behaviour[] => [behaviour, behaviour, behaviour];
const context = "You passed 9 input tokens … the model's context length is only 8 tokens";

const RETRIED: readonly Row[] = [
  { fault: '503 while loading', does: [act.loading], requests: 2, answered: GOOD, waitsMs: [250] },
  { fault: '500', does: [act.crashed, act.crashed], requests: 3, answered: GOOD, waitsMs: [250, 500] },
  { fault: '502 page', does: [act.status(502, '<html>Bad Gateway</html>')], requests: 2, answered: GOOD },
  { fault: '504', does: [act.error(504, 'gateway timeout')], requests: 2, answered: GOOD },
  { fault: '529', does: [act.error(529, 'overloaded')], requests: 2, answered: GOOD },
  { fault: '408', does: [act.error(408, 'slow')], requests: 2, answered: GOOD },
  { fault: '409', does: [act.error(409, 'conflict')], requests: 2, answered: GOOD },
  { fault: '429 alone', does: [act.rateLimited()], requests: 2, answered: GOOD, waitsMs: [250] },
  {
    fault: '200 with an error',
    does: [act.status(200, { error: { message: 'upstream', code: 502 } })],
    requests: 2,
    answered: GOOD,
  },
  {
    fault: '200 with an error as text',
    does: [act.status(200, { error: 'upstream died' })],
    requests: 2,
    answered: GOOD,
  },
  { fault: 'an empty 200', does: [act.raw('')], requests: 2, answered: GOOD },
  { fault: '204', does: [act.noContent], requests: 2, answered: GOOD },
  { fault: 'truncated JSON', does: [act.truncatedJson], requests: 2, answered: GOOD },
  { fault: 'a reset before the answer', does: [act.reset], requests: 2, answered: GOOD },
  { fault: 'a hang-up before the answer', does: [act.hangUp], requests: 2, answered: GOOD },
  { fault: 'a reset in the body', does: [act.resetMidBody], requests: 2, answered: GOOD },
  { fault: 'a body shorter than announced', does: [act.cutMidBody], requests: 2, answered: GOOD },
  { fault: 'a body longer than announced', does: [act.longerThanAnnounced], requests: 2, answered: GOOD },
  { fault: 'chunks without an end', does: [act.cutChunked], requests: 2, answered: GOOD },
  { fault: 'not HTTP', does: [act.notHttp], requests: 2, answered: GOOD },
  { fault: 'silence', does: [act.hang], requests: 2, answered: GOOD, silences: 1 },
  { fault: 'silence in the body', does: [act.stallMidBody], requests: 2, answered: GOOD, silences: 1 },
  {
    fault: 'white space, then silence',
    does: [act.whitespaceThenNothing],
    requests: 2,
    answered: GOOD,
    silences: 1,
  },
];

const ANSWERED: readonly Row[] = [
  { fault: 'no content type', does: [act.noContentType], requests: 1, answered: GOOD },
  { fault: 'JSON called text/plain', does: [act.mislabelled], requests: 1, answered: GOOD },
  { fault: '1xx flood', does: [act.informationFlood(200)], requests: 1, answered: GOOD },
  {
    fault: 'bytes that are no UTF-8',
    does: [act.badUtf8],
    requests: 1,
    answered: { content: '\uFFFD\uFFFD(ACTION: WAIT' },
  },
];

const REFUSED: readonly Row[] = [
  {
    fault: '401',
    does: [act.error(401, 'Unauthorized')],
    requests: 1,
    error: /refused access \(HTTP 401\): Unauthorized/,
    hint: /check the environment variable TEST_MODEL_KEY/,
  },
  {
    fault: '403',
    does: [act.error(403, 'no')],
    requests: 1,
    error: /refused access/,
    hint: /TEST_MODEL_KEY/,
  },
  {
    fault: 'the key sent back',
    does: [act.echoesKey(401)],
    requests: 1,
    error: /Incorrect API key provided: \[key\]/,
  },
  {
    fault: '402',
    does: [act.error(402, 'Insufficient credits')],
    requests: 1,
    error: /requires payment.*Insufficient credits/,
  },
  {
    fault: '429 without quota',
    does: [act.error(429, 'You exceeded your current quota')],
    requests: 1,
    error: /requires payment/,
  },
  {
    fault: 'context, vLLM',
    does: [act.error(400, context)],
    requests: 1,
    error: /too long \(HTTP 400\): You passed 9/,
    hint: /keep less history/,
  },
  {
    fault: 'context, older vLLM',
    does: [act.error(400, "This model's maximum context length is 8")],
    requests: 1,
    error: /too long/,
  },
  {
    fault: 'context, llama.cpp',
    does: [act.error(500, 'the request exceeds the available context size')],
    requests: 1,
    error: /too long/,
  },
  {
    fault: 'context, flat',
    does: [act.status(400, { object: 'error', message: 'maximum input length is 8', code: 400 })],
    requests: 1,
    error: /too long/,
  },
  {
    fault: 'no vision, vLLM',
    does: [act.error(400, 'At most 0 image(s) may be provided in one prompt.')],
    requests: 1,
    error: /accepts no pictures.*At most 0/,
    hint: /render\.channel=text/,
  },
  {
    fault: 'no vision, llama.cpp',
    does: [act.error(500, 'image input is not supported - hint: mmproj')],
    requests: 1,
    error: /accepts no pictures/,
  },
  {
    fault: 'no vision, OpenRouter',
    does: [act.error(404, 'No endpoints found that support image input')],
    requests: 1,
    error: /accepts no pictures/,
  },
  {
    fault: 'an unsupported setting',
    does: [act.error(400, "Unsupported parameter: 'max_tokens'")],
    requests: 1,
    error: /refused a setting/,
    hint: /null under extra/,
  },
  {
    fault: 'two settings that exclude each other, in a host’s words',
    does: [act.error(400, 'The model says: `temperature` and `top_p` cannot both be specified.')],
    requests: 1,
    error: /refused a setting \(HTTP 400\)/,
    hint: /leave temperature or top_p out .* null under extra/,
  },
  {
    fault: 'a field that was not sent',
    does: [act.error(400, 'top_k must be positive')],
    requests: 1,
    error: /refused the request \(HTTP 400\)/,
  },
  {
    fault: 'a validation error of FastAPI',
    does: [
      act.status(422, {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }],
      }),
    ],
    requests: 1,
    error: /refused a setting \(HTTP 422\): seed: Extra inputs are not permitted$/,
    hint: /leave seed out/,
  },
  {
    fault: 'the same within a message, as Mistral nests it',
    does: [
      act.status(422, {
        object: 'error',
        message: { detail: [{ loc: ['body', 'messages', 2, 'role'], msg: 'not a role' }] },
      }),
    ],
    requests: 1,
    error: /\(HTTP 422\): messages\.2\.role: not a role$/,
  },
  {
    fault: 'a field in param alone',
    does: [act.status(400, { error: { message: 'Not supported with this model.', param: 'seed' } })],
    requests: 1,
    error: /refused a setting \(HTTP 400\): seed: Not supported with this model\.$/,
    hint: /leave seed out/,
  },
  {
    fault: 'fields in a list of errors',
    does: [
      act.status(400, {
        message: 'Invalid input',
        errors: [
          { field: 'seed', message: 'not allowed' },
          { path: ['messages', 0], message: 'too old' },
        ],
      }),
    ],
    requests: 1,
    error: /refused a setting \(HTTP 400\): Invalid input: seed: not allowed; messages\.0: too old$/,
    hint: /leave seed out/,
  },
  {
    fault: 'fields in the details of Google',
    does: [
      act.status(400, {
        error: {
          message: 'Invalid JSON payload.',
          status: 'INVALID_ARGUMENT',
          details: [
            { '@type': 'ErrorInfo', reason: 'x' },
            { '@type': 'BadRequest', fieldViolations: [{ field: 'config.seed', description: 'Unknown.' }] },
          ],
        },
      }),
    ],
    requests: 1,
    error: /refused a setting \(HTTP 400\): Invalid JSON payload\.: config\.seed: Unknown\.$/,
    hint: /leave seed out/,
  },
  {
    fault: 'validation errors beside a message that has them',
    does: [act.status(400, { message: 'seed: no', detail: [{ loc: ['body', 'seed'], msg: 'no' }] })],
    requests: 1,
    error: /refused a setting \(HTTP 400\): seed: no$/,
  },
  {
    fault: 'a param whose letter is in the message',
    does: [act.status(400, { error: { message: 'Not one of ours.', param: 'n' } })],
    requests: 1,
    error: /refused the request \(HTTP 400\): n: Not one of ours\.$/,
  },
  {
    fault: 'a param that means none',
    does: [act.status(400, { error: { message: 'no', param: 'None' } })],
    requests: 1,
    error: /refused the request \(HTTP 400\): no$/,
  },
  {
    fault: 'metadata of a gateway, with an error as text',
    does: [
      act.status(400, {
        error: {
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"message":"seed is out of range"}}', provider_name: 'P' },
        },
      }),
    ],
    requests: 1,
    error: /refused a setting .*Provider returned error: seed is out of range: provider_name P$/,
  },
  {
    fault: 'tools for a model without them',
    does: [act.error(400, 'library/gemma3:4b does not support tools')],
    requests: 1,
    error: /refused the request/,
    hint: /--protocol command, json or react/,
  },
  {
    fault: 'flat error',
    does: [act.status(400, { message: 'flat words' })],
    requests: 1,
    error: /flat words/,
  },
  {
    fault: 'detail',
    does: [act.status(422, { detail: 'words of detail' })],
    requests: 1,
    error: /words of detail/,
  },
  {
    fault: 'list of details',
    does: [act.status(422, { detail: [{ msg: 'first' }, { msg: 'second' }] })],
    requests: 1,
    error: /first; second/,
  },
  {
    fault: 'error as text',
    does: [act.status(400, { error: "'response_format.type' must be" })],
    requests: 1,
    error: /response_format/,
  },
  {
    fault: 'an error without words',
    does: [act.status(400, {})],
    requests: 1,
    error: /refused the request \(HTTP 400\)/,
  },
  {
    fault: '404 model, as Ollama says it',
    does: [act.error(404, 'model "x" not found, try pulling it first')],
    requests: 1,
    error: /does not have the model/,
  },
  {
    fault: '413',
    does: [act.status(413, '<html><h1>413 Request Entity Too Large</h1><hr>nginx</html>')],
    requests: 1,
    error: /refused the request as too big \(HTTP 413\): 413 Request Entity Too Large nginx$/,
    hint: /smaller frame.*client_max_body_size/,
  },
  {
    fault: 'a stream of events',
    does: [act.raw('data: {"choices":[{"delta":{"content":"ACTION: WAIT"}}]}\n\ndata: [DONE]\n\n')],
    requests: 1,
    error: /streams its answer, although `stream: false` was sent/,
    hint: /switch streaming off/,
  },
  { fault: '501', does: [act.error(501, 'not implemented')], requests: 1, error: /not implemented/ },
  {
    fault: '404 path',
    does: [act.status(404, { detail: 'Not Found' })],
    requests: 1,
    error: /does not know this path/,
    hint: /\/v1/,
  },
  {
    fault: '200 page',
    does: three(act.status(200, '<html><script>x()</script><h1>Log in</h1></html>')),
    requests: 4,
    error: /not JSON \(HTTP 200\), tried 3 times: Log in$/,
    hint: /base URL/,
  },
  {
    fault: 'other JSON',
    does: three(act.status(200, { hello: 'world' })),
    requests: 4,
    error: /not a chat completion/,
    hint: /base URL/,
  },
  { fault: 'JSON text', does: three(act.raw('"hello"')), requests: 4, error: /not a chat completion/ },
  { fault: 'compressed', does: three(act.gzipped), requests: 4, error: /compressed \(gzip\)/ },
  {
    fault: 'an endless body',
    does: three(act.endless),
    requests: 4,
    error: /sent an answer that is too long, tried 3 times: the answer is longer than 8000000 bytes/,
  },
  {
    fault: 'a redirect',
    does: [act.redirect('https://elsewhere.example/v1/?token=abc')],
    requests: 1,
    error: /redirects elsewhere.*https:\/\/elsewhere\.example\/v1\/$/,
  },
  {
    fault: 'a redirect to a file',
    does: [act.redirect('file:///etc/passwd')],
    requests: 1,
    error: /redirects elsewhere/,
  },
  {
    fault: '503 for ever',
    does: three(act.loading),
    requests: 4,
    error: /busy or loading \(HTTP 503\), tried 3 times: Loading model/,
    waitsMs: [250, 500],
  },
  {
    fault: 'resets for ever',
    does: three(act.reset),
    requests: 4,
    error: /dropped the connection, tried 3 times/,
  },
  { fault: 'cuts for ever', does: three(act.cutMidBody), requests: 4, error: /cut off, tried 3 times/ },
  {
    fault: 'silence for ever',
    does: three(act.hang),
    requests: 4,
    error: /took too long.*no complete answer within/,
    hint: /timeout_ms/,
    silences: 3,
  },
  {
    fault: 'an engine that dies',
    does: [act.dies],
    requests: 1,
    error: /does not answer, tried 3 times: connection refused/,
    hint: /vllm serve fake-vlm --port/,
  },
];

let server: FakeServer | undefined;
let made: Bench | undefined;
afterEach(async () => {
  made?.dependencies.transport.close();
  await server?.close();
});

async function played(row: Row): Promise<Reply | ModelError> {
  server = await startFakeServer({ apiKey: CANARY });
  server.next(...row.does);
  made = bench(specification(server.baseUrl));
  const call = made.model.complete(game(), NEVER).catch(modelErrorOnly);
  for (let i = 0; i < (row.silences ?? 0); i++) {
    await server.stalled();
    made.clock.expire();
  }
  return call;
}

describe('a fault of the server', () => {
  it.each([...ANSWERED, ...RETRIED])('$fault: answered', async (row) => {
    const reply = await played(row);
    expect(reply).toMatchObject(row.answered ?? {});
    expect(server?.chats.length).toBe(row.requests);
    expect('tries' in reply ? reply.tries.length : -1).toBe(row.requests - 1);
    if (row.waitsMs !== undefined) expect(made?.clock.waitsMs).toEqual(row.waitsMs);
    expect(made?.clock.pending).toBe(0);
  });

  it.each(RETRIED)('$fault, for ever: an error after the last try', async (row) => {
    const behaviour = at(row.does, 0);
    const error = await played({ ...row, does: three(behaviour), silences: 3 * (row.silences ?? 0) });
    expect(error).toMatchObject({ name: 'ModelError', isRetryable: true, isOfRequest: true });
    // Three tries, and the question whether the server answers others.
    expect(server?.chats.length).toBe(4);
    expect(made?.clock.pending).toBe(0);
    expect(everythingIn(error)).not.toContain(CANARY);
  });

  it.each(REFUSED)('$fault: an error in words', async (row) => {
    const error = await played(row);
    expect(error).toBeInstanceOf(ModelError);
    expect(error instanceof Error && error.message).toMatch(row.error ?? /^$/);
    if (row.hint !== undefined)
      expect(error instanceof ModelError && error.hints.join('\n')).toMatch(row.hint);
    expect(server?.chats.length).toBe(row.requests);
    if (row.waitsMs !== undefined) expect(made?.clock.waitsMs).toEqual(row.waitsMs);
    expect(made?.clock.pending).toBe(0);
    expect(everythingIn(error)).not.toContain(CANARY);
  });
});

it('takes no part of an answer for an answer', () => {
  const choices = [{ index: 0, message: { content: 'ACTION: GO NORTH } ]' }, finish_reason: 'stop' }];
  const whole = JSON.stringify({ choices, usage: { prompt_tokens: 1 } });
  for (let end = 0; end < whole.length; end++) {
    const cut = expect.objectContaining({
      fault: expect.objectContaining({ kind: 'cut', isRetryable: true }),
    });
    expect(() => jsonIn({ status: 200, headers: {} }, whole.slice(0, end))).toThrow(cut);
  }
  expect(jsonIn({ status: 200, headers: {} }, whole)).toEqual(JSON.parse(whole));
});

function modelErrorOnly(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  throw error;
}

function everythingIn(error: unknown): string {
  const own =
    error instanceof Error
      ? Object.getOwnPropertyNames(error).map((name) => Reflect.get(error, name) as unknown)
      : [];
  return `${String(error)} ${JSON.stringify(error)} ${JSON.stringify(own)}`;
}
