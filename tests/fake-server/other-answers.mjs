// @ts-check
/**
 * What HTTP knows besides one whole answer: another protocol, word that the answer will come, trailers and chunk extensions that go on. As in
 * `behaviours.mjs`, each is a function of one exchange; time passes through the exchange.
 */
import { bodyOf } from './wire-faults.mjs';

/**
 * @typedef {import('./behaviours.mjs').Behaviour} Behaviour
 * @typedef {import('./behaviours.mjs').Exchange} Exchange
 */

const UPGRADE = 'upgrade: other/1\r\nconnection: Upgrade\r\n\r\n';
const SWITCHED = `HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}`;
const CHUNKED = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n';

/** These bytes, then nothing any more. @param {string} bytes @returns {Behaviour} */
function falls(bytes) {
  return ({ request, stalled }) => void request.socket.write(bytes, () => stalled());
}

/** These bytes every `everyMs`, until the client has enough. @param {Exchange} exchange @param {string} bytes @param {number} everyMs */
async function again({ request, wait }, bytes, everyMs) {
  while (!request.socket.destroyed) {
    request.socket.write(bytes);
    await wait(everyMs);
  }
}

/** These bytes; the client has to make up its mind by itself. @param {string} bytes @returns {Behaviour} */
function says(bytes) {
  return ({ request }) => void request.socket.write(bytes);
}

/** Another protocol, which nobody asked for, and then nothing. @type {Behaviour} */
export const switches = says(SWITCHED);

/** It does not say which. @type {Behaviour} */
export const switchesUnsaid = says('HTTP/1.1 101 Switching Protocols\r\n\r\n');

/** It begins to speak it. @type {Behaviour} */
export const switchesAndSpeaks = says(`${SWITCHED}\x81\x05hello`);

/** First word that it is at work. @type {Behaviour} */
export const switchesLater = says(`HTTP/1.1 102 Processing\r\n\r\n${SWITCHED}`);

/** It answers, and says that it could speak another protocol. @type {Behaviour} */
export const offersUpgrade = ({ json, completion }) =>
  json(200, completion, { upgrade: 'other/1', connection: 'Upgrade' });

/** Go on, it says, and nothing more. @type {Behaviour} */
export const goesSilentAfter100 = falls('HTTP/1.1 100 Continue\r\n\r\n');

/** Word that it is at work, for ever. @param {number} everyMs @returns {Behaviour} */
export function announces(everyMs) {
  return (exchange) => void again(exchange, 'HTTP/1.1 102 Processing\r\n\r\n', everyMs);
}

/** The same without a pause. @type {Behaviour} */
export const announcesAlways = ({ request: { socket } }) => {
  const many = `HTTP/1.1 103 Early Hints\r\nlink: </${'x'.repeat(8000)}>\r\n\r\n`.repeat(8);
  const pour = () => {
    while (!socket.destroyed && socket.write(many));
  };
  socket.on('drain', pour);
  pour();
};

/** All but the trailer that it announced. @type {Behaviour} */
export const trailerStops = (exchange) => {
  const body = bodyOf(exchange);
  falls(`${CHUNKED}trailer: x\r\n\r\n${body.length.toString(16)}\r\n${body.toString()}\r\n0\r\n`)(exchange);
};

/** Trailers for ever. @param {number} everyMs @returns {Behaviour} */
export function trailersDrip(everyMs) {
  return (exchange) => {
    const body = bodyOf(exchange);
    exchange.request.socket.write(`${CHUNKED}\r\n${body.length.toString(16)}\r\n${body.toString()}\r\n0\r\n`);
    void again(exchange, 'x: y\r\n', everyMs);
  };
}

/** The extension of a chunk, for ever. @param {number} everyMs @returns {Behaviour} */
export function chunkExtensionDrips(everyMs) {
  return (exchange) => {
    exchange.request.socket.write(`${CHUNKED}\r\n5;`);
    void again(exchange, 'x', everyMs);
  };
}
