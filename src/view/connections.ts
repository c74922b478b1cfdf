/**
 * The connections of the page's server: limits their number, and prevents those that wait for their client
 * from keeping another client out. In: sockets, and who must act next on each; out: nothing. If there is one
 * too many, the connection is closed whose client has let the server wait for the longest time.
 */
import type { Socket } from 'node:net';
import { LIMITS } from '../base/limits.js';

export class PageConnections {
  readonly #open = new Set<Socket>();
  /** Those whose client has to send its request or to take its answer, since when by their order. */
  readonly #waiting = new Set<Socket>();

  /** A client has come. */
  admit(socket: Socket): void {
    this.#open.add(socket);
    this.#waiting.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (this.#open.size <= LIMITS.pageConnections) return;
    const [longest = socket] = this.#waiting;
    this.#forget(longest);
    longest.destroy();
  }

  /** It is the server's turn: its work may take as long as it does. */
  work(socket: Socket): void {
    this.#waiting.delete(socket);
  }

  /** It is the client's turn. */
  wait(socket: Socket): void {
    this.#waiting.delete(socket);
    if (this.#open.has(socket)) this.#waiting.add(socket);
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#waiting.delete(socket);
  }
}
