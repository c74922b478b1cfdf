/**
 * No client's pace delays another's: clients that say nothing, never end their request, ask for much and take none of it, over real sockets against the
 * page's server, while somebody else asks as a browser does.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import type { PagePart } from '../../src/view/page-data.js';
import { PageServer } from '../../src/view/server.js';

const NO_DATA = { things: [], scenes: [], pictures: [], tilesets: [], runs: [] };
/** One byte less than an answer stops at, so that two of them go into one: more than sockets hold. */
const LARGE: PagePart = { texts: ['x'.repeat(LIMITS.pageAnswerBytes - 100)], ...NO_DATA };
const SMALL: PagePart = { texts: ['small'], ...NO_DATA };
/** For clients that are not to be cut off: whoever waits for them hangs. */
const HOUR_MS = 3_600_000;

const closing: (() => Promise<void>)[] = [];
const held: Socket[] = [];
afterEach(() => held.splice(0).forEach((socket) => socket.destroy()));
afterAll(async () => {
  for (const close of closing) await close();
});

interface Served {
  ask: (target: string) => Promise<{ status: number; bytes: number }>;
  /** Sends these bytes over so many connections and reads nothing. */
  hold: (count: number, bytes: string) => Promise<readonly Socket[]>;
  request: (target: string) => string;
}

async function serving(next: () => Promise<PagePart | null>, answerMs?: number): Promise<Served> {
  const files = { script: 'void 0', styles: 'body{}' };
  const given = answerMs === undefined ? {} : { answerMs };
  const options = { files, next, annotate: () => undefined, port: 0, onError: () => undefined, ...given };
  const server = new PageServer(options);
  closing.push(() => server.close());
  const { origin, host, port, hash } = new URL(await server.open());
  const authorization = `Bearer ${hash.slice('#token='.length)}`;
  return {
    ask: async (target) => {
      const response = await fetch(origin + target, { headers: { authorization, connection: 'close' } });
      const { byteLength: bytes } = await response.arrayBuffer();
      return { status: response.status, bytes };
    },
    hold: async (count, bytes) => {
      const sockets = Array.from({ length: count }, () => connect(Number(port), '127.0.0.1').pause());
      held.push(...sockets);
      for (const socket of sockets) socket.on('error', () => undefined).write(bytes);
      await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
      return sockets;
    },
    request: (target) => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`,
  };
}

function giving(...parts: PagePart[]): () => Promise<PagePart | null> {
  return () => Promise.resolve(parts.shift() ?? null);
}

/** What came over a connection from now on, and that it is over. */
function rest(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  return new Promise((resolve) => socket.once('close', () => resolve(Buffer.concat(chunks))));
}

/** A server that has made two large parts. */
async function servingMuch(answerMs?: number): Promise<Served> {
  const served = await serving(giving(LARGE, LARGE), answerMs);
  for (const from of [0, 1]) expect((await served.ask(`/data?from=${from}`)).status).toBe(200);
  return served;
}

function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it('clients that take nothing of what they ask for cost neither time nor memory', async () => {
  const { ask, hold, request } = await servingMuch(HOUR_MS);
  const before = memoryBytes();
  await hold(LIMITS.pageConnections - 4, request('/data?from=0'));
  for (let i = 0; i < 5; i++) {
    const { status } = await ask('/');
    expect(status).toBe(200);
  }
  // Each of them is owed 16 MB.
  expect(memoryBytes() - before).toBeLessThan(100_000_000);
});

it('a client that asks for much at once is answered once, and holds up nobody', async () => {
  const { ask, hold, request } = await servingMuch(HOUR_MS);
  const before = memoryBytes();
  const [socket] = await hold(1, request('/data?from=0').repeat(30));
  const { status } = await ask('/');
  expect(status).toBe(200);
  expect(memoryBytes() - before).toBeLessThan(100_000_000);
  const statuses = [...(await rest(socket as Socket)).toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)];
  expect(statuses.map(([, code]) => code)).toEqual(['200', '429']);
});

it(
  'a client that does not take its answer in time is cut off; one that does gets all of it',
  { tags: ['long'] },
  async () => {
    // Long enough for a client that takes its answer, on a busy machine too.
    const { ask, hold, request } = await servingMuch(3000);
    const [slow] = await hold(1, request('/data?from=0'));
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const whole = 2 * LIMITS.pageAnswerBytes - 200;
    expect((await rest(slow as Socket)).length).toBeLessThan(whole);
    expect((await ask('/data?from=0')).bytes).toBeGreaterThanOrEqual(whole);
  },
);

it('a client has LIMITS.pageAnswerMs to take its answer where nothing else is said', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const { ask } = await serving(giving(LARGE));
  await ask('/data');
  expect(timers.mock.calls.map(([, delayMs]) => delayMs)).toContain(LIMITS.pageAnswerMs);
  timers.mockRestore();
});

it('of too many clients the one goes that let the server wait the longest; whoever comes is answered', async () => {
  const { ask, hold } = await serving(giving(SMALL));
  const sockets = await hold(LIMITS.pageConnections, 'GET / HTTP/1.1\r\nX: ');
  const ends = sockets.map((socket) => rest(socket));
  const { status } = await ask('/');
  expect(status).toBe(200);
  await ends[0];
  expect(sockets.filter((socket) => socket.destroyed)).toEqual([sockets[0]]);
});

it('a client that the server works for is not the one that goes', async () => {
  let give: (part: PagePart) => void = () => undefined;
  const { ask, hold } = await serving(() => new Promise((resolve) => (give = resolve)));
  const answer = ask('/data?from=0');
  await expect.poll(() => give.length).toBe(1);
  await hold(2 * LIMITS.pageConnections, 'GET / HTTP/1.1\r\nX: ');
  expect((await ask('/')).status).toBe(200);
  give(SMALL);
  expect((await answer).status).toBe(200);
});
