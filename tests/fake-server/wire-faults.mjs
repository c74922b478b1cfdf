// @ts-check
/**
 * More of what a server or something between may do to the bytes of an answer: heads and bodies that come slowly, in part, or more
 * than once. As in `behaviours.mjs`, each is a function of one exchange; time passes through the exchange.
 */
import { gzipSync } from 'node:zlib';
import { ok } from './behaviours.mjs';

/**
 * @typedef {import('./behaviours.mjs').Behaviour} Behaviour
 * @typedef {import('./behaviours.mjs').Exchange} Exchange
 */

/** @param {Exchange} exchange @returns {Buffer} a good answer's body */
export function bodyOf({ completion }) {
  return Buffer.from(JSON.stringify(completion));
}

/** @param {Buffer} body @param {number} [length] @returns {Buffer} the same as a whole HTTP answer */
function answerOf(body, length = body.length) {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** One byte each `everyMs`, until the client has enough. @param {Exchange} exchange @param {Buffer} bytes @param {number} everyMs */
async function drip({ request, wait }, bytes, everyMs) {
  for (const byte of bytes) {
    if (request.socket.destroyed) return;
    request.socket.write(Buffer.from([byte]));
    await wait(everyMs);
  }
}

/** The server closes its side and says nothing, but goes on listening. @type {Behaviour} */
export const halfClose = ({ request }) => void request.socket.end();

/** What a server that expects TLS says to plain HTTP. @type {Behaviour} */
export const tlsAlert = ({ request }) => void request.socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x46]));

/** A head that begins and is never over. @type {Behaviour} */
export const headStops = ({ request, stalled }) =>
  void request.socket.write('HTTP/1.1 200 OK\r\ncontent-type: applic', () => stalled());

/** The head comes a byte at a time. @param {number} everyMs @returns {Behaviour} */
export function headDrips(everyMs) {
  return (exchange) => void drip(exchange, answerOf(bodyOf(exchange)), everyMs);
}

/** The head at once, the body a byte at a time. @param {number} everyMs @returns {Behaviour} */
export function bodyDrips(everyMs) {
  return (exchange) => {
    const bytes = bodyOf(exchange);
    exchange.request.socket.write(answerOf(Buffer.alloc(0), bytes.length));
    void drip(exchange, bytes, everyMs);
  };
}

/** So much of the body, then nothing. @param {number} share @returns {Behaviour} */
export function bodyStops(share) {
  return (exchange) => {
    const bytes = bodyOf(exchange);
    const part = bytes.subarray(0, Math.floor(bytes.length * share));
    exchange.request.socket.write(
      Buffer.concat([answerOf(Buffer.alloc(0), bytes.length), part]),
      exchange.stalled,
    );
  };
}

/** A chunk that is announced longer than what comes of it. @type {Behaviour} */
export const chunkCut = (exchange) => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
  const bytes = bodyOf(exchange);
  exchange.request.socket.end(`${head}${bytes.length.toString(16)}\r\n${bytes.subarray(0, -30).toString()}`);
};

/** A chunk whose length is no number. @type {Behaviour} */
export const chunkGarbled = ({ request }) =>
  void request.socket.end(
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{"choices":[]}\r\n0\r\n\r\n',
  );

/** A few kilobytes that would be many megabytes. @type {Behaviour} */
export const gzipBomb = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  response.end(gzipSync(Buffer.alloc(16_000_000, 0x20)));
};

/** Compressed, and not even saying so. @type {Behaviour} */
export const gzipUnsaid = (exchange) => {
  exchange.response.writeHead(200, { 'content-type': 'application/json' });
  exchange.response.end(gzipSync(bodyOf(exchange)));
};

/** Announces a gigabyte and begins to send it. @type {Behaviour} */
export const gigabyte = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000000000' });
  const piece = Buffer.alloc(256 * 1024, 0x20);
  const pour = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', pour);
  pour();
};

/** White space without an end, a little at a time. @param {number} everyMs @returns {Behaviour} */
export function blankDrips(everyMs) {
  return (exchange) => {
    exchange.response.writeHead(200, { 'content-type': 'application/json' });
    exchange.response.flushHeaders();
    void drip(exchange, Buffer.from('1\r\n \r\n'.repeat(1000)), everyMs);
  };
}

/** A good answer that takes its time. @param {number} delayMs @returns {Behaviour} */
export function slow(delayMs) {
  return (exchange) => void late(exchange, delayMs);
}

/** @param {Exchange} exchange @param {number} delayMs */
async function late(exchange, delayMs) {
  for (let leftMs = delayMs; leftMs > 0 && !exchange.request.socket.destroyed; leftMs -= 1000)
    await exchange.wait(Math.min(1000, leftMs));
  ok(exchange);
}

/** In pieces of so many bytes, which part characters from themselves. @param {number} size @returns {Behaviour} */
export function inPieces(size) {
  return (exchange) => void pieces(exchange, size);
}

/** @param {Exchange} exchange @param {number} size */
async function pieces(exchange, size) {
  const { response } = exchange;
  response.writeHead(200, { 'content-type': 'application/json' });
  const bytes = bodyOf(exchange);
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

/** The same answer with other words, as an answer to nobody's question. @param {Exchange} exchange */
function foreignOf(exchange) {
  const copy = /** @type {any} */ (structuredClone(exchange.completion));
  copy.id = 'chatcmpl-of-somebody-else';
  copy.choices[0].message.content = 'ACTION: SPEAK "I am not the answer."';
  return answerOf(Buffer.from(JSON.stringify(copy)));
}

/** Two answers at once to one request. @type {Behaviour} */
export const twoAnswers = (exchange) =>
  void exchange.request.socket.write(Buffer.concat([answerOf(bodyOf(exchange)), foreignOf(exchange)]));

/** A second answer right behind the first. @type {Behaviour} */
export const secondAnswer = (exchange) => {
  const { socket } = exchange.request;
  socket.write(answerOf(bodyOf(exchange)));
  setImmediate(() => socket.write(foreignOf(exchange)));
};

/** A failure, and the answer after all when the next question has come. @param {string} status @returns {Behaviour} */
export function answerAfter(status) {
  return (exchange) => {
    const { socket } = exchange.request;
    socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
    setTimeout(() => socket.write(foreignOf(exchange)), 2);
  };
}

/** The whole server goes and comes again. @type {Behaviour} */
export const restarts = ({ restart }) => void restart();
