/**
 * Requests to a server and its answers: plain JSON, or a FaultError, whatever the server does. The key is
 * looked up for each request, added here, and removed from the answer before anything else reads it.
 */
import { fault, FaultError, classifyAnswer, transportFault } from './fault.js';
import { LIMITS } from '../base/limits.js';
import { HEADERS } from './server.js';
import type { HttpAnswer, HttpRequest, Transport } from './transport.js';

/** `path` begins with a slash. Both throw FaultError if there is no answer, or if the signal is aborted. */
export interface ServerApi {
  get(path: string, signal: AbortSignal): Promise<unknown>;
  /** `body` is JSON. */
  post(path: string, body: Uint8Array, signal: AbortSignal): Promise<unknown>;
}

/** `baseUrl` ends without a slash. `key` returns the key to send, null for none; it is never stored. */
export function serverApi(baseUrl: string, transport: Transport, key: () => string | null): ServerApi {
  const request = async (path: string, body: Uint8Array | null, signal: AbortSignal): Promise<unknown> =>
    exchange(transport, key(), httpRequest(`${baseUrl}${path}`, body), signal);
  return {
    get: (path, signal) => request(path, null, signal),
    post: (path, body, signal) => request(path, body, signal),
  };
}

async function exchange(
  transport: Transport,
  key: string | null,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<unknown> {
  if (key !== null && !/^[\x21-\x7e]+$/.test(key))
    throw new FaultError(
      fault('bad-key', 'the key contains characters that are not allowed in a header', false),
    );
  const headers = key === null ? request.headers : { ...request.headers, authorization: `Bearer ${key}` };
  const answer = await send(transport, { ...request, headers }, signal);
  const safeHeaders: Record<string, string> = {};
  for (const name of Object.keys(answer.headers))
    safeHeaders[name] = withoutKey(answer.headers[name] ?? '', key);
  const text = withoutKey(DECODER.decode(answer.body), key);
  const classified = classifyAnswer({ status: answer.status, headers: safeHeaders }, text);
  if (!classified.ok) throw new FaultError(classified.fault);
  return classified.value;
}

async function send(transport: Transport, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  try {
    return await transport.send(request, signal);
  } catch (error) {
    throw new FaultError(transportFault(error));
  }
}

const DECODER = new TextDecoder();

function httpRequest(url: string, body: Uint8Array | null): HttpRequest {
  const headers: Record<string, string> = { ...HEADERS };
  if (body !== null) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(body.length);
  }
  return { method: body === null ? 'GET' : 'POST', url, headers, body, bytesMax: LIMITS.responseBytes };
}

/** Shorter keys are placeholders such as EMPTY, and could be ordinary words in a text. */
const SECRET_CHARACTERS = 8;

/**
 * A server may repeat the key that it was sent, in the spelling of JSON or of an address; it must not reach a
 * log in this way.
 */
function withoutKey(text: string, key: string | null): string {
  if (key === null || key.length < SECRET_CHARACTERS) return text;
  const [escaped, doubleEscaped] = [jsonEscaped(key), jsonEscaped(jsonEscaped(key))];
  // The arguments of a tool call are JSON within JSON.
  const forms = [
    key,
    escaped,
    doubleEscaped,
    doubleEscaped.replaceAll('/', '\\\\/'),
    encodeURIComponent(key),
  ];
  return forms.reduce((masked, form) => masked.replaceAll(form, '[key]'), withPlainEscapes(text));
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * JSON text whose strings escape no printable ASCII except `"` and `\\`: the same value in one spelling, in
 * which no key can hide.
 */
function withPlainEscapes(json: string): string {
  if (!/\\(?:\/|u00)/.test(json)) return json;
  return json.replace(/\\(?:[\\/]|u00[2-7][0-9a-f])/gi, (escape) => {
    if (escape === '\\\\') return escape;
    const character = escape === '\\/' ? '/' : String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    return jsonEscaped(character);
  });
}
