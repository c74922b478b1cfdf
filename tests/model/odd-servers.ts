/**
 * Servers that answer as no server should, put together at random from what comes before an answer, its status, how its length is told, its body and how
 * the connection ends. In: a seed and a number; out: behaviours, each for one connection, with what a client must make of it where that can be told.
 */
import * as fc from 'fast-check';
import type { Socket } from 'node:net';

/** `whole`: a good answer came in full, which counts. `none`: no answer came, or no whole one. `either`: it depends on the moment. */
export type Delivery = 'whole' | 'none' | 'either';

export interface OddServer {
  name: string;
  delivers: Delivery;
  /** Answers a request whose head was just read. */
  answer: (socket: Socket, good: string) => Promise<void>;
  /** Whether it leaves the request's body where it is. */
  readsRequest: boolean;
}

/** So often comes what comes again and again, in real milliseconds. */
const EVERY_MS = 15;

async function again(socket: Socket, words: string): Promise<never> {
  for (;;) {
    if (socket.writable && !socket.writableNeedDrain) socket.write(words);
    await later(EVERY_MS);
    if (socket.destroyed) return never();
  }
}

/** As fast as the other side takes it. */
async function flood(socket: Socket, words: string): Promise<never> {
  const much = words.repeat(Math.ceil(20_000 / words.length));
  while (!socket.destroyed) {
    const isFull = !socket.write(much);
    await (isFull ? drained(socket) : later(0));
  }
  return never();
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('drain', resolve).once('close', () => resolve()));
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function never(): Promise<never> {
  return new Promise<never>(() => undefined);
}

interface Opening {
  name: string;
  /** Whether an answer that follows still counts. */
  isHarmless: boolean;
  play: (socket: Socket) => Promise<unknown>;
}

/** Once, and then nothing any more. */
function falls(name: string, words: string): Opening {
  const play = (socket: Socket): Promise<never> => (socket.write(words), never());
  return { name, isHarmless: false, play };
}

function says(name: string, words: string, isHarmless: boolean): Opening {
  return { name, isHarmless, play: (socket) => Promise.resolve(socket.write(words)) };
}

function goesOn(name: string, play: (socket: Socket) => Promise<never>): Opening {
  return { name, isHarmless: false, play };
}

const line = (status: string, ...headers: readonly string[]): string =>
  ['HTTP/1.1 '.concat(status), ...headers, '', ''].join('\r\n');
const UPGRADE = ['upgrade: other/1', 'connection: Upgrade'];

/** What comes before the answer. */
const OPENINGS: readonly Opening[] = [
  says('100 Continue', line('100 Continue'), true),
  says('103 Early Hints thrice', line('103 Early Hints', 'link: </x>').repeat(3), true),
  says('199 of no meaning', line('199 Whatever'), true),
  says('101 with Upgrade', line('101 Switching Protocols', ...UPGRADE), false),
  says('101 without Upgrade', line('101 Switching Protocols'), false),
  says('101 and a length', line('101 Switching Protocols', ...UPGRADE, 'content-length: 4'), false),
  says('101 and bytes of another protocol', line('101 X', ...UPGRADE).concat('\x81\x05hello'), false),
  says('102, then 101', line('102 Processing') + line('101 Switching Protocols', ...UPGRADE), false),
  says('bytes of TLS', '\x15\x03\x01\x00\x02\x02\x46', false),
  says('a line of another protocol', '220 ready\r\n', false),
  says('an answer by HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', false),
  goesOn('nothing, for ever', never),
  falls('100 Continue, then nothing', line('100 Continue')),
  goesOn('102 again and again', (socket) => again(socket, line('102 Processing'))),
  goesOn('103 again and again', (socket) => again(socket, line('103 Early Hints', 'link: </x>'))),
  goesOn('102 without a pause', (socket) => flood(socket, line('102 Processing'))),
  goesOn('101, then bytes without a pause', (socket) => {
    socket.write(line('101 Switching Protocols', ...UPGRADE));
    return flood(socket, 'x');
  }),
  falls('a status line that stops', 'HTTP/1.1 200 O'),
  falls('a head that stops', 'HTTP/1.1 200 OK\r\nserver: '),
  goesOn('a header that goes on', (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nserver: ');
    return again(socket, 'x');
  }),
  goesOn('headers that go on', (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    return again(socket, 'x: y\r\n');
  }),
  goesOn('headers without a pause', (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    return flood(socket, 'x: y\r\n');
  }),
  goesOn('line ends again and again', (socket) => again(socket, '\r\n')),
];

const NO_OPENING: Opening = { name: '', isHarmless: true, play: () => Promise.resolve() };

const STATUSES = [
  '204 No Content',
  '205 Reset Content',
  '206 Partial Content',
  '304 Not Modified',
  '402 Payment Required',
  '407 Proxy Authentication Required',
  '426 Upgrade Required',
  '429 Too Many Requests',
  '500 Internal Server Error',
  '503 Service Unavailable',
  '000 None',
  '999 Odd',
];
const OK = '200 OK';

/** How the length of the body is told; `wrap` writes it. */
interface Framing {
  name: string;
  headers: (length: number) => readonly string[];
  isChunked: boolean;
  /** Whether a whole body is one by this: always, never, or only with the end of the connection. */
  isWhole: 'yes' | 'at the end' | 'no';
}

function lengths(name: string, more: number): Framing {
  const headers = (length: number) => [`content-length: ${Math.max(0, length + more)}`];
  return { name, headers, isChunked: false, isWhole: more === 0 ? 'yes' : 'no' };
}

const CHUNKED = 'transfer-encoding: chunked';
const FRAMINGS: readonly Framing[] = [
  lengths('its length', 0),
  lengths('a length too long', 50),
  lengths('a length too short', -20),
  lengths('a length of a terabyte', 1e12),
  { name: 'chunks', headers: () => [CHUNKED], isChunked: true, isWhole: 'yes' },
  { name: 'no length', headers: () => [], isChunked: false, isWhole: 'at the end' },
];

/** Of a 200: none of them changes what the answer is. */
const EXTRAS: readonly (readonly string[])[] = [
  [],
  ['connection: close'],
  ['connection: upgrade', 'upgrade: h2c'],
  ['connection: keep-alive', 'keep-alive: timeout=1, max=1'],
  ['trailer: x-end'],
  ['upgrade: websocket'],
];

interface Body {
  name: string;
  isWhole: boolean;
  play: (socket: Socket, good: string, isChunked: boolean) => unknown;
}

function chunk(text: string, extension = ''): string {
  return `${Buffer.byteLength(text).toString(16)}${extension}\r\n${text}\r\n`;
}

const piece = (text: string, isChunked: boolean): string => (isChunked ? chunk(text) : text);

const BODIES: readonly Body[] = [
  {
    name: 'whole',
    isWhole: true,
    play: (socket, good, isChunked) => socket.write(isChunked ? `${chunk(good)}0\r\n\r\n` : good),
  },
  {
    name: 'half',
    isWhole: false,
    play: (socket, good, isChunked) => socket.write(piece(good.slice(0, good.length / 2), isChunked)),
  },
  { name: 'none', isWhole: false, play: () => undefined },
  {
    name: 'blanks for ever',
    isWhole: false,
    play: (socket, _, isChunked) => again(socket, piece(' ', isChunked)),
  },
  {
    name: 'blanks without a pause',
    isWhole: false,
    play: (socket, _, isChunked) => flood(socket, piece(' '.repeat(99), isChunked)),
  },
  {
    name: 'whole but for the last chunk',
    isWhole: false,
    play: (socket, good, isChunked) => socket.write(piece(isChunked ? good : good.slice(0, -1), isChunked)),
  },
  {
    name: 'a chunk extension for ever',
    isWhole: false,
    play: (socket) => (socket.write('5;'), again(socket, 'x')),
  },
  {
    name: 'a chunk extension without a pause',
    isWhole: false,
    play: (socket) => (socket.write('5;'), flood(socket, 'x')),
  },
  {
    name: 'a trailer that never comes',
    isWhole: false,
    play: (socket, good, isChunked) => socket.write(isChunked ? `${chunk(good)}0\r\n` : good.slice(0, -1)),
  },
  {
    name: 'trailers for ever',
    isWhole: false,
    play: (socket, good, isChunked) => {
      socket.write(isChunked ? `${chunk(good)}0\r\n` : good.slice(0, -1));
      return again(socket, isChunked ? 'x-end: 1\r\n' : '');
    },
  },
];

interface Ending {
  name: string;
  /** What was sent before counts in any case; false: it depends on the moment. */
  keepsSent: boolean;
  isEnd: boolean;
  play: (socket: Socket) => unknown;
}

const ENDINGS: readonly Ending[] = [
  { name: 'stays', keepsSent: true, isEnd: false, play: () => undefined },
  { name: 'closes its side and reads on', keepsSent: true, isEnd: true, play: (socket) => socket.end() },
  {
    name: 'closes its side and reads no more',
    keepsSent: true,
    isEnd: true,
    play: (socket) => socket.pause().end(),
  },
  { name: 'is gone', keepsSent: false, isEnd: true, play: (socket) => socket.destroySoon() },
  { name: 'resets', keepsSent: false, isEnd: true, play: (socket) => socket.resetAndDestroy() },
  { name: 'sends on without a pause', keepsSent: false, isEnd: false, play: (socket) => flood(socket, 'y') },
];

interface Parts {
  opening: Opening;
  status: string;
  framing: Framing;
  extra: readonly string[];
  body: Body;
  ending: Ending;
  readsRequest: boolean;
}

/** An answer is read by what it holds: it counts under these, too. */
const ALMOST_OK = /^(?:000|20[56]) /;

function deliveryOf({ opening, status, framing, body, ending }: Parts): Delivery {
  const isGood = status === OK || ALMOST_OK.test(status);
  if (!opening.isHarmless || !isGood || !body.isWhole || framing.isWhole === 'no') return 'none';
  if (framing.isWhole === 'at the end' && !ending.isEnd) return 'none';
  return ending.keepsSent && status === OK ? 'whole' : 'either';
}

function madeOf(parts: Parts): OddServer {
  const { opening, status, framing, extra, body, ending, readsRequest } = parts;
  const name = [
    ...(readsRequest ? [] : ['reads no request']),
    ...(opening.name === '' ? [] : [opening.name]),
    status,
    framing.name,
    ...extra,
    `body: ${body.name}`,
    ending.name,
  ].join('; ');
  const answer = async (socket: Socket, good: string): Promise<void> => {
    await opening.play(socket);
    const type = 'content-type: application/json';
    socket.write(line(status, type, ...framing.headers(Buffer.byteLength(good)), ...extra));
    await body.play(socket, good, framing.isChunked);
    ending.play(socket);
  };
  return { name, delivers: deliveryOf(parts), answer, readsRequest };
}

const [FRAMING, BODY, ENDING] = [FRAMINGS[0], BODIES[0], ENDINGS[0]] as [Framing, Body, Ending];
const PLAIN: Parts = {
  opening: NO_OPENING,
  status: OK,
  framing: FRAMING,
  extra: [],
  body: BODY,
  ending: ENDING,
  readsRequest: true,
};

/** Each oddity by itself, on an answer that is good otherwise. */
function single(): readonly Parts[] {
  const chunked = FRAMINGS.find(({ isChunked }) => isChunked) ?? FRAMING;
  return [
    ...OPENINGS.map((opening) => ({ ...PLAIN, opening })),
    ...STATUSES.map((status) => ({ ...PLAIN, status })),
    ...FRAMINGS.map((framing) => ({ ...PLAIN, framing })),
    ...EXTRAS.map((extra) => ({ ...PLAIN, extra })),
    ...BODIES.flatMap((body) => [FRAMING, chunked].map((framing) => ({ ...PLAIN, body, framing }))),
    ...ENDINGS.map((ending) => ({ ...PLAIN, ending })),
    ...ENDINGS.map((ending) => ({ ...PLAIN, ending, readsRequest: false })),
  ];
}

const mixed: fc.Arbitrary<Parts> = fc.record({
  opening: fc.constantFrom(...OPENINGS, ...OPENINGS.map(() => NO_OPENING)),
  status: fc.constantFrom(...STATUSES, ...STATUSES.map(() => OK)),
  framing: fc.constantFrom(...FRAMINGS),
  extra: fc.constantFrom(...EXTRAS),
  body: fc.constantFrom(...BODIES),
  ending: fc.constantFrom(...ENDINGS),
  readsRequest: fc.boolean(),
});

/** The same ones for the same seed: each oddity by itself, then as many put together. */
export function oddServers(count: number, seed: number): readonly OddServer[] {
  return [...single(), ...fc.sample(mixed, { numRuns: count, seed })].map(madeOf);
}
