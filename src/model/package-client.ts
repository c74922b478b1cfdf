/**
 * The `openai` package, which only this file loads: when the first request is sent, since it is 150 files and most commands ask no model.
 * In: a path, a body and a signal; out: the answer as the package reads it, or the FaultError that our own `fetch` (`wire-fetch.ts`) hid
 * in the body of an error.
 */
import { createRequire } from 'node:module';
import type { OpenAI } from 'openai';
import { fault, FaultError, isFault } from './fault.js';
import type { WireFetch } from './wire-fetch.js';

export interface PackageClient {
  get(path: string, signal: AbortSignal): Promise<unknown>;
  post(path: string, body: Uint8Array, signal: AbortSignal): Promise<unknown>;
}

/** Loads nothing yet. */
export function packageClient(baseUrl: string, fetch: WireFetch): PackageClient {
  let client: OpenAI | null = null;
  const opened = (): OpenAI => (client ??= newClient(baseUrl, fetch));
  return {
    get: (path, signal) => unwrapped(opened().get<unknown>(path, { signal })),
    post: (path, body, signal) => unwrapped(opened().post<unknown>(path, { body, signal })),
  };
}

const require = createRequire(import.meta.url);

function loadPackage(): typeof import('openai') {
  return require('openai') as typeof import('openai');
}

/** No `Headers` of Node's, as in `wire-fetch.ts`. */
const NO_HEADERS = new Map<string, string>() as unknown as Headers;

/** The package with every default from the environment switched off. */
function newClient(baseURL: string, fetch: WireFetch): OpenAI {
  const client = new (loadPackage().OpenAI)({
    baseURL,
    apiKey: 'added-below',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    // Our own limit covers the whole body, which the package's does not.
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    // It reads no more of a Response than ours has (wire-fetch.ts), which every test of a true exchange shows.
    fetch: async (input, init) =>
      (await fetch(
        typeof input === 'object' && 'url' in input ? input.url : String(input),
        init,
      )) as Response,
  });
  // Without the headers that it would make, four lists of them a request: those that go out are added below (`wire-fetch.ts`).
  client.buildRequest = ({ method, path, body, signal }) => {
    const bytes = body instanceof Uint8Array ? { body } : {};
    const req = { method, headers: NO_HEADERS, signal: signal ?? null, ...bytes };
    return Promise.resolve({ req, url: `${baseURL}${path}`, timeout: client.timeout });
  };
  return client;
}

async function unwrapped(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof loadPackage().APIError && isFault(error.error)) throw new FaultError(error.error);
    throw new FaultError(fault('connection', 'the request was not answered', true));
  }
}
