/**
 * The package `openai` on our transport: a request to a server, and the JSON of its answer or a FaultError,
 * whatever the server does. Retries, time limits, headers and the key are not the package's. The key is looked
 * up for each request, added here, and removed from the answer before anything else reads it.
 */
import type { OpenAI } from 'openai';
import { fault, FaultError, jsonIn, transportFault } from './fault.js';
import { LIMITS } from '../base/limits.js';
import { HEADERS } from './server.js';
import type { HttpAnswer, Transport } from './transport.js';

/**
 * Both throw FaultError if there is no answer. An answer is any JSON: servers do not keep to the types of the
 * package.
 */
export interface ServerApi {
  complete(body: OpenAI.ChatCompletionCreateParamsNonStreaming, signal: AbortSignal): Promise<unknown>;
  models(signal: AbortSignal): Promise<unknown>;
}

/** `baseUrl` ends without a slash. `key` returns the key to send, null for none; it is never stored. */
export function serverApi(baseUrl: string, transport: Transport, key: () => string | null): ServerApi {
  let client: Promise<OpenAI> | null = null;
  const opened = (): Promise<OpenAI> => (client ??= openClient(baseUrl, transport, key));
  return {
    complete: async (body, signal) => (await opened()).chat.completions.create(body, { signal }),
    // As a page of models, an answer without a list would be an empty list.
    models: async (signal) => (await (await opened()).models.list({ signal }).asResponse()).json(),
  };
}

/** Loads the package at the first request, because most commands send none. */
async function openClient(baseURL: string, transport: Transport, key: () => string | null): Promise<OpenAI> {
  const headers = jsonHeaders();
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL,
    apiKey: 'added below',
    maxRetries: 0,
    // Longer than our own (`retry.ts`).
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: (url, init) => {
      // An error of `fetch` would be wrapped, and its cause lost if it looks like a time-out; one of `json`
      // reaches our caller as it is.
      const json = (): Promise<unknown> => exchange(url as string, init ?? {}, transport, key());
      return Promise.resolve({ ok: true, status: 200, headers, json } as Response);
    },
  });
}

/**
 * With `--jitless`, there is no WebAssembly, and Node 20 would end the process as soon as `Headers`, which the
 * package uses too, is loaded: it compiles the parser of `fetch`, which nobody needs.
 */
function jsonHeaders(): Headers {
  const hasCompiler = 'WebAssembly' in globalThis;
  if (!hasCompiler) Reflect.set(globalThis, 'WebAssembly', { compile: () => new Promise(() => undefined) });
  const headers = new Headers({ 'content-type': 'application/json' });
  if (!hasCompiler) Reflect.deleteProperty(globalThis, 'WebAssembly');
  return headers;
}

async function exchange(
  url: string,
  { body, signal }: RequestInit,
  transport: Transport,
  key: string | null,
): Promise<unknown> {
  if (key !== null && !/^[\x21-\x7e]+$/.test(key))
    throw new FaultError(
      fault('bad-key', 'the key contains characters that are not allowed in a header', false),
    );
  const bytes = typeof body === 'string' ? Buffer.from(body) : null;
  const headers: Record<string, string> = { ...HEADERS };
  if (bytes !== null) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(bytes.length);
  }
  if (key !== null) headers['authorization'] = `Bearer ${key}`;
  let answer: HttpAnswer;
  try {
    const method = bytes === null ? 'GET' : 'POST';
    const request = { method, url, headers, body: bytes, bytesMax: LIMITS.responseBytes } as const;
    answer = await transport.send(request, signal ?? new AbortController().signal);
  } catch (error) {
    throw new FaultError(transportFault(error));
  }
  const safeHeaders: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) safeHeaders[name] = withoutKey(value, key);
  const text = withoutKey(new TextDecoder().decode(answer.body), key);
  return jsonIn({ status: answer.status, headers: safeHeaders }, text);
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
