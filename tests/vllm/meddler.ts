/**
 * Stands between client and server on loopback: keeps what the server answered, and adds fields to a request that the client would never send, so that
 * the server has something to refuse.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { JsonObject } from '../../src/base/json.js';

export interface Answered {
  path: string;
  sent: JsonObject;
  status: number;
  body: unknown;
}

export class Meddler {
  /** Added to every chat request; null takes a field away. */
  fields: JsonObject = {};
  readonly answers: Answered[] = [];
  readonly #server: Server;
  readonly #origin: string;
  baseUrl = '';

  private constructor(serverUrl: string) {
    this.#origin = new URL(serverUrl).origin;
    this.#server = createServer((request, response) => void this.#pass(request, response));
  }

  static async start(serverUrl: string): Promise<Meddler> {
    const meddler = new Meddler(serverUrl);
    await new Promise<void>((resolve) => void meddler.#server.listen(0, '127.0.0.1', resolve));
    const address = meddler.#server.address();
    if (typeof address === 'object' && address !== null)
      meddler.baseUrl = `http://127.0.0.1:${address.port}/v1`;
    return meddler;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = String(request.url);
    const sent = await bodyOf(request);
    const changed = path.endsWith('/chat/completions') ? merged(sent, this.fields) : sent;
    const answer = await fetch(`${this.#origin}${path}`, {
      method: String(request.method),
      headers: { 'content-type': 'application/json' },
      body: request.method === 'POST' ? JSON.stringify(changed) : null,
    });
    const text = await answer.text();
    this.answers.push({ path, sent: changed, status: answer.status, body: parsed(text) });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'text/plain',
    });
    response.end(text);
  }
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  request.setEncoding('utf8');
  let text = '';
  for await (const piece of request) text += String(piece);
  return text === '' ? {} : (JSON.parse(text) as JsonObject);
}

function merged(body: JsonObject, fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...body, ...fields }).filter(([, value]) => value !== null));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
