/**
 * Where odd servers listen: one real socket on loopback, whose connections all behave alike. In: a behaviour and which requests meet it; out: an address,
 * and what became of the sockets at the client's end.
 */
import { subscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { OddServer } from './odd-servers.js';

/** Those that the behaviour is for; all others are answered well. */
export type OddRequests = 'all' | 'POST' | 'GET';

export interface OddHost {
  baseUrl: string;
  /** Sockets to it at the client's end that still keep a process alive. */
  kept: () => number;
  /** Those that are there at all. */
  open: () => number;
  close: () => Promise<void>;
}

const MODELS = { object: 'list', data: [{ id: 'm', object: 'model', owned_by: 'odd' }] };
const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'ACTION: WAIT' },
      finish_reason: 'stop',
      logprobs: null,
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

function goodFor(head: string): { status: string; body: string } {
  if (head.startsWith('POST')) return { status: '200 OK', body: JSON.stringify(COMPLETION) };
  if (/^GET \S*\/models /.test(head)) return { status: '200 OK', body: JSON.stringify(MODELS) };
  return { status: '404 Not Found', body: '{"error":{"message":"no such path"}}' };
}

export async function hostOdd(odd: OddServer, requests: OddRequests): Promise<OddHost> {
  const ends = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    ends.add(socket);
    socket.on('error', () => undefined).on('close', () => ends.delete(socket));
    onRequest(socket, (head) => {
      const { status, body } = goodFor(head);
      if (requests === 'all' || head.startsWith(requests)) {
        if (!odd.readsRequest) socket.pause();
        void odd.answer(socket, body);
      } else socket.write(`HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clients = new Set<Socket>();
  clientSockets.set(port, clients);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    open: () => [...clients].filter((socket) => !socket.destroyed).length,
    kept: () => [...clients].filter(holdsProcess).length,
    close: async () => {
      clientSockets.delete(port);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of ends) socket.destroy();
      await closed;
    },
  };
}

/** Calls back with each request's head; bodies are passed over. A client that is gone is none. */
function onRequest(socket: Socket, call: (head: string) => void): void {
  let unread = '';
  let bodyLeft = 0;
  socket.on('end', () => socket.end());
  socket.on('data', (data: Buffer) => {
    unread += data.toString('latin1');
    for (;;) {
      const skipped = Math.min(bodyLeft, unread.length);
      unread = unread.slice(skipped);
      bodyLeft -= skipped;
      const end = unread.indexOf('\r\n\r\n');
      if (bodyLeft > 0 || end < 0) return;
      const head = unread.slice(0, end);
      unread = unread.slice(end + 4);
      bodyLeft = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      call(head);
    }
  });
}

/** All sockets that this process has opened, by the port that they lead to. */
const clientSockets = new Map<number, Set<Socket>>();

subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  socket.once('connect', () => clientSockets.get(socket.remotePort ?? 0)?.add(socket));
});

/** Node tells this of a handle only. */
function holdsProcess(socket: Socket): boolean {
  const { _handle: handle } = socket as unknown as { _handle: { hasRef(): boolean } | null };
  return handle?.hasRef() === true;
}
