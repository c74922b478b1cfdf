/**
 * MCP over this process's standard streams, for clients that start a program: every message goes to the `/mcp` of a served
 * world and back unchanged, so the seat outlives the process.
 */
import { request as httpsRequest } from 'node:https';
import { Readable, Writable } from 'node:stream';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FetchLike, JSONRPCMessage } from '@modelcontextprotocol/client';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { CAPABILITIES, SERVER_INFO } from './server-info.js';
import type { ClientCertificates, WorldAddress } from '../serve/client/world-client.js';

/** Where the messages go. */
export interface SeatAddress {
  /** Of the seat: `http://127.0.0.1:50051/mcp/knight`. */
  url: URL;
  world: WorldAddress;
}

export interface StdioOptions {
  /**
   * Called at the first message that needs the world: a client of the newest protocol may start a process only to ask which
   * protocol it speaks.
   */
  open: () => Promise<SeatAddress>;
  input: Readable;
  /** Takes whole lines. */
  write: (text: string) => unknown;
}

/** Resolves once the client has closed the input, or the signal is aborted. */
export async function relayStdio({ open, input, write }: StdioOptions, signal: AbortSignal): Promise<void> {
  const output = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      write(text);
      done();
    },
  });
  const client = new StdioServerTransport(input, output);
  /** The way to the world, and before it is open to a server that says no more than what it is. */
  const way = async (transport: StreamableHTTPClientTransport): Promise<StreamableHTTPClientTransport> => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no other way
    transport.onmessage = (message) => {
      const version = negotiatedVersion(message);
      if (version !== null) transport.setProtocolVersion(version);
      // The client may have gone.
      client.send(message).catch(() => undefined);
    };
    await transport.start();
    return transport;
  };
  const bare = createMcpHandler(() => new Server(SERVER_INFO, { capabilities: CAPABILITIES }));
  const toBare = await way(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: (url, init) => bare.fetch(new Request(url, init)),
    }),
  );
  const ways: { toWorld?: Promise<StreamableHTTPClientTransport> } = {};
  const opened = async (): Promise<StreamableHTTPClientTransport> => {
    const { url, world } = await open();
    const { token, certificates = null } = world;
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    const secured = certificates === null ? {} : { fetch: fetchWith(certificates) };
    return way(new StreamableHTTPClientTransport(url, { ...secured, requestInit: { headers } }));
  };
  const forward = async (message: JSONRPCMessage): Promise<void> => {
    const isProbe = ways.toWorld === undefined && 'method' in message && message.method === 'server/discover';
    const transport = isProbe ? toBare : await (ways.toWorld ??= opened());
    await transport.send(message);
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the same
  client.onmessage = (message) => {
    forward(message).catch((error: unknown) => {
      if (!('method' in message && 'id' in message)) return;
      const words = error instanceof Error ? error.message : String(error);
      const failure = {
        code: INTERNAL_ERROR,
        message: `the served world does not answer (${words}): the run is over, or its server was stopped`,
      };
      client.send({ jsonrpc: '2.0', id: message.id, error: failure }).catch(() => undefined);
    });
  };
  const over = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await client.start();
  await over;
  await toBare.close();
  await ways.toWorld?.then((transport) => transport.close()).catch(() => undefined);
  await client.close();
}

const INTERNAL_ERROR = -32_603;

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
