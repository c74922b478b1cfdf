/**
 * One TCP port for every protocol of the API: a connection that begins as HTTP/2 is gRPC, any other is
 * HTTP/1.1 (gRPC-Web, JSON from `fetch` or `curl`). Without TLS, it listens only on this machine. There are
 * limits for connections, streams, sizes, and the time that a connection may be silent at first.
 */
import { createServer as createHttp1 } from 'node:http';
import type { IncomingMessage, Server as Http1Server, ServerResponse } from 'node:http';
import { constants, createServer as createHttp2, createSecureServer } from 'node:http2';
import type {
  Http2SecureServer,
  Http2Server,
  Http2ServerRequest,
  Http2ServerResponse,
  ServerHttp2Session,
} from 'node:http2';
import { createServer as createTcp } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Code, ConnectError } from '@connectrpc/connect';
import { parseTimeout } from '@connectrpc/connect/protocol-grpc';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { Connections } from '../listen/connections.js';
import { contained, endUnanswered } from '../listen/contained.js';
import { LIMITS } from '../base/limits.js';
import { atDeadline } from './deadline.js';
import type { TlsFiles } from './identity.js';
import { shuttingDown } from './serve-error.js';
import { refusedOrigin } from './origin.js';
import type { HostNames } from './origin.js';
import { routeStandard } from './services/standard.js';
import { routePlay } from './services/play.js';
import { routeLeases, routeWorld } from './services/routes.js';
import type { ApiOptions, RequestHandler } from './services/api-options.js';
import { routeViewer } from './services/viewer.js';

export interface PortOptions extends ApiOptions, HostNames {
  /** 0: any free one. */
  port: number;
  tls: TlsFiles | null;
  /** By path. They contain no data of a world: their scripts request it with the person's token. */
  pages?: ReadonlyMap<string, ServedPage | MovedPage>;
  /** Answers requests to `/mcp` and below; absent if there is nothing at that path. */
  mcp?: RequestHandler;
  /** The time limit for ending streams in milliseconds; LAST_WORDS_MS by default. */
  lastWordsMs?: number;
  /** Called for an error of our own while something received was handled: only its connection ends. */
  onError?: (error: unknown) => void;
}

/** A complete page for browsers. */
export interface ServedPage {
  html: string;
  headers: Readonly<Record<string, string>>;
}

/** Where a page is that was asked for at another path: relative, since a proxy may serve it below a prefix. */
export interface MovedPage {
  location: string;
}

const REQUEST_BYTES = 64 * 1024;
const STREAMS = 64;
const FIRST_BYTE_MS = 10_000;
const PING_MS = 10_000;
const PONG_MS = 5000;

export class ApiPort {
  readonly #server: Server | Http2SecureServer;
  readonly #inner: readonly (Http1Server | Http2Server)[];
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Connections(LIMITS.servedConnections);
  /** Connections of HTTP/1.1 between two requests. */
  readonly #idle = new Set<Socket>();
  /** By session, the number of open streams. */
  readonly #sessions = new Map<ServerHttp2Session, number>();
  readonly #closing = new AbortController();
  readonly #lastWordsMs: number;

  private constructor(options: PortOptions) {
    this.#lastWordsMs = options.lastWordsMs ?? LAST_WORDS_MS;
    const { onError = () => undefined } = options;
    const listener = contained(
      listenerOf(options, {
        connections: this.#connections,
        idle: this.#idle,
        shutdown: this.#closing.signal,
      }),
      {
        drop: (_request, response) => endUnanswered(response),
        onError,
      },
    );
    if (options.tls === null) {
      const http1 = createHttp1(listener);
      const http2 = createHttp2({ settings: { maxConcurrentStreams: STREAMS } }, listener);
      this.#sessionsOf(http2);
      this.#inner = [http1, http2];
      this.#server = createTcp((socket) => routeByProtocol(socket, http1, http2));
    } else {
      const { cert, key, ca } = options.tls;
      const clientAuth = ca === null ? {} : { ca, requestCert: true, rejectUnauthorized: true };
      const settings = { maxConcurrentStreams: STREAMS };
      const server = createSecureServer({ cert, key, ...clientAuth, allowHTTP1: true, settings }, listener);
      this.#sessionsOf(server);
      this.#inner = [];
      this.#server = server;
    }
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        this.#idle.delete(socket);
      });
      // A reset concerns only the client.
      socket.on('error', () => undefined);
      this.#connections.admit(socket);
    });
  }

  /** Resolves once the port accepts connections; rejects if it is not available. */
  static async open(options: PortOptions): Promise<ApiPort> {
    const opened = new ApiPort(options);
    await new Promise<void>((resolve, reject) => {
      opened.#server.once('error', reject);
      opened.#server.listen({ host: options.host, port: options.port }, resolve);
    });
    return opened;
  }

  #sessionsOf(server: Http2Server | Http2SecureServer): void {
    // Node's own answer to `expect: 100-continue` throws for a stream that its client has already reset.
    server.on(
      'checkContinue',
      (request: Http2ServerRequest | IncomingMessage, response: Http2ServerResponse | ServerResponse) => {
        if ('stream' in response && response.stream.destroyed) return;
        response.writeContinue();
        server.emit('request', request, response);
      },
    );
    server.on('session', (session) => {
      this.#sessions.set(session, 0);
      // A session that has ended has no socket, while its streams still end.
      const { remoteAddress, remotePort } = session.socket;
      const peer = { remoteAddress, remotePort };
      session.on('stream', (stream) => {
        this.#count(session, 1);
        stream.once('end', () => this.#connections.work(peer));
        stream.once('close', () => {
          if (this.#count(session, -1) === 0) this.#connections.wait(peer);
        });
      });
      session.on('close', () => this.#sessions.delete(session));
      keepAlive(session);
    });
  }

  /** The number of its streams that are open now. */
  #count(session: ServerHttp2Session, change: number): number {
    const before = this.#sessions.get(session);
    // A stream may close after its session.
    if (before === undefined) return 0;
    const open = before + change;
    this.#sessions.set(session, open);
    if (open === 0 && this.#closing.signal.aborted) endSession(session);
    return open;
  }

  /** As a client names it. */
  get address(): string {
    const { address, port, family } = this.#server.address() as AddressInfo;
    return family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
  }

  /** Ends the open streams, waits a limited time for their last messages, and closes. */
  async close(): Promise<void> {
    this.#closing.abort(shuttingDown());
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const inner of this.#inner) inner.close();
    // Node closes idle ones only of a server that has its own port.
    for (const socket of this.#idle) socket.destroySoon();
    // Each connection ends once its streams have, so readers get the last messages.
    for (const [session, open] of this.#sessions) {
      if (!session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, LAST_STREAM_ID);
      if (open === 0) endSession(session);
    }
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, this.#lastWordsMs);
    await closed;
    clearTimeout(timer);
  }
}

/**
 * The highest possible one: no request is refused. `session.close()` would name the newest stream that has
 * arrived, and so refuse what a client is sending now. If Node 20 is about to end the body of such a request,
 * it sends empty frames without end, and its memory grows until it is killed (nodejs/node#52952).
 */
const LAST_STREAM_ID = 2 ** 31 - 1;

/** The time limit for ending streams: a busy client reads its last message late. */
const LAST_WORDS_MS = 3000;

interface PortState {
  connections: Connections;
  idle: Set<Socket>;
  shutdown: AbortSignal;
}

function listenerOf(options: PortOptions, { connections, idle, shutdown }: PortState) {
  const handler = connectNodeAdapter({
    routes: (router) => {
      routeWorld(router, options);
      routeLeases(router, options);
      routePlay(router, options);
      routeViewer(router, options);
      routeStandard(router, shutdown);
    },
    // Compressing answers would triple the processor time, including pictures.
    acceptCompression: [],
    readMaxBytes: REQUEST_BYTES,
    writeMaxBytes: LIMITS.servedMessageBytes,
  });
  return (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => {
    if (!('stream' in request)) {
      const { socket } = request;
      idle.delete(socket);
      request.once('end', () => connections.work(socket));
      response.once('close', () => {
        connections.wait(socket);
        if (!socket.destroyed) idle.add(socket);
      });
    }
    const refusal = refusedOrigin(request.headers, options);
    if (refusal !== null) return send(response, refusal.status, `${refusal.sentence}\n`);
    if (!('stream' in request)) {
      // The connection would be kept for the next request, and the server would wait for it; an HTTP/2 session
      // ends with its last stream.
      const { socket } = request;
      response.once('finish', () => {
        if (shutdown.aborted) socket.destroySoon();
      });
    }
    const [path = ''] = (request.url ?? '').split('?');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const page = isRead ? options.pages?.get(path) : undefined;
    if (options.mcp !== undefined && /^\/mcp(?:\/|$)/.test(path)) return options.mcp(request, response);
    if (page === undefined) {
      if ('stream' in request) endLateRequest(request);
      return handler(request, response);
    }
    if ('location' in page) return send(response, 307, '', { location: page.location });
    send(response, 200, request.method === 'HEAD' ? '' : page.html, {
      'content-type': 'text/html; charset=utf-8',
      ...page.headers,
    });
  };
}

/** Connect ends a call at its own deadline only once it has the request's message, which may never come in full. */
function endLateRequest(request: Http2ServerRequest): void {
  const header = request.headers['grpc-timeout']?.toString() ?? null;
  const { timeoutMs } = parseTimeout(header, LONGEST_TIMER_MS);
  if (timeoutMs === undefined || timeoutMs > LONGEST_TIMER_MS) return;
  const late = new ConnectError('the call took longer than its deadline', Code.DeadlineExceeded);
  const cancelDeadline = atDeadline(timeoutMs, () => request.destroy(late));
  for (const event of ['end', 'close', 'error']) request.once(event, cancelDeadline);
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

function send(
  response: ServerResponse | Http2ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** By its first bytes: HTTP/2 begins with a preface with which no HTTP/1.1 request begins. */
function routeByProtocol(socket: Socket, http1: Http1Server, http2: Http2Server): void {
  const cancelDeadline = atDeadline(FIRST_BYTE_MS, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.once('close', cancelDeadline);
  socket.once('readable', () => {
    cancelDeadline();
    const firstBytes = socket.read() as Buffer | null;
    if (firstBytes === null) return;
    socket.unshift(firstBytes);
    const isHttp2 = firstBytes.subarray(0, 3).equals(Buffer.from('PRI'));
    (isHttp2 ? http2 : http1).emit('connection', socket);
  });
}

/**
 * Disconnects once everything is sent: Node writes what a session has to send before it calls `setImmediate`.
 */
function endSession(session: ServerHttp2Session): void {
  setImmediate(() => {
    if (!session.destroyed) session.socket.destroySoon();
  });
}

/** Disconnects a client that is gone or hangs without closing. */
function keepAlive(session: ServerHttp2Session): void {
  const timer = setInterval(() => {
    // Destroyed but not closed yet: there is no client to ping.
    if (session.destroyed) return;
    const cancelDeadline = atDeadline(PONG_MS, () => session.destroy());
    if (!session.ping(cancelDeadline)) cancelDeadline();
  }, PING_MS);
  session.on('close', () => clearInterval(timer));
  session.on('error', () => undefined);
}
