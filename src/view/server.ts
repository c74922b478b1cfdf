/**
 * The page served to this machine alone: the page itself, which holds nothing of a run, and its data in parts, for whoever has the token.
 * Nothing else is here: no file is served, and all that a request can change is what is thought of a step. Parts are made when they are first asked for, so
 * a run is followed for as long as somebody looks. `gate.ts` judges requests.
 */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIMITS } from '../base/limits.js';
import { StorageError, UsageError } from '../base/errors.js';
import { saidFrom } from '../log/marks.js';
import type { Said } from '../log/marks.js';
import { judge } from './gate.js';
import { pageHtml, policyOf } from './html.js';
import type { PageFiles } from './html.js';
import type { PagePart } from './page-data.js';

export interface PageServerOptions {
  readonly files: PageFiles;
  /** The next part; null where nothing is new. */
  readonly next: () => Promise<PagePart | null>;
  /** Keeps what somebody thinks of a step. May throw what is told to them: UsageError, StorageError. */
  readonly judge: (said: Said) => void;
  /** 0: any that is free. */
  readonly port: number;
  /** Told of what went wrong while a part was made or a mark was kept. */
  readonly onError: (error: unknown) => void;
}

const ADDRESS = '127.0.0.1';
const HEAD_MS = 5000;
const IDLE_MS = 5000;

export class PageServer {
  readonly #options: PageServerOptions;
  readonly #token = randomBytes(32).toString('base64url');
  readonly #page: string;
  readonly #server: Server;
  /** As JSON. */
  readonly #parts: string[] = [];
  #host = '';
  /** The part that is being made. */
  #making: Promise<boolean> | null = null;

  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#page = pageHtml(options.files, null);
    const limits = {
      maxHeaderSize: LIMITS.pageRequestBytes,
      headersTimeout: HEAD_MS,
      requestTimeout: HEAD_MS,
    };
    this.#server = createServer(
      { ...limits, keepAliveTimeout: IDLE_MS, connectionsCheckingInterval: 1000 },
      (request, response) => this.#answer(request, response),
    );
    // Judged like all others, before anybody is told to go on.
    this.#server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
      this.#answer(request, response),
    );
    this.#server.maxConnections = LIMITS.pageConnections;
  }

  /** Begins to listen and gives the address to open, with the token behind the #, which no request carries. Rejects with UsageError where the port is taken. */
  async open(): Promise<string> {
    const { port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error) =>
        reject(
          new UsageError(`nothing can listen on port ${port}: ${error.message}`, [
            'leave out --port for one that is free',
          ]),
        ),
      );
      this.#server.listen({ host: ADDRESS, port, exclusive: true }, resolve);
    });
    const { port: taken } = this.#server.address() as AddressInfo;
    this.#host = `${ADDRESS}:${taken}`;
    return `http://${this.#host}/#token=${this.#token}`;
  }

  /** Ends at once, whoever is still connected. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: target = '', rawHeaders } = request;
    const verdict = judge({ method, target, rawHeaders }, { host: this.#host, token: this.#token });
    if (verdict.kind === 'refused') this.#send(response, verdict.status, 'text/plain', '');
    else if (verdict.kind === 'page') this.#send(response, 200, 'text/html', this.#page);
    else if (verdict.kind === 'mark') this.#readMark(request, response, verdict.bytes);
    else void this.#sendParts(response, verdict.from);
  }

  /** A body that is cut off, or slower than a request may be, never gets here. */
  #readMark(request: IncomingMessage, response: ServerResponse, bytes: number): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const said = body.length === bytes && isUtf8(body) ? saidFrom(body.toString('utf8')) : null;
      if (said === null) this.#send(response, 400, 'text/plain', '');
      else this.#keep(response, said);
    });
  }

  #keep(response: ServerResponse, said: Said): void {
    try {
      this.#options.judge(said);
      this.#send(response, 200, 'text/plain', '');
    } catch (error) {
      // Whoever is here has the key, and has to know why their word was not kept.
      const isTold = error instanceof UsageError || error instanceof StorageError;
      if (!(error instanceof UsageError)) this.#options.onError(error);
      this.#send(
        response,
        error instanceof UsageError ? 422 : 500,
        'text/plain',
        isTold ? error.message : '',
      );
    }
  }

  async #sendParts(response: ServerResponse, from: number): Promise<void> {
    try {
      if (from >= this.#parts.length) await (this.#making ??= this.#make());
      let [size, to] = [0, from];
      while (to < this.#parts.length && size < LIMITS.pageAnswerCharacters)
        size += this.#parts[to++]?.length ?? 0;
      this.#send(response, 200, 'application/json', `[${this.#parts.slice(from, to).join(',')}]`);
    } catch (error) {
      this.#options.onError(error);
      this.#send(response, 500, 'text/plain', '');
    }
  }

  /** One part for all who ask meanwhile. */
  async #make(): Promise<boolean> {
    try {
      const part = await this.#options.next();
      if (part !== null) this.#parts.push(JSON.stringify(part));
      return part !== null;
    } finally {
      this.#making = null;
    }
  }

  #send(response: ServerResponse, status: number, type: string, body: string): void {
    response.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'content-security-policy': `${policyOf(this.#options.files, true)}; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      ...(status === 200 ? {} : { connection: 'close' }),
    });
    response.end(body);
  }
}
