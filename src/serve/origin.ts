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
  const requestedHost = String(headers[':authority'] ?? headers.host ?? '');
  if (origin !== undefined && !isSameSite(origin, requestedHost))
    return 'requests from other sites are refused';
  const name = requestedHost.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (isLoopback(host) && name !== '' && !isLoopback(name))
    return 'this server answers only requests to its own host name';
  return null;
}

function isSameSite(origin: string, requestedHost: string): boolean {
  return origin === `http://${requestedHost}` || origin === `https://${requestedHost}`;
}

export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
