/**
 * The page served to this machine alone: the page itself, without run data, and its data in parts, for
 * clients with the token. Nothing else is served: no file, and requests can only change verdicts on steps.
 * Parts are made on first request, so a run is followed for as long as a client reads; each is cached as the
 * sent bytes, so a slow client costs nothing. `gate.ts` checks requests, `connections.ts` limits slow
 * clients.
 */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { LIMITS } from '../base/limits.js';
import { StorageError, UsageError } from '../base/errors.js';
import { saidFrom } from '../log/annotations.js';
import type { AnnotationEntry } from '../log/annotations.js';
import { PageConnections } from './connections.js';
import { judge } from './gate.js';
import { pageHeaders, pageHtml } from './html.js';
import type { PageFiles } from './html.js';
import type { PagePart } from './page-data.js';

export interface PageServerOptions {
  readonly files: PageFiles;
  /** The next part; null if nothing is new. */
  readonly next: () => Promise<PagePart | null>;
  /** Saves a verdict on a step. May throw errors that are shown to the client: UsageError, StorageError. */
  readonly judge: (said: AnnotationEntry) => void;
  /** 0: any that is free. */
  readonly port: number;
  /** A client that does not take its answer in this time is cut off; LIMITS.pageAnswerMs by default. */
  readonly answerMs?: number;
  /** Called for errors while a part was made or a mark was saved. */
  readonly onError: (error: unknown) => void;
}

const ADDRESS = '127.0.0.1';
const HEAD_MS = 5000;
const IDLE_MS = 5000;

export class PageServer {
  readonly #options: PageServerOptions;
  readonly #token = randomBytes(32).toString('base64url');
  readonly #page: Buffer;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #server: Server;
  readonly #connections = new PageConnections();
  /** As JSON. */
  readonly #parts: Buffer[] = [];
  #host = '';
  /** The part that is being made. */
  #making: Promise<boolean> | null = null;

  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#page = Buffer.from(pageHtml(options.files, null));
    this.#headers = pageHeaders(options.files);
    const limits = {
      maxHeaderSize: LIMITS.pageRequestBytes,
      headersTimeout: HEAD_MS,
      requestTimeout: HEAD_MS,
    };
    this.#server = createServer(
      { ...limits, keepAliveTimeout: IDLE_MS, connectionsCheckingInterval: 1000 },
      (request, response) => this.#answer(request, response),
    );
    // Checked like all others, before a 100-continue is sent.
    this.#server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
      this.#answer(request, response),
    );
    this.#server.on('connection', (socket: Socket) => this.#connections.admit(socket));
  }

  /** Begins to listen and gives the address to open, with the token behind the #, which no request carries. Rejects with UsageError where the port is taken. */
  async open(): Promise<string> {
    const { port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error) =>
        reject(
          new UsageError(`can't listen on port ${port}: ${error.message}`, [
            'leave out --port to use a free one',
          ]),
        ),
      );
      this.#server.listen({ host: ADDRESS, port, exclusive: true }, resolve);
    });
    const { port: taken } = this.#server.address() as AddressInfo;
    this.#host = `${ADDRESS}:${taken}`;
    return `http://${this.#host}/#token=${this.#token}`;
  }

  /** Ends at once, even with connected clients. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    // It is behind another one whose answer was not read yet: a browser waits for that.
    if (response.socket === null) return this.#send(response, 429);
    const { method = '', url: target = '', rawHeaders } = request;
    const verdict = judge({ method, target, rawHeaders }, { host: this.#host, token: this.#token });
    if (verdict.kind === 'refused') this.#send(response, verdict.status);
    else if (verdict.kind === 'page') this.#send(response, 200, 'text/html', [this.#page]);
    else if (verdict.kind === 'mark') this.#readMark(request, response, verdict.bytes);
    else void this.#sendParts(request, response, verdict.from);
  }

  /** A body that is cut off, or slower than a request may be, never gets here. */
  #readMark(request: IncomingMessage, response: ServerResponse, bytes: number): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const said = body.length === bytes && isUtf8(body) ? saidFrom(body.toString('utf8')) : null;
      if (said === null) this.#send(response, 400);
      else this.#keep(response, said);
    });
  }

  #keep(response: ServerResponse, said: AnnotationEntry): void {
    try {
      this.#options.judge(said);
      this.#send(response, 200);
    } catch (error) {
      // The client has the key, and needs the reason why the verdict was not saved.
      const isTold = error instanceof UsageError || error instanceof StorageError;
      if (!(error instanceof UsageError)) this.#options.onError(error);
      const told = isTold ? [Buffer.from(error.message)] : [];
      this.#send(response, error instanceof UsageError ? 422 : 500, 'text/plain', told);
    }
  }

  async #sendParts({ socket }: IncomingMessage, response: ServerResponse, from: number): Promise<void> {
    try {
      this.#connections.work(socket);
      if (from >= this.#parts.length) await (this.#making ??= this.#make());
      let [size, to] = [0, from];
      while (to < this.#parts.length && size < LIMITS.pageAnswerBytes) size += this.#parts[to++]?.length ?? 0;
      this.#send(response, 200, 'application/json', listOf(this.#parts.slice(from, to)));
    } catch (error) {
      this.#options.onError(error);
      this.#send(response, 500);
    } finally {
      this.#connections.wait(socket);
    }
  }

  /** One part for all who ask meanwhile. */
  async #make(): Promise<boolean> {
    try {
      const part = await this.#options.next();
      if (part !== null) this.#parts.push(Buffer.from(JSON.stringify(part)));
      return part !== null;
    } finally {
      this.#making = null;
    }
  }

  /** Pieces are sent without copying: an unread answer costs no memory. */
  #send(response: ServerResponse, status: number, type = 'text/plain', pieces: readonly Buffer[] = []): void {
    const late = setTimeout(() => response.destroy(), this.#options.answerMs ?? LIMITS.pageAnswerMs);
    response.once('close', () => clearTimeout(late));
    response.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'content-length': pieces.reduce((sum, { length }) => sum + length, 0),
      ...this.#headers,
      ...(status === 200 ? {} : { connection: 'close' }),
    });
    for (const piece of pieces) response.write(piece);
    response.end();
  }
}

const [OPENED, COMMA, CLOSED] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

/** A JSON list of what is JSON already. */
function listOf(items: readonly Buffer[]): readonly Buffer[] {
  return [OPENED, ...items.flatMap((item, i) => (i === 0 ? [item] : [COMMA, item])), CLOSED];
}
