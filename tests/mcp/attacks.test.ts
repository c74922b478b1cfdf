/** What a stranger sends to `/mcp`: each is refused for what it is, the world goes on, and nothing of ours fails. */
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { temporaryFolder } from '../support/folder.js';
import { LOCKSTEP, served } from '../serve/served.js';
import type { Served } from '../serve/served.js';
import { ROOM } from './harness.js';

const TOKENS = { ann: 'of-ann', viewer: 'of-a-viewer', boss: 'of-the-boss' };

let world: Served;

beforeAll(async () => {
  const known = (
    token: string,
    name: string,
    roles: readonly never[],
    entities: readonly string[] | null,
  ) => ({
    hash: createHash('sha256').update(token).digest(),
    principal: { name, roles, entities },
  });
  world = await served(ROOM, temporaryFolder(), {
    pace: LOCKSTEP,
    set: ['turns.max=1000'],
    own: ['bob'],
    tokens: [
      known(TOKENS.ann, 'ann', ['agent'] as never, ['ann']),
      known(TOKENS.viewer, 'viewer', ['viewer'] as never, null),
      known(TOKENS.boss, 'boss', ['operator'] as never, null),
    ],
  });
});

/** Who has the right token is served as before, and the entity does what it did. */
afterEach(async () => {
  expect(await say('tools/list', {})).toMatchObject({
    status: 200,
    body: expect.stringContaining('"observe"') as string,
  });
  expect(world.faults.map(String)).toEqual([]);
});

afterAll(() => world.close());

interface Sent {
  path?: string;
  method?: string;
  token?: string | null;
  headers?: Record<string, string>;
}

/** One request, as any program sends it. */
function send(
  body: string | Buffer,
  { path = '/mcp/ann', method = 'POST', token = TOKENS.ann, headers = {} }: Sent = {},
) {
  const all = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  };
  return new Promise<{ status: number; body: string; headers: IncomingMessage['headers'] }>(
    (resolve, reject) => {
      const asked = httpRequest(
        `${world.address}${path}`,
        { method, headers: all, agent: false },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
          );
        },
      );
      asked.on('error', reject);
      asked.end(body);
    },
  );
}

const message = (method: string, params: unknown, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const say = (method: string, params: unknown, sent: Sent = {}) => send(message(method, params), sent);
const call = (name: unknown, args: unknown, sent: Sent = {}) =>
  say('tools/call', { name, arguments: args }, sent);

describe('who', () => {
  it.each([
    ['no token', 401, { token: null }],
    ['an unknown token', 401, { token: 'guessed' }],
    ['a token twice', 401, { headers: { authorization: `Bearer ${TOKENS.ann}, Bearer ${TOKENS.boss}` } }],
    ['a token in the path alone', 401, { token: null, path: `/mcp/ann?token=${TOKENS.ann}` }],
    ['another entity than its own', 403, { path: '/mcp/bob' }],
    ['the role of a viewer', 403, { token: TOKENS.viewer }],
    ['an entity that there is not', 404, { path: '/mcp/nobody', token: TOKENS.boss }],
    ['a run that there is not', 404, { path: '/mcp/ann?run=none' }],
    ['another site in a browser', 403, { headers: { origin: 'https://evil.example' } }],
    ['another host', 403, { headers: { host: 'evil.example' } }],
  ] as const)('%s: %i', async (_what, status, sent) => {
    const answer = await say('tools/list', {}, sent);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toMatch(/at .*\.[jt]s:\d|of-the-boss|node_modules/);
  });

  it('an entity that the server plays itself is not given away', async () => {
    const { body } = await call('observe', {}, { path: '/mcp/bob', token: TOKENS.boss });
    expect(body).toContain('the server plays "bob" itself');
  });
});

describe('a path', () => {
  it.each([
    '/mcp/ann/..%2f..%2fetc',
    '/mcp/%00',
    '/mcp/__proto__',
    '/mcp/%E0%A4%A',
    '/mcp/ann%0d%0aX: y',
    `/mcp/${'a'.repeat(3000)}`,
  ])('%s leads nowhere', async (path) => {
    const { status } = await say('tools/list', {}, { path, token: TOKENS.boss });
    expect([400, 403, 404]).toContain(status);
  });
});

describe('a body', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['deep brackets', deep],
    ['a number', '7'],
    ['no version', '{"id":1,"method":"tools/list"}'],
    ['a method that there is not', message('tools/destroy', {})],
    ['an id that is an object', message('tools/list', {}, { a: 1 })],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
    ['an empty list', '[]'],
    ['an answer without a question', '{"jsonrpc":"2.0","id":9,"result":{}}'],
  ])('with %s is refused', async (_what, body) => {
    const answer = await send(body);
    expect(answer.status === 202 || answer.status >= 400 || /"error"|-32\d{3}/.test(answer.body)).toBe(true);
    expect(answer.body).not.toMatch(/at .*\.[jt]s:\d|node_modules/);
  });

  it('of more than 64 KiB is not read', async () => {
    expect((await call('speak', { text: 'x'.repeat(70_000) })).status).toBe(413);
  });

  it('that never comes in full keeps nobody waiting', async () => {
    const { hostname, port } = new URL(world.address);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /mcp/ann HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${TOKENS.ann}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"jsonrpc"`,
    );
    expect((await say('tools/list', {})).status).toBe(200);
    socket.destroy();
  });
});

describe('arguments', () => {
  it.each([
    ['a tool that there is not', 'destroy', {}],
    ['a tool of the prototype', 'constructor', {}],
    ['a name that is no text', { toString: 1 }, {}],
    ['arguments that are a list', 'go', ['south']],
    ['a direction that there is not', 'go', { direction: 'up\u0000\u001b[31m' }],
    ['a text of another kind', 'speak', { text: { toString: 'x' } }],
    ['a number beyond all numbers', 'drop', { thing: 'x', amount: Number.MAX_VALUE }],
    ['a prototype', 'go', JSON.parse('{"__proto__":{"direction":"south"}}') as unknown],
  ])('%s do nothing', async (_what, name, args) => {
    await call('observe', {});
    const before = world.run.tick;
    const { body } = await call(name, args);
    expect(body).not.toMatch(/at .*\.[jt]s:\d|node_modules|\u001b/);
    expect(world.run.tick).toBe(before);
  });

  it('half a character in a text is stored as a whole one', async () => {
    await call('observe', {});
    await call('speak', { text: '\ud800half' });
    const reader = new LogReader(world.log);
    const [step] = [...reader.steps(world.run.record.runId, { agent: 'ann' })].slice(-1);
    reader.close();
    expect(step?.acts.at(-1)?.intent?.args['text']).toBe('\ufffdhalf');
  });

  it('a client that calls itself what no name is appears in the log on one line', async () => {
    const clientInfo = { name: `evil\n\u001b[31m${'x'.repeat(500)}`, version: '1' };
    const begun = await say('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    await call('observe', {}, { headers: { 'mcp-session-id': String(begun.headers['mcp-session-id']) } });
    const reader = new LogReader(world.log);
    const names = reader.leases(world.run.record.runId).map(({ controller }) => controller);
    reader.close();
    expect(names.at(-1)).toMatch(/^mcp:evil [\x20-\x7e\u2400-\u243f\\]+$/);
    expect(names.every((name) => name.length <= 200)).toBe(true);
  });
});

it('a hundred calls at once are each answered, and none decides a turn again', async () => {
  await call('observe', {});
  const answers = await Promise.all(Array.from({ length: 100 }, () => call('wait', {})));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const reader = new LogReader(world.log);
  const steps = [...reader.steps(world.run.record.runId, { agent: 'ann' })];
  reader.close();
  expect(steps.every(({ acts }) => acts.filter(({ result }) => result.ok).length === 1)).toBe(true);
});
