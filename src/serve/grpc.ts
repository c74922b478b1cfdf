/**
 * gRPC for the calls of every tick, without the pipeline of all other calls: a request with one message, an
 * answer with one message or a stream. Connect's own pipeline takes seven times the processor time for an
 * intent (docs/explanation/performance.md). Connect handles everything unusual: other protocols, JSON,
 * compression. In: HTTP/2 streams, without the request and response objects that Node makes of them; out:
 * bytes of messages, and a status at the end.
 */
import { Code, ConnectError } from '@connectrpc/connect';
import { parseTimeout, setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { statusOf } from './services/failures.js';

/**
 * What a method needs of a call: the header with the principal's token, and a signal that ends with the call.
 */
export interface GrpcCall {
  readonly header: Pick<Headers, 'get'>;
  readonly signal: AbortSignal;
}

/**
 * From the request's bytes to those of the answer, each of which begins with `FRAME_BYTES` unused bytes. A
 * thrown error becomes the call's status.
 */
export type GrpcMethod = (
  message: Uint8Array,
  call: GrpcCall,
) => Promise<Uint8Array> | AsyncIterable<Uint8Array>;

export interface GrpcLimits {
  readonly requestBytes: number;
  readonly answerBytes: number;
}

/** The header of each message: whether it is compressed, and its length. */
export const FRAME_BYTES = 5;

const PLAIN = /^application\/grpc(?:\+proto)?$/;

/** Null: Connect handles the call. */
export function grpcMethod(
  headers: IncomingHttpHeaders,
  methods: ReadonlyMap<string, GrpcMethod>,
): GrpcMethod | null {
  const isPlain =
    PLAIN.test(headers['content-type'] ?? '') && (headers['grpc-encoding'] ?? 'identity') === 'identity';
  return headers[':method'] === 'POST' && isPlain ? (methods.get(headers[':path'] ?? '') ?? null) : null;
}

/** A call: its stream, and the headers with which it began. */
export interface GrpcStream {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
}

export async function answerGrpc(
  method: GrpcMethod,
  { stream, headers }: GrpcStream,
  limits: GrpcLimits,
): Promise<void> {
  const callEnd = new CallEnd();
  stream.once('close', () => callEnd.end(GONE));
  // A reset needs no answer.
  stream.on('error', () => undefined);
  let deadline: NodeJS.Timeout | undefined;
  let trailers: OutgoingHttpHeaders = DONE;
  let lastMessage: Uint8Array | null = null;
  try {
    deadline = deadlineOf(headers, () => callEnd.end(LATE));
    const body = callEnd.unlessEnded(bodyOf(stream, limits.requestBytes + FRAME_BYTES));
    const message = onlyMessage(await body, limits);
    const answer = method(message, {
      header: headerOf(headers),
      get signal() {
        return callEnd.signal;
      },
    });
    lastMessage = await writeAnswer(answer, { stream, limits, callEnd });
    callEnd.throwIfEnded();
  } catch (error) {
    trailers = Object.fromEntries(setTrailerStatus(new Headers(), statusOf(error)));
  } finally {
    clearTimeout(deadline);
  }
  if (stream.destroyed || stream.closed || callEnd.reason === GONE) return;
  sendHeaders(stream);
  stream.once('wantTrailers', () => stream.sendTrailers(trailers));
  if (lastMessage === null) stream.end();
  else stream.end(lastMessage);
}

function sendHeaders(stream: ServerHttp2Stream): void {
  if (!stream.headersSent) stream.respond(HEADERS, { waitForTrailers: true });
}

/**
 * Whether the client or the deadline has ended a call. Few calls need a signal, and each costs as much as a
 * message.
 */
class CallEnd {
  #reason: ConnectError | null = null;
  #signal: AbortController | null = null;
  #reject: (reason: ConnectError) => void = () => undefined;

  get reason(): ConnectError | null {
    return this.#reason;
  }

  get signal(): AbortSignal {
    this.#signal ??= new AbortController();
    if (this.#reason !== null) this.#signal.abort(this.#reason);
    return this.#signal.signal;
  }

  end(reason: ConnectError): void {
    this.#reason ??= reason;
    this.#signal?.abort(this.#reason);
    this.#reject(this.#reason);
  }

  throwIfEnded(): void {
    if (this.#reason !== null) throw this.#reason;
  }

  /** The promise's value; rejects with the reason as soon as the call ends. */
  unlessEnded<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#reason !== null) reject(this.#reason);
      promise.then(resolve, reject);
    });
  }
}

interface GrpcOutput {
  readonly stream: ServerHttp2Stream;
  readonly limits: GrpcLimits;
  readonly callEnd: CallEnd;
}

/**
 * Writes a stream's messages, or returns the only one, which is sent together with the end of the response.
 */
async function writeAnswer(
  answer: ReturnType<GrpcMethod>,
  { stream, limits, callEnd }: GrpcOutput,
): Promise<Uint8Array | null> {
  if (!(Symbol.asyncIterator in answer)) return withFrame(await callEnd.unlessEnded(answer), limits);
  for await (const message of answer) {
    callEnd.throwIfEnded();
    sendHeaders(stream);
    if (!stream.write(withFrame(message, limits))) await untilDrained(stream, callEnd);
  }
  return null;
}

/**
 * The client's own time limit, after which it stops waiting. A limit that is too long for a timer is ignored.
 */
function deadlineOf(headers: IncomingHttpHeaders, onTimeout: () => void): NodeJS.Timeout | undefined {
  const { timeoutMs, error } = parseTimeout(headers['grpc-timeout']?.toString() ?? null, LONGEST_TIMEOUT_MS);
  if (timeoutMs === undefined && error !== undefined) throw error;
  return timeoutMs === undefined || timeoutMs > LONGEST_TIMEOUT_MS
    ? undefined
    : setTimeout(onTimeout, timeoutMs);
}

const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The reason why no one is waiting for an answer any more. */
const GONE = new ConnectError('the client ended the call', Code.Canceled);
const LATE = new ConnectError('the call took longer than its deadline', Code.DeadlineExceeded);
const DONE = { 'grpc-status': '0' };
const HEADERS = { 'content-type': 'application/grpc+proto' };

function headerOf(headers: IncomingHttpHeaders): GrpcCall['header'] {
  return {
    get: (name) => {
      const value = headers[name];
      return typeof value === 'string' ? value : null;
    },
  };
}

/** Rejects if the body is too long or incomplete. */
function bodyOf(stream: ServerHttp2Stream, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    stream.on('data', (part: Buffer) => {
      length += part.length;
      if (length <= limit) parts.push(part);
      else reject(tooLong(length - FRAME_BYTES, limit - FRAME_BYTES));
    });
    stream.once('end', () =>
      resolve(parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts)),
    );
    stream.once('close', () => reject(GONE));
    stream.once('error', () => reject(GONE));
  });
}

function tooLong(bytes: number, limit: number): ConnectError {
  return new ConnectError(`the message has ${bytes} bytes; the maximum is ${limit}`, Code.ResourceExhausted);
}

/** The request's message; throws if there is not exactly one. */
function onlyMessage(body: Buffer, { requestBytes }: GrpcLimits): Uint8Array {
  if (body.length < FRAME_BYTES) throw new ConnectError('the request has no message', Code.InvalidArgument);
  const length = body.readUInt32BE(1);
  if (length > requestBytes) throw tooLong(length, requestBytes);
  if (body[0] !== 0)
    throw new ConnectError('the message is compressed, but its encoding is not given', Code.Internal);
  if (length !== body.length - FRAME_BYTES)
    throw new ConnectError(
      `the message should have ${length} bytes, but has ${body.length - FRAME_BYTES}`,
      Code.InvalidArgument,
    );
  return body.subarray(FRAME_BYTES);
}

function withFrame(bytes: Uint8Array, { answerBytes }: GrpcLimits): Uint8Array {
  const length = bytes.length - FRAME_BYTES;
  if (length > answerBytes) throw tooLong(length, answerBytes);
  bytes[0] = 0;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(1, length);
  return bytes;
}

/**
 * Resolves when the client has read everything that is buffered; rejects if the client is gone. The signal
 * lasts as long as the stream, so listeners must be removed from it.
 */
function untilDrained(stream: ServerHttp2Stream, callEnd: CallEnd): Promise<void> {
  return callEnd.unlessEnded(new Promise((resolve) => stream.once('drain', resolve)));
}
