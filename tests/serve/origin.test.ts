/**
 * Pages of other sites reach no served world, whatever name they use for it: asked as a browser would ask for them. A name that
 * can't be read is answered as such. What the port has for people is found at every path that they would try.
 */
import { request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { served } from './served.js';
import type { Served } from './served.js';

const API = '/orchestrate.world.v1';
const PROXY = 'abc-50051.app.github.dev';

let world: Served;

beforeAll(async () => {
  const pages = new Map([
    ['/seat', { html: 'a seat', headers: {} }],
    ['/', { location: 'seat' }],
  ]);
  world = await served(join(ROOT, 'scenarios/two-keepers.yaml'), temporaryFolder(), {
    pages,
    allowedHosts: [PROXY],
  });
});

afterAll(() => world.close());

/** The answer to a request as a browser would send it. */
function answerTo(headers: Record<string, string>): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${world.address}${API}.LeaseService/AcquireLease`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ entity: 'monk', controller: 'evil' }));
  });
}

/** The first line of the answer to these lines, sent as they stand. */
function statusLine(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(world.address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes.toString('latin1').split('\r\n')[0] ?? '');
      socket.destroy();
    });
    socket.on('close', () => resolve('closed'));
    socket.on('error', () => undefined);
  });
}

function http2Status(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(world.address).on('error', reject);
    const stream = session.request({
      ':path': `${API}.WorldService/GetWorld`,
      ':method': 'POST',
      ...headers,
    });
    stream.on('response', (got) => resolve(got[':status']));
    stream.on('error', reject).on('close', () => session.destroy());
    stream.resume().end();
  });
}

it('a request that another page sends, or that names another host, is refused whatever it holds', async () => {
  const { host, port } = new URL(world.address);
  for (const headers of [
    { origin: 'http://evil.test' },
    { origin: `http://evil.test:${port}` },
    { origin: 'null' },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { host: `evil.test:${port}` },
    { host: `127.0.0.1.evil.test:${port}`, origin: `http://127.0.0.1.evil.test:${port}` },
    { host: `${PROXY}.evil.test` },
    { host, origin: `https://${PROXY}.evil.test` },
  ])
    expect([headers, (await answerTo(headers)).status]).toEqual([headers, 403]);
  expect(world.run.leases.countHeld(world.run.served)).toBe(0);
  const { text } = await answerTo({ host: 'jupyter.example.org' });
  expect(text).toContain('--allow-host jupyter.example.org');
});

it('a proxy may keep the name that the server was told of, or send its own', async () => {
  const { host } = new URL(world.address);
  for (const headers of [
    { host, origin: world.address },
    { host: PROXY, origin: `https://${PROXY}` },
    { host: `${PROXY.toUpperCase()}:443` },
    { host, origin: `https://${PROXY}` },
  ]) {
    const { status, text } = await answerTo(headers);
    expect([headers, status]).toEqual([headers, 200]);
    const { lease } = JSON.parse(text) as { lease: string };
    world.run.release(lease);
  }
});

it('a name that is no host name gets status 400, and the server answers the next', async () => {
  const ask = `POST ${API}.WorldService/GetWorld`;
  for (const host of ['127.0.0.999', '', 'a b', '[', 'localhost:99999', 'x@localhost', 'localhost/x', '%'])
    expect([
      host,
      await statusLine([`${ask} HTTP/1.1`, 'Content-Type: application/json', `Host: ${host}`]),
    ]).toEqual([host, 'HTTP/1.1 400 Bad Request']);
  expect(await statusLine([`${ask} HTTP/1.0`, 'Content-Type: application/json'])).toBe(
    'HTTP/1.1 400 Bad Request',
  );
  for (const type of ['application/grpc', 'application/json'])
    for (const authority of ['127.0.0.999', '[::1', 'x@localhost', 'localhost:99999'])
      expect([authority, await http2Status({ ':authority': authority, 'content-type': type })]).toEqual([
        authority,
        400,
      ]);
  expect((await answerTo({ host: 'evil.test' })).status).toBe(403);
});

it('the page is there for HEAD, with a query, and from the root', async () => {
  const head = await fetch(`${world.address}/seat`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(await (await fetch(`${world.address}/seat?run=1`)).text()).toBe('a seat');
  expect(await (await fetch(world.address)).text()).toBe('a seat');
  expect(await http2Status({ ':path': '/seat', ':method': 'HEAD' })).toBe(200);
});

it('clients that never finish a request keep nobody out', async () => {
  const { hostname, port } = new URL(world.address);
  const begun = [
    'GET /seat HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ',
    `POST ${API}.WorldService/GetWorld HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'P',
  ];
  const sockets = Array.from({ length: LIMITS.servedConnections + 8 }, (_, i) => {
    const socket = connect(Number(port), hostname, () => socket.write(begun[i % begun.length] ?? ''));
    return socket.on('error', () => undefined);
  });
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  expect((await answerTo({ host: 'evil.test' })).status).toBe(403);
  for (const socket of sockets) socket.destroy();
});
