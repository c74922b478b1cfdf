/**
 * Limits the number of connections to a server, so that slow clients can't keep others out. It records for
 * each connection whether the server or the client must act next. At one connection too many, it closes the
 * one whose client has kept the server waiting for the longest time; if none has, the new one.
 */
import type { Socket } from 'node:net';

/** By this a socket is recognised, also beneath TLS or a session of HTTP/2, which have sockets of their own. */
type Peer = Partial<Pick<Socket, 'remoteAddress' | 'remotePort'>>;

export class Connections {
  readonly #limit: number;
  readonly #open = new Map<string, Socket>();
  /** Those whose client must send its request or read its answer; the one that waits longest comes first. */
  readonly #waiting = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Registers a new connection. */
  admit(socket: Socket): void {
    const key = keyOf(socket);
    this.#open.set(key, socket);
    this.#waiting.add(key);
    // By then the socket no longer knows its peer, and another may have the same.
    socket.once('close', () => {
      if (this.#open.get(key) === socket) this.#forget(key);
    });
    if (this.#open.size <= this.#limit) return;
    const [longest = key] = this.#waiting;
    const closing = this.#open.get(longest);
    this.#forget(longest);
    closing?.destroy();
  }

  /** The server is working on an answer, for as long as it takes. */
  work(peer: Peer): void {
    this.#waiting.delete(keyOf(peer));
  }

  /** The client must act next. */
  wait(peer: Peer): void {
    const key = keyOf(peer);
    this.#waiting.delete(key);
    if (this.#open.has(key)) this.#waiting.add(key);
  }

  #forget(key: string): void {
    this.#open.delete(key);
    this.#waiting.delete(key);
  }
}

function keyOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}
