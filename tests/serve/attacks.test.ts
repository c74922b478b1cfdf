/** A server of its own process is attacked over its port: each attack is refused for what it is, and the server answers others at once afterwards. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2, constants } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { startProgram } from '../support/children.js';
import type { Child } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const API = '/orchestrate.world.v1';
/** Of the times in /proc, on every Linux. */
const TICKS_PER_SECOND = 100;
const TOKENS = { operator: 'of-the-operator', agent: 'of-the-monk', viewer: 'of-a-viewer' };

let server: Child;
let host = '';
let port = 0;
let residentBefore = 0;

beforeAll(async () => {
  const sha = (token: string): string => createHash('sha256').update(token).digest('hex');
  const lines = [
    `${sha(TOKENS.operator)} boss operator,viewer,agent`,
    `${sha(TOKENS.agent)} player agent monk`,
    `${sha(TOKENS.viewer)} watcher viewer`,
  ];
  writeFileSync(join(folder, 'tokens.txt'), lines.join('\n'));
  const log = ['--out', `${folder}/`, '--runs', '2'];
  const place = ['--listen', '127.0.0.1:0', '--pace', 'lockstep', '--tokens', join(folder, 'tokens.txt')];
  server = startProgram(['serve', 'scenarios/two-keepers.yaml', ...log, ...place]);
  await server.prints(/serving \S+,/);
  const [, address = ''] = known(/serving (\S+),/.exec(server.output()), 'an address');
  [host = '', port = 0] = [address.split(':')[0], Number(address.split(':')[1])];
  expect(await call('WorldService/GetWorld', {})).toMatchObject({ title: 'Two Keepers' });
  residentBefore = resident();
});

/** The server still answers without much work before it, and is the same process. */
afterEach(async () => {
  const before = workedSeconds();
  expect(await call('WorldService/GetWorld', {})).toMatchObject({ title: 'Two Keepers' });
  expect(workedSeconds() - before).toBeLessThan(10);
  expect(server.process.exitCode).toBeNull();
});

afterAll(async () => {
  expect(resident() - residentBefore).toBeLessThan(200);
  // The second signal ends it, and reaches it as one with the first where it has not seen that yet.
  const ending = setInterval(() => server.process.kill('SIGTERM'), 200);
  const { err } = await server.ended;
  clearInterval(ending);
  expect(err).not.toMatch(/Error:|at .*\.js:\d+/);
});

/** Megabytes of memory that the server's process holds. */
function resident(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Seconds that the server's process was computing: unlike time that goes by, it hardly depends on what else the machine does. */
function workedSeconds(): number {
  const status = readFileSync(`/proc/${server.process.pid}/stat`, 'utf8');
  const [user, system] = status
    .slice(status.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}

interface Answer {
  status: number;
  body: string;
}

/** One request by HTTP/1.1, with any headers and any body. */
function http(path: string, body: Buffer | string, headers: Record<string, string> = {}, method = 'POST') {
  return new Promise<Answer>((resolve, reject) => {
    const all = {
      'content-type': 'application/json',
      authorization: `Bearer ${TOKENS.operator}`,
      ...headers,
    };
    const asked = httpRequest({ host, port, path, method, headers: all, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

async function call(method: string, request: object, token: string = TOKENS.operator): Promise<unknown> {
  const { body } = await http(`${API}.${method}`, JSON.stringify(request), {
    authorization: `Bearer ${token}`,
  });
  return JSON.parse(body) as unknown;
}

/** The code and the reason of a refusal, as one word each. */
async function refusal(method: string, request: object, token?: string): Promise<string> {
  const answer = (await call(method, request, token)) as {
    code?: string;
    details?: readonly { value: string }[];
  };
  const info = answer.details?.[0]?.value;
  const bytes = Buffer.from(info ?? '', 'base64');
  return `${answer.code ?? 'taken'} ${bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString()}`.trim();
}

async function raw(): Promise<Socket> {
  const socket = connect({ host, port });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function session(): Promise<ClientHttp2Session> {
  const one = connectHttp2(`http://${host}:${port}`);
  one.on('error', () => undefined);
  await once(one, 'connect');
  return one;
}

/** The gRPC status of a call with these bytes, or how its stream ended. */
async function grpc(
  bytes: Buffer,
  headers: Record<string, string> = {},
  method = 'WorldService/GetWorld',
): Promise<string> {
  const one = await session();
  const stream = one.request({
    ':method': 'POST',
    ':path': `${API}.${method}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${TOKENS.operator}`,
    ...headers,
  });
  const status = new Promise<string>((resolve) => {
    stream.on('response', (got) => got['grpc-status'] !== undefined && resolve(String(got['grpc-status'])));
    stream.on('trailers', (got) => resolve(String(got['grpc-status'])));
    stream.on('close', () => resolve(`closed ${stream.rstCode}`));
    stream.on('error', () => resolve('error'));
  });
  stream.resume();
  stream.end(bytes);
  const result = await status;
  one.destroy();
  return result;
}

function frame(flags: number, length: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flags;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, payload]);
}

const INVALID_ARGUMENT = '3';
const DEADLINE_EXCEEDED = '4';
const EXHAUSTED = '8';
const UNAUTHENTICATED = '16';

it.each([
  ['a JSON request of a megabyte', 'x'.repeat(1 << 20), 'resource_exhausted'],
  ['JSON that ends early', '{"run":', 'invalid_argument'],
  ['JSON that is no object', '[[[[]]]]', 'invalid_argument'],
  ['JSON that is nested 20,000 deep', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'invalid_argument'],
  ['a number that is none', '{"run": 7}', 'invalid_argument'],
])('%s is refused', async (_what, body, code) => {
  const content = body.startsWith('x') ? JSON.stringify({ run: body }) : body;
  expect(JSON.parse((await http(`${API}.WorldService/GetWorld`, content)).body)).toMatchObject({ code });
});

it('a compressed request that is 100 MB when opened is not opened', async () => {
  const bomb = gzipSync(Buffer.alloc(100 << 20, 0x20));
  const { status } = await http(`${API}.WorldService/GetWorld`, bomb, { 'content-encoding': 'gzip' });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(await grpc(frame(1, bomb.length, bomb), { 'grpc-encoding': 'gzip' })).not.toBe('0');
});

const METHODS = ['WorldService/GetWorld', 'PlayService/SubmitIntent', 'PlayService/StreamObservations'];

it.each(METHODS)('a message for %s is refused that says it has 4 GB, or has 100 KB', async (method) => {
  expect(await grpc(frame(0, 0xffffffff), {}, method)).toBe(EXHAUSTED);
  expect(await grpc(frame(0, 100_000, Buffer.alloc(100_000)), {}, method)).toBe(EXHAUSTED);
});

it.each(METHODS)('bytes that are no message for %s are refused', async (method) => {
  const bytes = [
    frame(0, 4, Buffer.from('????')),
    frame(0, 40, Buffer.from('short')),
    frame(0, 0, Buffer.from('more')),
    frame(1, 4, Buffer.from('????')),
    Buffer.from([1]),
    Buffer.alloc(0),
  ];
  for (const one of bytes) expect(await grpc(one, {}, method)).toMatch(/^[1-9]\d*$/);
});

it.each(METHODS.slice(1))('%s asks for a token', async (method) => {
  expect(await grpc(frame(0, 0), { authorization: 'Bearer of-nobody' }, method)).toBe(UNAUTHENTICATED);
});

it('a call ends at its own deadline, and one that is unreadable is refused', async () => {
  const { lease } = (await call('LeaseService/AcquireLease', { entity: 'miner', controller: 'x' })) as {
    lease: string;
  };
  const bytes = Buffer.from(`\n${String.fromCodePoint(lease.length)}${lease}`);
  const observe = (timeout: string) =>
    grpc(frame(0, bytes.length, bytes), { 'grpc-timeout': timeout }, 'PlayService/StreamObservations');
  // Lockstep waits for the other entity.
  expect(await observe('300m')).toBe(DEADLINE_EXCEEDED);
  expect(await observe('soon')).toBe(INVALID_ARGUMENT);
  await call('LeaseService/ReleaseLease', { lease });
});

it.each(METHODS)('a call of %s whose message never comes in full ends at its deadline', async (method) => {
  for (const bytes of [Buffer.alloc(0), frame(0, 40, Buffer.from('short'))]) {
    const one = await session();
    const stream = one.request({
      ':method': 'POST',
      ':path': `${API}.${method}`,
      'content-type': 'application/grpc',
      'grpc-timeout': '300m',
      authorization: `Bearer ${TOKENS.operator}`,
    });
    const status = new Promise((resolve) => {
      for (const part of ['response', 'trailers'] as const)
        stream.on(part, (got) => got['grpc-status'] !== undefined && resolve(String(got['grpc-status'])));
    });
    stream.write(bytes);
    expect(await status).toBe(DEADLINE_EXCEEDED);
    one.destroy();
  }
});

it('other methods, types, services and paths are refused', async () => {
  expect((await http(`${API}.WorldService/GetWorld`, '', {}, 'PUT')).status).toBe(405);
  expect((await http(`${API}.WorldService/GetWorld`, '<x/>', { 'content-type': 'text/xml' })).status).toBe(
    415,
  );
  for (const path of [
    '/',
    `${API}.WorldService/Nothing`,
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '//',
  ])
    expect((await http(path, '{}')).status).toBe(404);
});

it('a page of another site, or a name that was pointed here, is not answered', async () => {
  const path = `${API}.WorldService/GetWorld`;
  expect((await http(path, '{}', { origin: 'https://evil.example' })).status).toBe(403);
  expect((await http(path, '{}', { origin: 'null' })).status).toBe(403);
  expect((await http(path, '{}', { host: `evil.example:${port}` })).status).toBe(403);
});

it('bytes that are no protocol end the connection', async () => {
  for (const bytes of [
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnonsense that is no frame',
    '\0\0\0\0',
    'GET / HTTP/9.9\r\n\r\n',
    'x'.repeat(100_000),
  ]) {
    const socket = await raw();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    socket.write(bytes);
    socket.end();
    await closed;
  }
});

it('headers of a megabyte are refused', async () => {
  const socket = await raw();
  const said = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  socket.write(
    `POST ${API}.WorldService/GetWorld HTTP/1.1\r\nhost: ${host}:${port}\r\nx: ${'y'.repeat(1 << 20)}`,
  );
  expect(await said).toContain('431');
  socket.destroy();
});

it('more than 512 connections are not taken, and all come in again once they are gone', async () => {
  const sockets = await Promise.all(Array.from({ length: 600 }, () => raw()));
  for (const socket of sockets) socket.resume();
  const gone = (): number => sockets.filter((socket) => socket.destroyed || socket.readableEnded).length;
  await expect.poll(gone).toBeGreaterThanOrEqual(80);
  for (const socket of sockets) socket.destroy();
  const ask = () => http(`${API}.WorldService/GetWorld`, '{}').catch(() => null);
  const answered = async (): Promise<number> =>
    (await Promise.all(Array.from({ length: 500 }, ask))).filter((answer) => answer?.status === 200).length;
  await expect.poll(answered).toBe(500);
});

/** A frame of HTTP/2: length, type, flags and stream, then what it holds. */
function http2Frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const [HEADERS, RESET, SETTINGS, PING] = [1, 3, 4, 6];
const END_HEADERS = 4;

/**
 * Sends frames as bytes, since a client of Node holds back more streams, pings and settings than a server allows. Out: once the server has
 * answered what came last, or has closed the connection.
 */
async function flood(frames: readonly Buffer[]): Promise<void> {
  const socket = await raw();
  const last = Buffer.from('the last');
  let heard = Buffer.alloc(0);
  const over = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.on('data', (data) => {
      const all = Buffer.concat([heard, data]);
      if (all.includes(last)) resolve();
      heard = all.subarray(-last.length);
    });
  });
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(Buffer.concat([preface, http2Frame(SETTINGS, 0, 0), ...frames, http2Frame(PING, 0, 0, last)]));
  await over;
  socket.destroy();
}

it('a server tells that a connection may have 64 streams', async () => {
  const one = await session();
  await expect.poll(() => one.remoteSettings.maxConcurrentStreams).toBe(64);
  one.destroy();
});

it(
  '10,000 streams of one connection, and as many that are reset at once, disturb nobody',
  { tags: ['long'] },
  async () => {
    const text = (index: readonly number[], value: string) =>
      Buffer.concat([Buffer.from([...index, value.length]), Buffer.from(value)]);
    // Names by their places in the static table of HPACK, after POST and http.
    const headers = Buffer.concat([
      Buffer.from([0x83, 0x86]),
      text([0x04], `${API}.WorldService/StreamTicks`),
      text([0x01], `${host}:${port}`),
      text([0x0f, 0x10], 'application/grpc'),
    ]);
    const streams = Array.from({ length: 10_000 }, (_, i) =>
      http2Frame(HEADERS, END_HEADERS, 2 * i + 1, headers),
    );
    const cancel = Buffer.from([0, 0, 0, constants.NGHTTP2_CANCEL]);
    await flood(streams);
    await flood(streams.flatMap((one, i) => [one, http2Frame(RESET, 0, 2 * i + 1, cancel)]));
    expect(await call('WorldService/GetWorld', {})).toMatchObject({ title: 'Two Keepers' });
  },
);

it('a flood of pings and of settings disturbs nobody', async () => {
  const pings = Array.from({ length: 5000 }, () => http2Frame(PING, 0, 0, Buffer.alloc(8)));
  await flood(pings.flatMap((one, i) => (i % 10 === 0 ? [one, http2Frame(SETTINGS, 0, 0)] : [one])));
  expect(await call('WorldService/GetWorld', {})).toMatchObject({ title: 'Two Keepers' });
});

it('200 readers that read nothing cost no memory and delay nobody', async () => {
  const before = resident();
  const sockets = await Promise.all(Array.from({ length: 200 }, () => raw()));
  const body = frame(0, 2, Buffer.from('{}'));
  for (const socket of sockets) {
    socket.write(
      `POST ${API}.WorldService/WatchEntities HTTP/1.1\r\nhost: ${host}:${port}\r\nauthorization: Bearer ${TOKENS.operator}\r\n` +
        `content-type: application/connect+json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
  }
  // Once its stream has begun, each reads no more.
  const begun = sockets.map(async (socket) => {
    await once(socket, 'data');
    socket.pause();
  });
  await Promise.all(begun);
  expect(await call('WorldService/GetWorld', {})).toMatchObject({ title: 'Two Keepers' });
  expect(resident() - before).toBeLessThan(100);
  for (const socket of sockets) socket.destroy();
});

it('guessed tokens are refused, however many', async () => {
  const path = `${API}.WorldService/GetWorld`;
  for (const authorization of [
    '',
    'Bearer',
    'Bearer  ',
    `Basic ${TOKENS.operator}`,
    `Bearer ${TOKENS.operator} x`,
    `Bearer ${'x'.repeat(8000)}`,
  ])
    expect((await http(path, '{}', { authorization })).status).toBe(401);
  const guesses = Array.from({ length: 500 }, (_, i) => http(path, '{}', { authorization: `Bearer ${i}` }));
  expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([401]));
});

it('a role does only what it may', async () => {
  const monk = { entity: 'monk', controller: 'x' };
  expect(await refusal('WorldService/CreateRun', {}, TOKENS.agent)).toBe('permission_denied ROLE_MISSING');
  expect(await refusal('WorldService/StopRun', {}, TOKENS.viewer)).toBe('permission_denied ROLE_MISSING');
  expect(await refusal('ViewerService/GetViewerSnapshot', {}, TOKENS.agent)).toBe(
    'permission_denied ROLE_MISSING',
  );
  expect(await refusal('LeaseService/AcquireLease', monk, TOKENS.viewer)).toBe(
    'permission_denied ROLE_MISSING',
  );
  const miner = { entity: 'miner', controller: 'x' };
  expect(await refusal('LeaseService/AcquireLease', miner, TOKENS.agent)).toBe(
    'permission_denied ROLE_MISSING',
  );
  const over = { ...monk, supersedeEpoch: 1 };
  expect(await refusal('LeaseService/AcquireLease', over, TOKENS.agent)).toBe(
    'permission_denied ROLE_MISSING',
  );
});

it('a lease that was not given out moves nobody, whatever its form', async () => {
  const intent = { tick: 1, attempt: 1, wait: {} };
  for (const lease of ['', '0'.repeat(32), '__proto__', 'constructor', 'x'.repeat(10_000), '\u0000'])
    expect(await refusal('PlayService/SubmitIntent', { ...intent, lease })).toMatch(
      lease === '' ? /FIELD_INVALID/ : /LEASE_EXPIRED/,
    );
});

it('names, numbers and scenarios of a stranger are checked', async () => {
  const wish = (change: object) =>
    refusal('LeaseService/AcquireLease', { entity: 'monk', controller: 'x', ...change });
  expect(await wish({ controller: '\u001b[2J' })).toBe('invalid_argument FIELD_INVALID');
  expect(await wish({ controller: 'x'.repeat(201) })).toBe('invalid_argument FIELD_INVALID');
  expect(await wish({ ttl: '9999999s' })).toBe('invalid_argument FIELD_INVALID');
  expect(await wish({ ttl: '-1s' })).toBe('invalid_argument FIELD_INVALID');
  expect(await wish({ entity: '__proto__' })).toBe('not_found ENTITY_NOT_FOUND');
  for (const scenario of [
    '../package.json',
    '/etc/passwd',
    'crypt.yaml/../../x.yaml',
    '..%2fx.yaml',
    'no.yaml',
  ])
    expect(await refusal('WorldService/CreateRun', { scenario })).toBe('invalid_argument FIELD_INVALID');
  for (const set of ['__proto__.x=1', 'constructor.prototype.x=1', 'nothing'])
    expect(await refusal('WorldService/CreateRun', { set: [set] })).toMatch(/^invalid_argument/);
});

it('an intent of any number and any text is answered, and decides nothing', async () => {
  const { lease } = (await call('LeaseService/AcquireLease', { entity: 'monk', controller: 'x' })) as {
    lease: string;
  };
  const submit = (change: object) =>
    call('PlayService/SubmitIntent', { lease, tick: 1, attempt: 1, ...change });
  for (const tick of ['9223372036854775807', '-1', '0'])
    expect(await submit({ tick, wait: {} })).not.toMatchObject({ accepted: true });
  expect(await submit({ attempt: 2_147_483_647, wait: {} })).not.toMatchObject({ accepted: true });
  for (const content of ['\u0000', '<|im_end|>', 'x'.repeat(60_000)])
    expect(await submit({ words: { content } })).not.toMatchObject({ accepted: true });
  await call('LeaseService/ReleaseLease', { lease });
});
