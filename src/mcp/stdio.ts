/**
 * MCP over this process's standard streams, for clients that start a program: every message goes to the `/mcp` of a served
 * world and back unchanged, so the seat outlives the process.
 */
import { request as httpsRequest } from 'node:https';
import { Readable, Writable } from 'node:stream';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FetchLike, JSONRPCMessage } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { ClientCertificates, WorldAddress } from '../serve/client/world-client.js';

export interface StdioOptions {
  /** Of the seat: `http://127.0.0.1:50051/mcp/knight`. */
  url: URL;
  world: WorldAddress;
  input: Readable;
  /** Takes whole lines. */
  write: (text: string) => unknown;
}

/** Resolves once the client has closed the input, or the signal is aborted. */
export async function relayStdio(options: StdioOptions, signal: AbortSignal): Promise<void> {
  const { url, input, write } = options;
  const { token, certificates = null } = options.world;
  const output = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      write(text);
      done();
    },
  });
  const client = new StdioServerTransport(input, output);
  const world = new StreamableHTTPClientTransport(url, {
    ...(certificates === null ? {} : { fetch: fetchWith(certificates) }),
    requestInit: { headers: token === null ? {} : { authorization: `Bearer ${token}` } },
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no other way
  client.onmessage = (message) => {
    world.send(message).catch((error: unknown) => {
      if (!('method' in message && 'id' in message)) return;
      const { id } = message;
      const words = error instanceof Error ? error.message : String(error);
      void client.send({
        jsonrpc: '2.0',
        id,
        error: { code: INTERNAL_ERROR, message: `the served world: ${words}` },
      });
    });
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the same
  world.onmessage = (message) => {
    const version = negotiatedVersion(message);
    if (version !== null) world.setProtocolVersion(version);
    void client.send(message);
  };
  const over = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await world.start();
  await client.start();
  await over;
  await world.close();
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
