/**
 * Whatever bytes a stranger sends to the port of a served world or of `view`, before any token is asked for, the process lives and
 * answers others: request lines, headers and bodies of HTTP/1, frames of HTTP/2, whole, cut off and with bytes changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { chance, oneOf } from '../promises/chance.js';
import type { Below } from '../promises/chance.js';
import { startProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

const API = '/orchestrate.world.v1';
/** Sent at once, so that one case finds the server busy with others. */
const AT_ONCE = 32;
/** What is left open holds nobody up: the next case is tried, whatever became of this one. */
const PATIENCE_MS = 50;
const END_MS = 300;

const HOSTS = [
  '127.0.0.1',
  'localhost:1',
  '127.0.0.999',
  '127.0.0.1:99999',
  '',
  ' ',
  '[::1]',
  '[',
  '%',
  'a b',
  'x@y',
  '\u00fc',
  '//',
  'a#b',
  '1e9',
];
const PATHS = [
  '/',
  '/seat',
  '/seat/',
  '/seat?x',
  '*',
  '',
  '//',
  '/%',
  'http://[',
  'http://x/seat',
  '/data?from=0',
  '/marks',
  '/runs/1/',
  `${API}.WorldService/GetWorld`,
  `${API}.WorldService/WatchEntities`,
  `${API}.PlayService/SubmitIntent`,
  `${API}.PlayService/StreamObservations`,
  '/grpc.health.v1.Health/Check',
  `${API}.WorldService/GetWorld?connect=v1&message=%ff`,
];
const METHODS = [
  'GET',
  'POST',
  'HEAD',
  'PUT',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'M-SEARCH',
  'PRI',
  'get',
  '',
  'G\u0000',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9', ''];
const TYPES = [
  'application/json',
  'application/grpc',
  'application/grpc+proto',
  'application/grpc-web',
  'application/grpc-web-text',
  'application/connect+json',
  'application/connect+proto',
  'application/proto',
  'text/plain',
  '',
];
const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['content-type', TYPES],
  ['content-length', ['0', '2', '5', '-1', '99999999999999999999', '1, 2', 'x']],
  ['transfer-encoding', ['chunked', 'gzip', 'chunked, chunked', 'x']],
  ['connection', ['close', 'keep-alive', 'upgrade', 'te']],
  ['upgrade', ['h2c', 'websocket', 'x']],
  ['expect', ['100-continue', 'x']],
  ['origin', ['null', 'http://127.0.0.1', 'http://x', 'x', '']],
  ['te', ['trailers', 'gzip']],
  ['grpc-timeout', ['1S', '1n', '99999999H', 'x', '-1S', '']],
  ['grpc-encoding', ['identity', 'gzip', 'x']],
  ['connect-protocol-version', ['1', '2', '']],
  ['connect-timeout-ms', ['1', '-1', 'x', '99999999999999']],
  ['authorization', ['Bearer x', 'Bearer', 'Basic eDp4', '\u00ff']],
  ['x-\u00e4', ['1']],
  ['cookie', ['a=b', ';;;']],
];
const BODIES = [
  '',
  '{}',
  '{',
  'null',
  '[]',
  '{"run":1}',
  '{"run":"\\ud800"}',
  '\u0000\u0000\u0000\u0000\u0000',
  '\u0000\u0000\u0000\u0000\u0002{}',
  '\u0001\u0000\u0000\u0000\u0000',
  '\u0000\u00ff\u00ff\u00ff\u00ff',
  '2\r\n{}\r\n0\r\n\r\n',
  'ffffffffffffffff\r\n',
];

function http1Request(below: Below): Buffer {
  const lines = [`${oneOf(below, METHODS)} ${oneOf(below, PATHS)} ${oneOf(below, VERSIONS)}`];
  if (below(8) > 0) lines.push(`Host: ${oneOf(below, HOSTS)}`);
  for (let left = below(6); left > 0; left--) {
    const [name, values] = oneOf(below, HEADERS);
    lines.push(`${name}: ${oneOf(below, values)}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${oneOf(below, BODIES)}`, 'latin1');
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const [DATA, HEADERS_FRAME, SETTINGS, CONTINUATION] = [0, 1, 4, 9];
const [END_STREAM, END_HEADERS] = [1, 4];

/** RFC 9113, section 4.1. */
function frame(type: number, flags: number, id: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}

/** RFC 7541, section 6.2.2: a literal without indexing, of less than 127 bytes. */
function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1').subarray(0, 126);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function fields(below: Below): Buffer {
  const listed: (readonly [string, string])[] = [];
  const maybe = (name: string, values: readonly string[]): void => {
    if (below(12) > 0) listed.push([name, oneOf(below, values)]);
  };
  maybe(':method', METHODS);
  maybe(':scheme', ['http', 'https', '', 'x']);
  maybe(':path', PATHS);
  maybe(':authority', HOSTS);
  for (let left = below(5); left > 0; left--) {
    const [name, values] = oneOf(below, HEADERS);
    listed.push([name, oneOf(below, values)]);
  }
  if (below(10) === 0) listed.push(['host', oneOf(below, HOSTS)]);
  if (below(20) === 0) listed.push([':status', '200']);
  return Buffer.concat(listed.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]));
}

function bytesOf(below: Below, atMost: number): Buffer {
  return Buffer.from(Array.from({ length: below(atMost) }, () => below(256)));
}

function http2Frames(below: Below): Buffer {
  const sent = [PREFACE, frame(SETTINGS, 0, 0, Buffer.alloc(0))];
  for (let left = 1 + below(6), id = 1; left > 0; left--) {
    const kind = below(4);
    if (kind < 2) {
      const block = fields(below);
      const isSplit = below(6) === 0;
      const isOnlyHead = below(2) === 0;
      sent.push(frame(HEADERS_FRAME, (isSplit ? 0 : END_HEADERS) | (isOnlyHead ? END_STREAM : 0), id, block));
      if (isSplit) sent.push(frame(CONTINUATION, END_HEADERS, id, fields(below)));
      if (!isOnlyHead && below(4) > 0)
        sent.push(frame(DATA, END_STREAM, id, Buffer.from(oneOf(below, BODIES), 'latin1')));
      id += 2;
    } else if (kind === 2) sent.push(frame(below(12), below(256), below(8), bytesOf(below, 40)));
    // RST_STREAM, before or after the answer.
    else sent.push(frame(3, 0, Math.max(1, id - 2), Buffer.from([0, 0, 0, below(14)])));
  }
  return Buffer.concat(sent);
}

function someBytes(below: Below): Buffer {
  const bytes = below(2) === 0 ? http1Request(below) : http2Frames(below);
  const kind = below(6);
  if (kind === 0) return bytes.subarray(0, below(bytes.length + 1));
  // The preface stays: with it changed, the rest would be a broken line of HTTP/1.
  if (kind === 1 && bytes.length > PREFACE.length)
    bytes[PREFACE.length + below(bytes.length - PREFACE.length)] = below(256);
  return bytes;
}

/** Resolves once the connection is over; false where nobody listens any more. It ends, or breaks off with what was asked still open. */
function send(port: number, bytes: Buffer, breaksOff: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    let isThere = true;
    const timers: NodeJS.Timeout[] = [];
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      timers.push(
        setTimeout(end, PATIENCE_MS),
        setTimeout(() => socket.destroy(), END_MS),
      );
    });
    const end = (): void => void (breaksOff ? socket.resetAndDestroy() : socket.end());
    socket.on('data', end);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') isThere = false;
    });
    socket.on('close', () => {
      for (const timer of timers) clearTimeout(timer);
      resolve(isThere);
    });
  });
}

const folder = temporaryFolder();
const log = join(folder, 'old.sqlite');
writeFileSync(log, gunzipSync(readFileSync(new URL('../fixtures/logs/v1.sqlite.gz', import.meta.url))));
const SERVE = [
  'serve',
  'scenarios/two-keepers.yaml',
  '--listen',
  '127.0.0.1:0',
  '--wait',
  '2',
  '--out',
  `${folder}/`,
];
const TARGETS = [
  { name: 'serve', words: SERVE, page: '/seat' },
  { name: 'view', words: ['view', log, '--no-open'], page: '/' },
].map((target) => ({ ...target, server: startProgram(target.words) }));

afterAll(() => {
  for (const { server } of TARGETS) server.process.kill('SIGKILL');
});

for (const { name, page, server } of TARGETS)
  it(`${name} outlives what strangers send, and answers others`, SIZED, async () => {
    await server.prints(/127\.0\.0\.1:\d+/);
    const port = Number(known(/127\.0\.0\.1:(\d+)/.exec(server.output()), 'an address')[1]);
    const below = chance(`strangers ${name}`);
    const count = sizeOf('strangersBytes');
    for (let done = 0; done < count; done += AT_ONCE) {
      const cases = Array.from({ length: Math.min(AT_ONCE, count - done) }, () => someBytes(below));
      const wereThere = await Promise.all(cases.map((bytes) => send(port, bytes, below(3) === 0)));
      if (wereThere.includes(false) || server.process.exitCode !== null)
        throw new Error(
          `${server.output()}\nafter one of\n${cases.map((bytes) => JSON.stringify(bytes.toString('latin1'))).join('\n')}`,
        );
    }
    const { status } = await fetch(`http://127.0.0.1:${port}${page}`);
    expect([status, server.process.exitCode]).toEqual([200, null]);
    expect(server.output()).not.toMatch(/error/i);
    reached('strangers bytes', `${grouped(count)} connections to ${name}, it lives`);
  });
