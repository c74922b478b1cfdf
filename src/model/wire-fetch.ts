/**
 * The `fetch` for the `openai` package: always resolves, with plain JSON or with a fault as the error body,
 * whatever the server did. The key is read again for each request, added here, and removed from the answer
 * before anything else reads it.
 */
import { fault, normalise, transportFault } from './fault.js';
import type { Fault } from './fault.js';
import { LIMITS } from '../base/limits.js';
import { HEADERS } from './server.js';
import type { HttpRequest, Transport } from './transport.js';

/** As much of a `Response` as the package reads: making a whole one, with a stream for its body, takes as long as the rest of the exchange. */
export type WireResponse = Pick<Response, 'ok' | 'status' | 'url' | 'body' | 'json' | 'text'> & {
  readonly headers: Pick<ReadonlyMap<string, string>, 'get' | 'entries'>;
};

export type WireFetch = (url: string, init: RequestInit | undefined) => Promise<WireResponse>;

/** `key` gives the key to send, null for none; it is kept nowhere. */
export function wireFetch(transport: Transport, key: () => string | null): WireFetch {
  return (url, init) => exchange(transport, key(), httpRequest(url, init), init?.signal);
}

async function exchange(
  transport: Transport,
  key: string | null,
  request: HttpRequest,
  signal: AbortSignal | null | undefined,
): Promise<WireResponse> {
  if (key !== null && !/^[\x21-\x7e]+$/.test(key))
    return faultResponse(fault('bad-key', 'the key holds characters that no header may', false));
  const headers = key === null ? request.headers : { ...request.headers, authorization: `Bearer ${key}` };
  try {
    const answer = await transport.send({ ...request, headers }, signal ?? new AbortController().signal);
    const told: Record<string, string> = {};
    for (const name of Object.keys(answer.headers)) told[name] = withoutKey(answer.headers[name] ?? '', key);
    const text = withoutKey(DECODER.decode(answer.body), key);
    const found = normalise({ status: answer.status, headers: told }, text);
    return found.ok ? jsonResponse(found.value, 200) : faultResponse(found.fault);
  } catch (error) {
    return faultResponse(transportFault(error));
  }
}

const DECODER = new TextDecoder();

function httpRequest(url: string, init: RequestInit | undefined): HttpRequest {
  const body = init?.body instanceof Uint8Array ? init.body : null;
  const headers: Record<string, string> = { ...HEADERS };
  if (body !== null) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(body.length);
  }
  return { method: body === null ? 'GET' : 'POST', url, headers, body, bytesMax: LIMITS.responseBytes };
}

/** Shorter keys are placeholders such as EMPTY, and words of any text. */
const SECRET_CHARACTERS = 8;

/** A server may repeat the key it was sent, as JSON or an address writes it; it must not reach a log that way. */
function withoutKey(text: string, key: string | null): string {
  if (key === null || key.length < SECRET_CHARACTERS) return text;
  const [once, twice] = [written(key), written(written(key))];
  // The arguments of a tool call are JSON within JSON.
  const forms = [key, once, twice, twice.replaceAll('/', '\\\\/'), encodeURIComponent(key)];
  return forms.reduce((rest, form) => rest.replaceAll(form, '[key]'), plainlySpelt(text));
}

function written(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** JSON text whose strings escape no printable ASCII but `"` and `\\`: the same value in one spelling, in which nothing can hide. */
function plainlySpelt(json: string): string {
  if (!/\\(?:\/|u00)/.test(json)) return json;
  return json.replace(/\\(?:[\\/]|u00[2-7][0-9a-f])/gi, (escape) => {
    if (escape === '\\\\') return escape;
    const character = escape === '\\/' ? '/' : String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    return written(character);
  });
}

/**
 * Node's own `Headers` come with its `fetch`, which takes time to load and can't be loaded without
 * WebAssembly (--jitless). The package checks each answer's headers for that class; here the check is false.
 */
if (!('WebAssembly' in globalThis))
  Object.defineProperty(globalThis, 'Headers', {
    value: class Headers extends Map<string, string> {},
    configurable: true,
    writable: true,
  });

/** Read by `get` and as pairs, as `Headers` are. */
const JSON_HEADERS: ReadonlyMap<string, string> = new Map([['content-type', 'application/json']]);

/** Of a value that is JSON: the package is handed it as it was read. */
function jsonResponse(value: unknown, status: number): WireResponse {
  return {
    ok: status === 200,
    status,
    headers: JSON_HEADERS,
    url: '',
    body: null,
    json: () => Promise.resolve(value),
    text: () => Promise.resolve(JSON.stringify(value)),
  };
}

/** The status only has to be one that the package takes for a failure; the fault holds the true one. */
function faultResponse(failed: Fault): WireResponse {
  return jsonResponse({ error: failed }, 500);
}
