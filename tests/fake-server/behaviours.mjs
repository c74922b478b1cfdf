// @ts-check
/**
 * What a server may do with a chat request instead of answering it well. Each behaviour is a function of one
 * exchange; a script of them is played one per request, and after its end the server answers well again.
 */
import { gzipSync } from 'node:zlib';

/**
 * @typedef {import('./fields.mjs').Fields} Fields
 * @typedef {object} Exchange
 * @property {import('node:http').IncomingMessage} request
 * @property {import('node:http').ServerResponse} response
 * @property {string} system  text of the request's system message
 * @property {Fields} completion  what a good answer would be
 * @property {(status: number, value: unknown, headers?: Record<string, string>) => void} json
 * @property {() => void} stalled  tells the test that nothing more will come
 * @property {() => void} stopListening  the process is gone: later connections are refused
 * @property {(delayMs: number) => Promise<void>} wait  lets time pass, real or a test's own
 * @property {() => Promise<void>} restart  another process takes its place; connections are gone, new ones are taken
 *
 * @typedef {(exchange: Exchange) => void} Behaviour
 */

/** The answer is as it should be. @type {Behaviour} */
export const ok = ({ json, completion }) => json(200, completion);

/** The good completion with something changed. @param {(completion: any) => unknown} change @returns {Behaviour} */
export function changed(change) {
  return ({ json, completion }) => {
    const copy = structuredClone(completion);
    json(200, change(copy) ?? copy);
  };
}

/** @param {Fields} fields @param {string | null} [finishReason] @returns {Behaviour} */
export function message(fields, finishReason) {
  return changed((completion) => {
    completion.choices[0].message = { role: 'assistant', ...fields };
    if (finishReason !== undefined) completion.choices[0].finish_reason = finishReason;
  });
}

/** @param {number} code @param {unknown} body  text is sent as it is @param {Record<string, string>} [headers] @returns {Behaviour} */
export function status(code, body, headers = {}) {
  return ({ json, response }) => {
    if (typeof body !== 'string') return json(code, body, headers);
    response.writeHead(code, { 'content-type': 'text/html', ...headers });
    response.end(body);
  };
}

/** @param {number} code @param {string} words @param {Record<string, string>} [headers] @returns {Behaviour} */
export function error(code, words, headers = {}) {
  return ({ json }) => json(code, { error: { message: words, type: 'error', param: null, code } }, headers);
}

/** Raw bytes as a whole answer. @param {string | Buffer} bytes @param {Record<string, string>} [headers] @returns {Behaviour} */
export function raw(bytes, headers = { 'content-type': 'application/json' }) {
  return ({ response }) => {
    response.writeHead(200, headers);
    response.end(bytes);
  };
}

/** @param {Exchange} exchange */
function bytesOf({ completion }) {
  return Buffer.from(JSON.stringify(completion));
}

/** A good answer that does not say what it is. @type {Behaviour} */
export const noContentType = (exchange) => raw(bytesOf(exchange), {})(exchange);

/** A good answer that says it is something else. @type {Behaviour} */
export const mislabelled = (exchange) => raw(bytesOf(exchange), { 'content-type': 'text/plain' })(exchange);

/** A whole HTTP answer whose JSON ends in the middle. @type {Behaviour} */
export const truncatedJson = (exchange) => raw(bytesOf(exchange).subarray(0, -20))(exchange);

/** @type {Behaviour} */
export const gzipped = (exchange) =>
  raw(gzipSync(bytesOf(exchange)), { 'content-type': 'application/json', 'content-encoding': 'gzip' })(
    exchange,
  );

/** Bytes that are no UTF-8 inside the words. @type {Behaviour} */
export const badUtf8 = (exchange) => {
  const bytes = bytesOf(exchange);
  const at = bytes.indexOf('"content":"') + 11;
  raw(Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xc3, 0x28]), bytes.subarray(at)]))(exchange);
};

/** More than any limit, in pieces, until the client hangs up. @type {Behaviour} */
export const endless = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const piece = Buffer.alloc(256 * 1024, 0x20);
  const pour = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', pour);
  pour();
};

/** Accepts and says nothing. @type {Behaviour} */
export const hang = ({ stalled }) => stalled();

/** Headers and half of the body, then nothing. @type {Behaviour} */
export const stallMidBody = (exchange) => {
  const bytes = bytesOf(exchange);
  exchange.response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
  });
  exchange.response.write(bytes.subarray(0, bytes.length / 2), () => exchange.stalled());
};

/** White space for ever, as gateways send while they wait. @type {Behaviour} */
export const whitespaceThenNothing = ({ response, stalled }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(' '.repeat(64), () => stalled());
};

/** The connection is reset before any answer. @type {Behaviour} */
export const reset = ({ request }) => request.socket.resetAndDestroy();

/** The connection is closed before any answer. @type {Behaviour} */
export const hangUp = ({ request }) => void request.socket.destroy();

/** @type {Behaviour} */
export const resetMidBody = (exchange) => {
  const bytes = bytesOf(exchange);
  exchange.response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
  });
  exchange.response.write(bytes.subarray(0, bytes.length / 2), () =>
    exchange.request.socket.resetAndDestroy(),
  );
};

/** The body ends before its announced length. @type {Behaviour} */
export const cutMidBody = (exchange) => {
  const bytes = bytesOf(exchange);
  exchange.response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': String(bytes.length + 50),
  });
  exchange.response.write(bytes, () => exchange.request.socket.end());
};

/** A chunked body whose last chunk never comes. @type {Behaviour} */
export const cutChunked = (exchange) => {
  exchange.response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
  exchange.response.write(bytesOf(exchange), () => exchange.request.socket.end());
};

/** More bytes than announced. @type {Behaviour} */
export const longerThanAnnounced = (exchange) => {
  const bytes = bytesOf(exchange);
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length - 20}\r\n\r\n`;
  exchange.request.socket.end(Buffer.concat([Buffer.from(head), bytes]));
};

/** Not HTTP at all. @type {Behaviour} */
export const notHttp = ({ request }) => void request.socket.end('SSH-2.0-OpenSSH_9.2\r\n');

/** @param {number} count @returns {Behaviour} */
export function informationFlood(count) {
  return (exchange) => {
    for (let i = 0; i < count; i++) exchange.request.socket.write('HTTP/1.1 102 Processing\r\n\r\n');
    ok(exchange);
  };
}

/** The engine dies: one 500, then nobody listens any more. @type {Behaviour} */
export const dies = (exchange) => {
  exchange.stopListening();
  error(500, 'EngineCore encountered an issue.', { connection: 'close' })(exchange);
};

/** Says 500 once with what vLLM says. @type {Behaviour} */
export const crashed = error(500, 'Internal server error');

/** @param {Record<string, string>} [headers] @returns {Behaviour} */
export function rateLimited(headers = {}) {
  return error(429, 'Rate limit exceeded', headers);
}

/** @type {Behaviour} */
export const loading = error(503, 'Loading model');

/** @param {string} location @returns {Behaviour} */
export function redirect(location) {
  return ({ response }) => {
    response.writeHead(307, { location });
    response.end();
  };
}

/** @type {Behaviour} */
export const noContent = ({ response }) => {
  response.writeHead(204);
  response.end();
};

/** Repeats the key that it was sent, as careless servers do. @param {number} code @returns {Behaviour} */
export function echoesKey(code) {
  return ({ json, request }) => {
    const sent = String(request.headers.authorization).replace('Bearer ', '');
    json(code, { error: { message: `Incorrect API key provided: ${sent}`, type: 'auth', code } });
  };
}

/** The same with every slash escaped, as some JSON writers do. @type {Behaviour} */
export const echoesKeyEscaped = ({ request, response }) => {
  const text = JSON.stringify({ error: { message: request.headers.authorization } });
  response.writeHead(403, { 'content-type': 'application/json' });
  response.end(text.replaceAll('/', '\\/'));
};

/** A good answer that says the key. @type {Behaviour} */
export const saysKey = (exchange) =>
  message({ content: `ACTION: SPEAK "${String(exchange.request.headers.authorization)}"` })(exchange);
