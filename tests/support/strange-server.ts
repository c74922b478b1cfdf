/** Servers that a client of the API should not trust: they answer with what a test says, or with nothing. All end with the test file. */
import { createServer as createHttp2 } from 'node:http2';
import type { ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { create, toBinary } from '@bufbuild/protobuf';
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { afterAll } from 'vitest';
import { LeaseSchema } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';

const closing: (() => void)[] = [];
afterAll(() => closing.forEach((close) => close()));

export const closeLater = (close: () => void): void => void closing.push(close);

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that does this with each connection. */
export function tcp(serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  closing.push(() => sockets.forEach((socket) => socket.destroy()));
  return listening(
    createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      serve(socket);
    }),
  );
}

/** The bytes of a message in gRPC's frame. */
export function framed<T extends DescMessage>(schema: T, init: MessageInitShape<T>): Buffer {
  const bytes = toBinary(schema, create(schema, init));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

export type Answer = (stream: ServerHttp2Stream) => void;

/** Ends a call well, after these messages. */
export const messages =
  (...sent: readonly Buffer[]): Answer =>
  (stream) => {
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.concat(sent));
  };

export const LEASE = { lease: 'x'.repeat(32), entity: 'monk', epoch: 1n, ttl: { seconds: 10n } };

/** A server with its own idea of what to answer, by method. */
export async function answering(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const server = createHttp2();
  server.on('stream', (stream, headers) => {
    const method = String(headers[':path']).split('/').at(-1) ?? '';
    asked.push(method);
    stream.on('error', () => undefined).resume();
    (answers[method] ?? messages(framed(LeaseSchema, LEASE)))(stream);
  });
  return { asked, address: await listening(server) };
}

/** Says nothing after these messages. */
export const begun =
  (...sent: readonly Buffer[]): Answer =>
  (stream) => {
    stream.respond({ 'content-type': 'application/grpc' });
    if (sent.length > 0) stream.write(Buffer.concat(sent));
  };
