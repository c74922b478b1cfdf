/**
 * What the `openai` package takes for `fetch`: always resolves, with plain JSON or with a fault as the error body, whatever
 * the server did. The key is read anew for each request, added here, and taken out of the answer before anything reads it.
 */
import { fault, normalise, transportFault } from './fault.js';
import type { Fault } from './fault.js';
import { LIMITS } from '../base/limits.js';
import { HEADERS } from './server.js';
import type { HttpRequest, Transport } from './transport.js';

export type WireFetch = (url: string, init: RequestInit | undefined) => Promise<Response>;

/** `key` gives the key to send, null for none; it is kept nowhere. */
export function wireFetch(transport: Transport, key: () => string | null): WireFetch {
  return (url, init) => exchange(transport, key(), httpRequest(url, init), init?.signal);
}

async function exchange(
  transport: Transport,
  key: string | null,
  request: HttpRequest,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  if (key !== null && !/^[\x21-\x7e]+$/.test(key))
    return faultResponse(fault('bad-key', 'the key holds characters that no header may', false));
  const headers = key === null ? request.headers : { ...request.headers, authorization: `Bearer ${key}` };
  try {
    const answer = await transport.send({ ...request, headers }, signal ?? new AbortController().signal);
    const told = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, withoutKey(value, key)] as const),
    );
    const text = withoutKey(new TextDecoder().decode(answer.body), key);
    const found = normalise({ status: answer.status, headers: told }, text);
    return found.ok ? jsonResponse(found.text, 200) : faultResponse(found.fault);
  } catch (error) {
    return faultResponse(transportFault(error));
  }
}

function httpRequest(url: string, init: RequestInit | undefined): HttpRequest {
  const body = typeof init?.body === 'string' ? init.body : null;
  const headers: Record<string, string> = { ...HEADERS };
  if (body !== null) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(Buffer.byteLength(body));
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

function jsonResponse(text: string, status: number): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

/** The status only has to be one that the package takes for a failure; the fault holds the true one. */
function faultResponse(failed: Fault): Response {
  return jsonResponse(JSON.stringify({ error: failed }), 500);
}
