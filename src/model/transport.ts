/**
 * One HTTP exchange: it sends a request and returns a whole body of limited size. It replaces Node's `fetch`,
 * whose five-minute limit can only be extended with another package (docs/decisions/0006). It knows nothing
 * about chat. Redirects are not followed, so a key is never sent to another host; reading stops at the byte
 * limit; another protocol (101) is not an answer. Sockets are kept for a minute between calls, and if the
 * server has closed one meanwhile, it is replaced once. In HTTP/1.1, whatever arrives next on a connection
 * counts as the answer to the last request, so a connection is reused only after a good answer with nothing
 * after it.
 */
import type http from 'node:http';
import { urlToHttpOptions } from 'node:url';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** The maximum length of the answer; a longer answer is discarded and refused. */
  readonly bytesMax: number;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Transport {
  /** Throws TransportError, at once if the signal is aborted, and closes the socket. */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
  /** Closes every socket. */
  close(): void;
}

/**
 * No complete answer arrived. `code` is Node's (`ECONNREFUSED` …) or one of ours: `CUT`, `TOO_LARGE`,
 * `UNANSWERED`, `ABORTED`.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const KEEP_ALIVE_MS = 60_000;
const NEVER_ANSWERED = new Set(['ECONNRESET', 'EPIPE']);

/** One of Node's two modules, with the sockets that it keeps. */
interface HttpClient {
  readonly request: typeof http.request;
  readonly agent: http.Agent;
}

interface HttpClients {
  readonly plain: HttpClient;
  readonly secure: HttpClient;
}

/** Over node:http and node:https. Its idle sockets don't keep the program alive. */
export function nodeTransport(): Transport {
  let clients: HttpClients | null = null;
  const send: Transport['send'] = async (request, signal) => {
    const { plain, secure } = (clients ??= loadClients());
    const client = request.url.startsWith('https:') ? secure : plain;
    await drainPendingInput();
    const first = await exchange(request, client, signal);
    // The server closed the kept socket while we wrote to it: nothing was answered, so the request is sent
    // once more.
    const last = first === 'stale' ? await exchange(request, { ...client, agent: false }, signal) : first;
    if (last === 'stale') throw new TransportError('ECONNRESET', 'the connection was reset');
    return last;
  };
  const close = (): void => {
    clients?.plain.agent.destroy();
    clients?.secure.agent.destroy();
  };
  return { send, close };
}

/**
 * At the first request, because most commands send none. An `import` would also load Node's `fetch`, which these
 * modules export something of: in 30 ms, and on Node 22 not at all where nothing may be compiled (`--jitless`).
 */
function loadClients(): HttpClients {
  const plain = process.getBuiltinModule('node:http');
  const secure = process.getBuiltinModule('node:https');
  const options = { keepAlive: true, timeout: KEEP_ALIVE_MS };
  return {
    plain: { request: plain.request, agent: new plain.Agent(options) },
    secure: { request: secure.request, agent: new secure.Agent(options) },
  };
}

/**
 * Waits one turn of the event loop, so that input on idle connections is read before a new request could
 * mistake it for its answer.
 */
function drainPendingInput(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

function exchange(
  request: HttpRequest,
  client: Pick<HttpClient, 'request'> & { readonly agent: http.Agent | false },
  signal: AbortSignal,
): Promise<HttpAnswer | 'stale'> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortedError());
    const { method, headers, url, body, bytesMax } = request;
    const outgoing = client.request({ ...addressOf(url), method, headers, agent: client.agent });
    const fail = (error: TransportError): void => {
      reject(error);
      outgoing.destroy();
    };
    // A listener of our own: passing the signal to Node costs several times as much.
    const stop = (): void => fail(abortedError());
    signal.addEventListener('abort', stop, { once: true });
    let answered = false;
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? 'ERROR';
      const stale = outgoing.reusedSocket && !answered && NEVER_ANSWERED.has(code);
      if (stale) resolve('stale');
      else reject(new TransportError(code, error.message));
    });
    outgoing.on('response', (incoming) => {
      answered = true;
      if (incoming.statusCode === SWITCHED) return fail(switchedError());
      // A late answer to an abandoned request must not be taken for the next one's.
      if (incoming.statusCode !== 200) outgoing.shouldKeepAlive = false;
      receive(incoming, bytesMax, { resolve, reject });
      incoming.on('end', () => {
        // The answer arrived before the whole request was sent: the rest may never be accepted, and would
        // keep the socket open.
        if (!outgoing.writableFinished) outgoing.destroy();
      });
    });
    refuseOtherAnswers(outgoing, bytesMax, fail);
    outgoing.on('close', () => {
      signal.removeEventListener('abort', stop);
      // A connection may also close without an error.
      if (!answered) reject(new TransportError('UNANSWERED', 'it closed the connection without an answer'));
    });
    outgoing.end(body ?? undefined);
  });
}

const SWITCHED = 101;

/** Other HTTP responses: another protocol, and interim responses, which may be sent endlessly. */
function refuseOtherAnswers(
  outgoing: http.ClientRequest,
  bytesMax: number,
  fail: (error: TransportError) => void,
): void {
  outgoing.on('upgrade', (_incoming, socket) => {
    // The socket no longer belongs to the request.
    socket.destroy();
    fail(switchedError());
  });
  let size = 0;
  outgoing.on('information', ({ rawHeaders, statusMessage }) => {
    size +=
      STATUS_LINE_BYTES + statusMessage.length + rawHeaders.reduce((sum, { length }) => sum + length, 0);
    if (size > bytesMax) fail(tooLargeError(bytesMax));
  });
}

/** `HTTP/1.1 102 ` and the line ends. */
const STATUS_LINE_BYTES = 17;

function abortedError(): TransportError {
  return new TransportError('ABORTED', 'the request was abandoned');
}

function switchedError(): TransportError {
  return new TransportError('UNANSWERED', 'it answered 101 Switching Protocols, which was not requested');
}

function tooLargeError(bytesMax: number): TransportError {
  return new TransportError('TOO_LARGE', `the answer is longer than ${bytesMax} bytes`);
}

type HttpAddress = ReturnType<typeof urlToHttpOptions>;

/** The same addresses are used repeatedly, so each is parsed once. */
const addresses = new Map<string, HttpAddress>();
const CACHED_ADDRESSES_MAX = 64;

function addressOf(url: string): HttpAddress {
  const known = addresses.get(url);
  if (known !== undefined) return known;
  if (addresses.size >= CACHED_ADDRESSES_MAX) addresses.clear();
  const { protocol, hostname, port, path } = urlToHttpOptions(new URL(url));
  const address = { protocol, hostname, port, path };
  addresses.set(url, address);
  return address;
}

interface PendingAnswer {
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (error: TransportError) => void;
}

function receive(incoming: http.IncomingMessage, bytesMax: number, settle: PendingAnswer): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const onClose = (): void => {
    // Every message is closed in the end; only one without an end was truncated.
    if (!incoming.readableEnded) settle.reject(new TransportError('CUT', 'the answer was cut off'));
  };
  incoming.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= bytesMax) chunks.push(chunk);
    else {
      settle.reject(tooLargeError(bytesMax));
      incoming.destroy();
    }
  });
  incoming.on('error', onClose);
  incoming.on('close', onClose);
  // Only after the last announced byte; an answer that ends earlier has an error or is closed.
  incoming.on('end', () => {
    const status = incoming.statusCode ?? 0;
    const [first] = chunks;
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    settle.resolve({ status, headers: flattenHeaders(incoming.headers), body });
  });
}

function flattenHeaders(headers: http.IncomingHttpHeaders): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) flat[name] = String(headers[name] ?? '');
  return flat;
}
