/**
 * Limits the number of connections to the page's server, so that slow clients can't keep others out. It
 * records for each socket whether the server or the client must act next. At one connection too many, it
 * closes the one whose client has kept the server waiting for the longest time.
 */
import type { Socket } from 'node:net';
import { LIMITS } from '../base/limits.js';

export class PageConnections {
  readonly #open = new Set<Socket>();
  /**
   * Sockets whose client must send its request or read its answer; the one that waits longest comes first.
   */
  readonly #waiting = new Set<Socket>();

  /** Registers a new connection. */
  admit(socket: Socket): void {
    this.#open.add(socket);
    this.#waiting.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (this.#open.size <= LIMITS.pageConnections) return;
    const [longest = socket] = this.#waiting;
    this.#forget(longest);
    longest.destroy();
  }

  /** The server is working on an answer, for as long as it takes. */
  work(socket: Socket): void {
    this.#waiting.delete(socket);
  }

  /** The client must act next. */
  wait(socket: Socket): void {
    this.#waiting.delete(socket);
    if (this.#open.has(socket)) this.#waiting.add(socket);
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#waiting.delete(socket);
  }
}
