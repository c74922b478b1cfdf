/**
 * MCP over this process's standard streams, for clients that start a program: every message goes to the `/mcp` of a served
 * world and back, so the seat outlives the process. Only here it is known whether a client had an answer before it sent its
 * next call, so a call without one says so.
 */
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FetchLike, JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/server';
import { aborted } from '../model/abort.js';
import type { ClientCertificates, WorldAddress } from '../serve/client/world-client.js';
import { SENT_UNSEEN } from './sent-unseen.js';

/** Where the messages go. */
export interface SeatAddress {
  /** Of the seat: `http://127.0.0.1:50051/mcp/knight`. */
  url: URL;
  world: WorldAddress;
}

export interface StdioOptions {
  /** Called at the first message: a client may start a process and never write to it. */
  open: () => Promise<SeatAddress>;
  input: Readable;
  /** Takes whole lines. */
  write: (text: string) => unknown;
}

/**
 * Resolves once the client has closed the input and has the answer to each of its requests, or the signal is aborted.
 */
export async function relayStdio({ open, input, write }: StdioOptions, signal: AbortSignal): Promise<void> {
  /** The requests without an answer yet. */
  const owed = new Map<RequestId, { method: string; answered: Promise<void>; settle: () => void }>();
  const settle = (id: RequestId): void => {
    owed.get(id)?.settle();
    owed.delete(id);
  };
  const ways: { toWorld?: Promise<StreamableHTTPClientTransport> } = {};
  const opened = async (): Promise<StreamableHTTPClientTransport> => {
    const { url, world } = await open();
    const { token, certificates = null } = world;
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    const secured = certificates === null ? {} : { fetch: fetchWith(certificates) };
    const transport = new StreamableHTTPClientTransport(url, { ...secured, requestInit: { headers } });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no other way
    transport.onmessage = (message) => {
      const version = negotiatedVersion(message);
      if (version !== null) transport.setProtocolVersion(version);
      write(serializeMessage(message));
      if (!('method' in message) && message.id !== undefined) settle(message.id);
    };
    await transport.start();
    return transport;
  };
  const fail = (id: RequestId, message: string): void => {
    if (!owed.has(id)) return;
    write(serializeMessage({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } }));
    settle(id);
  };
  /** The answer to `initialize`, without which the world doesn't know who calls. */
  let introduced = Promise.resolve();
  const forward = async (sent: JSONRPCMessage): Promise<void> => {
    const isUnseen =
      'method' in sent && sent.method === CALL && [...owed.values()].some(({ method }) => method === CALL);
    const message = isUnseen ? withMeta(sent, SENT_UNSEEN) : sent;
    const id = 'method' in message && 'id' in message ? message.id : null;
    const before = introduced;
    if ('method' in message && id !== null) {
      let settleIt = (): void => undefined;
      const answered = new Promise<void>((resolve) => (settleIt = resolve));
      owed.set(id, { method: message.method, answered, settle: settleIt });
      if (message.method === 'initialize') introduced = answered;
    }
    let transport: StreamableHTTPClientTransport | null = null;
    try {
      await before;
      transport = await (ways.toWorld ??= opened());
      await transport.send(message, {
        onRequestStreamEnd: () => {
          if (id !== null) fail(id, unanswered('the connection ended'));
        },
      });
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      if (id !== null) fail(id, transport === null ? words : unanswered(words));
    }
    // It gets no answer.
    if ('method' in message && message.method === 'notifications/cancelled')
      settle((message.params as { requestId: RequestId }).requestId);
  };
  const lines = new ReadBuffer();
  const over = new Promise<void>((resolve) => {
    const read = (chunk: Buffer): void => {
      try {
        lines.append(chunk);
      } catch {
        // A line beyond all limits: what follows can't be told from the rest of it.
        input.off('data', read);
        return resolve();
      }
      for (;;)
        try {
          const message = lines.readMessage();
          if (message === null) return;
          void forward(message);
        } catch {
          // A line that is no message has no id for an answer.
        }
    };
    input.on('data', read);
    // The last line may lack its end.
    input.once('end', () => read(Buffer.from('\n')));
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
  });
  await Promise.race([over, aborted(signal)]);
  await Promise.race([Promise.all([...owed.values()].map(({ answered }) => answered)), aborted(signal)]);
  await ways.toWorld?.then((transport) => transport.close()).catch(() => undefined);
}

const CALL = 'tools/call';
const INTERNAL_ERROR = -32_603;

function withMeta(message: JSONRPCMessage, key: string): JSONRPCMessage {
  const { params } = message as { params?: { _meta?: object } };
  const { _meta: meta, ...others } = params ?? {};
  return { ...message, params: { ...others, _meta: { ...meta, [key]: true } } };
}

function unanswered(why: string): string {
  return `the served world does not answer (${why}): the run is over, or its server was stopped`;
}

/** The version in the answer to `initialize`, which the earlier protocol repeats in a header of each request. */
function negotiatedVersion(message: JSONRPCMessage): string | null {
  const result: unknown = 'result' in message ? message.result : null;
  const { protocolVersion } = Object(result ?? null) as { protocolVersion?: unknown };
  return typeof protocolVersion === 'string' ? protocolVersion : null;
}

/** Node's own `fetch` takes no certificates. */
function fetchWith({ ca, own }: ClientCertificates): FetchLike {
  return async (url, init) => {
    const { method, headers, signal, body } = new Request(url, { ...init, duplex: 'half' });
    const bytes = body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer());
    return new Promise((resolve, reject) => {
      const options = {
        method,
        headers: Object.fromEntries(headers),
        signal,
        ...(ca === null ? {} : { ca }),
        ...own,
      };
      const sent = httpsRequest(url, options, (answer) => {
        const { statusCode: status = 500, headers: received } = answer;
        const answerHeaders = Object.entries(received).map(
          ([name, value]) => [name, String(value)] as [string, string],
        );
        const isEmpty = status === 204 || status === 304;
        resolve(
          new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream), {
            status,
            headers: answerHeaders,
          }),
        );
      });
      sent.once('error', reject);
      sent.end(bytes);
    });
  };
}
