/**
 * One HTTP exchange: it sends a request and returns a whole body of limited size. It is used in place of Node's
 * `fetch`, which gives up after five minutes, and of undici (docs/decisions/0026). Redirects are not followed, so a key is never sent to another host; reading stops at the byte
 * limit; another protocol (101) is not an answer. Sockets are kept for a minute between calls, and if the
 * server has closed one meanwhile, it is replaced once. In HTTP/1.1, whatever arrives next on a connection
 * counts as the answer to the last request, so a connection is reused only after a good answer with nothing
 * after it.
 */
import type http from 'node:http';
import type https from 'node:https';

export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | null;
  /** The maximum length of the answer; a longer answer is discarded and refused. */
  bytesMax: number;
}

export interface HttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
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
/** `HTTP/1.1 102 ` and the line ends. */
const STATUS_LINE_BYTES = 17;

/** Over node:http and node:https. Its idle sockets don't keep the program alive. */
export function nodeTransport(): Transport {
  const agents = new Map<typeof http | typeof https, http.Agent>();
  const send: Transport['send'] = async (request, signal) => {
    // At the first request, because most commands send none. An `import` would also load Node's `fetch`, which
    // these modules export something of, and on Node 22 fail where nothing may be compiled (`--jitless`).
    const isSecure = request.url.startsWith('https:');
    const module = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http');
    const agent = agents.get(module) ?? new module.Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS });
    agents.set(module, agent);
    // Input on idle connections is read before a new request could mistake it for its answer.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const first = await exchange(request, module.request, agent, signal);
    // The server closed the kept socket while we wrote to it: nothing was answered, so the request is sent
    // once more.
    const last = first === 'stale' ? await exchange(request, module.request, false, signal) : first;
    if (last === 'stale') throw new TransportError('ECONNRESET', 'the connection was reset');
    return last;
  };
  const close = (): void => {
    for (const agent of agents.values()) agent.destroy();
  };
  return { send, close };
}

function exchange(
  { method, url, headers, body, bytesMax }: HttpRequest,
  open: typeof http.request,
  agent: http.Agent | false,
  signal: AbortSignal,
): Promise<HttpAnswer | 'stale'> {
  return new Promise((resolve, reject) => {
    const abandoned = new TransportError('ABORTED', 'the request was abandoned');
    if (signal.aborted) return reject(abandoned);
    const outgoing = open(url, { method, headers, agent });
    const fail = (error: TransportError): void => {
      reject(error);
      outgoing.destroy();
    };
    const stop = (): void => fail(abandoned);
    const failAsSwitched = (): void =>
      fail(new TransportError('UNANSWERED', 'it answered 101 Switching Protocols, which was not requested'));
    const failAsTooLarge = (): void =>
      fail(new TransportError('TOO_LARGE', `the answer is longer than ${bytesMax} bytes`));
    signal.addEventListener('abort', stop, { once: true });
    let isAnswered = false;
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? 'ERROR';
      if (outgoing.reusedSocket && !isAnswered && NEVER_ANSWERED.has(code)) resolve('stale');
      else reject(new TransportError(code, error.message));
    });
    outgoing.on('upgrade', (_incoming, socket) => {
      // The socket no longer belongs to the request.
      socket.destroy();
      failAsSwitched();
    });
    // Interim responses may be sent endlessly.
    let interimBytes = 0;
    outgoing.on('information', ({ rawHeaders, statusMessage }) => {
      interimBytes += STATUS_LINE_BYTES + statusMessage.length + rawHeaders.join('').length;
      if (interimBytes > bytesMax) failAsTooLarge();
    });
    outgoing.on('response', (incoming) => {
      isAnswered = true;
      const { statusCode: status = 0 } = incoming;
      if (status === 101) return failAsSwitched();
      // A late answer to an abandoned request must not be taken for the next one's.
      if (status !== 200) outgoing.shouldKeepAlive = false;
      const chunks: Uint8Array[] = [];
      let size = 0;
      incoming.on('data', (chunk: Uint8Array) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > bytesMax) failAsTooLarge();
      });
      const failAsCut = (): void => reject(new TransportError('CUT', 'the answer was cut off'));
      incoming.on('error', failAsCut);
      // Every message is closed in the end; one without an end was truncated.
      incoming.on('close', failAsCut);
      incoming.on('end', () => {
        const named = Object.entries(incoming.headers).map(([name, value]) => [name, String(value ?? '')]);
        resolve({ status, headers: Object.fromEntries(named), body: Buffer.concat(chunks) });
        // The answer arrived before the whole request was sent: the rest may never be accepted, and would
        // keep the socket open.
        if (!outgoing.writableFinished) outgoing.destroy();
      });
    });
    outgoing.on('close', () => {
      signal.removeEventListener('abort', stop);
      // A connection may also close without an error.
      if (!isAnswered) reject(new TransportError('UNANSWERED', 'it closed the connection without an answer'));
    });
    outgoing.end(body ?? undefined);
  });
}
