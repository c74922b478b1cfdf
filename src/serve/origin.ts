/**
 * Whether a browser's request may be answered: pages of other sites must not reach a server on this machine,
 * not even through a host name that resolves to it. Programs send neither an Origin nor a foreign Host, so
 * this does not affect them.
 */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * The reason for a refusal, in a sentence; null if there is none. `host`: the address that the server listens
 * on.
 */
export function refusedOrigin(headers: IncomingHttpHeaders, host: string): string | null {
  const { origin } = headers;
  const asked = String(headers[':authority'] ?? headers.host ?? '');
  if (origin !== undefined && !isOwn(origin, asked)) return 'requests from other sites are refused';
  const name = asked.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (isLoopback(host) && name !== '' && !isLoopback(name))
    return 'this server answers only requests to its own host name';
  return null;
}

function isOwn(origin: string, asked: string): boolean {
  return origin === `http://${asked}` || origin === `https://${asked}`;
}

export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
