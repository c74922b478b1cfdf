/**
 * Pages served to this machine alone: each page itself, without run data, and its data in parts
 * (`data-feed.ts`), for clients with the token. Nothing else is served: no file, and requests can only change
 * verdicts on steps. Parts are made on first request, so a run is followed for as long as a client reads.
 * One page is at `/`; if it is a list of runs, each run has a page at `/runs/N/`. `gate.ts` checks requests,
 * `listen/connections.ts` limits slow clients.
 */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Connections } from '../listen/connections.js';
import { contained, endUnanswered } from '../listen/contained.js';
import { LIMITS } from '../base/limits.js';
import { StorageError, UsageError } from '../base/errors.js';
import { parseMark } from '../log/annotations.js';
import type { AnnotationEntry } from '../log/annotations.js';
import { checkRequest } from './gate.js';
import { DataFeed } from './data-feed.js';
import type { NextPart } from './data-feed.js';
import { pageHeaders, pageHtml } from './html.js';
import type { PageFiles } from './html.js';

/** Where the data of a page comes from. */
export interface PageFeed {
  next: NextPart;
  /** Saves a verdict on a step. May throw errors that are shown to the client: UsageError, StorageError. */
  annotate: (entry: AnnotationEntry) => void;
}

/** The pages of listed runs. */
export interface RunPages {
  files: PageFiles;
  /**
   * The feed of a run, the same one for as long as it is open; null if the list has no such run. May reject
   * with StorageError.
   */
  feed: (run: number) => Promise<PageFeed | null>;
}

export interface PageServerOptions extends PageFeed {
  files: PageFiles;
  /** Present if the page at `/` is a list of runs. */
  runs?: RunPages;
  /** 0 for any free port. */
  port: number;
  /**
   * A client that does not read its answer within this time is disconnected; LIMITS.pageAnswerMs by default.
   */
  answerMs?: number;
  /** Called for errors while a part was made or a mark was saved. */
  onError: (error: unknown) => void;
}

const ADDRESS = '127.0.0.1';
const HEAD_MS = 5000;
const IDLE_MS = 5000;

export class PageServer {
  readonly #options: PageServerOptions;
  readonly #token = randomBytes(32).toString('base64url');
  readonly #front: SentPage;
  readonly #runPage: SentPage | null;
  readonly #server: Server;
  readonly #connections = new Connections(LIMITS.pageConnections);
  readonly #frontFeed: DataFeed;
  /** The data of open runs; it is dropped together with a run's feed. */
  readonly #runFeeds = new WeakMap<PageFeed, DataFeed>();
  #host = '';

  constructor(options: PageServerOptions) {
    this.#options = options;
    const { files, runs } = options;
    this.#front = sentPage(files, null);
    this.#runPage = runs === undefined ? null : sentPage(runs.files, '../../');
    this.#frontFeed = new DataFeed(options.next);
    const limits = {
      maxHeaderSize: LIMITS.pageRequestBytes,
      headersTimeout: HEAD_MS,
      requestTimeout: HEAD_MS,
    };
    const answer = contained(
      (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response),
      { drop: (_request, response) => endUnanswered(response), onError: options.onError },
    );
    // Not by an `import`, which would also load Node's `fetch`: see src/model/transport.ts.
    this.#server = process
      .getBuiltinModule('node:http')
      .createServer({ ...limits, keepAliveTimeout: IDLE_MS, connectionsCheckingInterval: 1000 }, answer);
    // Checked like all others, before a 100-continue is sent.
    this.#server.on('checkContinue', answer);
    this.#server.on('connection', (socket: Socket) => this.#connections.admit(socket));
  }

  /**
   * Begins to listen and returns the address to open. The token is in its fragment, which browsers never
   * send. Rejects with UsageError if the port is taken.
   */
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
    const { port: boundPort } = this.#server.address() as AddressInfo;
    this.#host = `${ADDRESS}:${boundPort}`;
    return `http://${this.#host}/#token=${this.#token}`;
  }

  /** Closes immediately, even with connected clients. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(request: IncomingMessage, response: ServerResponse): Promise<void> | void {
    // A pipelined request whose predecessor's answer was not read yet; browsers don't send such requests.
    if (response.socket === null) return this.#send(response, 429);
    const { method = '', url: target = '', rawHeaders } = request;
    const verdict = checkRequest({ method, target, rawHeaders }, { host: this.#host, token: this.#token });
    if (verdict.kind === 'refused') return this.#send(response, verdict.status);
    const page = verdict.run === null ? this.#front : this.#runPage;
    if (page === null) this.#send(response, 404);
    else if (verdict.kind === 'page') this.#send(response, 200, 'text/html', [page.html], page.headers);
    else if (verdict.kind === 'mark') this.#readMark(request, response, verdict);
    else return this.#sendParts(request, response, verdict);
  }

  /** An incomplete body, or one that takes too long, never reaches `end`. */
  #readMark(
    request: IncomingMessage,
    response: ServerResponse,
    { run, bytes }: { run: number | null; bytes: number },
  ): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const entry = body.length === bytes && isUtf8(body) ? parseMark(body.toString('utf8')) : null;
      if (entry === null) this.#send(response, 400);
      else void this.#saveAnnotation(response, run, entry);
    });
  }

  async #saveAnnotation(response: ServerResponse, run: number | null, entry: AnnotationEntry): Promise<void> {
    try {
      const feed = await this.#feedOf(run);
      feed?.annotate(entry);
      this.#send(response, feed === null ? 404 : 200);
    } catch (error) {
      // The client has the token, so it may see why the verdict was not saved.
      const isForClient = error instanceof UsageError || error instanceof StorageError;
      if (!(error instanceof UsageError)) this.#options.onError(error);
      const body = isForClient ? [Buffer.from(error.message)] : [];
      this.#send(response, error instanceof UsageError ? 422 : 500, 'text/plain', body);
    }
  }

  async #sendParts(
    { socket }: IncomingMessage,
    response: ServerResponse,
    { run, from }: { run: number | null; from: number },
  ): Promise<void> {
    try {
      this.#connections.work(socket);
      const data = await this.#dataOf(run);
      if (data === null) this.#send(response, 404);
      else this.#send(response, 200, 'application/json', await data.partsFrom(from));
    } catch (error) {
      this.#options.onError(error);
      this.#send(response, 500);
    } finally {
      this.#connections.wait(socket);
    }
  }

  /** Null if the list has no such run. */
  async #feedOf(run: number | null): Promise<PageFeed | null> {
    return run === null ? this.#options : ((await this.#options.runs?.feed(run)) ?? null);
  }

  async #dataOf(run: number | null): Promise<DataFeed | null> {
    if (run === null) return this.#frontFeed;
    const feed = await this.#feedOf(run);
    if (feed === null) return null;
    const data = this.#runFeeds.get(feed) ?? new DataFeed(feed.next);
    this.#runFeeds.set(feed, data);
    return data;
  }

  /** Pieces are sent without copying, so an unread answer costs no memory. */
  #send(
    response: ServerResponse,
    status: number,
    type = 'text/plain',
    pieces: readonly Buffer[] = [],
    headers = this.#front.headers,
  ): void {
    const timeout = setTimeout(() => response.destroy(), this.#options.answerMs ?? LIMITS.pageAnswerMs);
    response.once('close', () => clearTimeout(timeout));
    response.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'content-length': pieces.reduce((sum, { length }) => sum + length, 0),
      ...headers,
      ...(status === 200 ? {} : { connection: 'close' }),
    });
    for (const piece of pieces) response.write(piece);
    response.end();
  }
}

/** A page as it is sent: its bytes, and headers that allow only its own script. */
interface SentPage {
  html: Buffer;
  headers: Readonly<Record<string, string>>;
}

/** `list`: the address of the list of runs, from this page. */
function sentPage(files: PageFiles, list: string | null): SentPage {
  return { html: Buffer.from(pageHtml(files, null, list)), headers: pageHeaders(files) };
}
