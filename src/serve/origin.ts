/**
 * Whether a browser's request may be answered: pages of other sites must not reach a server on this machine,
 * not even through a host name that resolves to it. Programs send neither an Origin nor a foreign Host, so
 * this does not affect them.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** The names under which a server may be asked. */
export interface HostNames {
  /** The address that the server listens on. */
  host: string;
  /** Other names that lead to it, as through a proxy. */
  allowedHosts?: readonly string[];
}

/** Why a request is not answered, for its sender. */
export interface RefusedRequest {
  status: 400 | 403;
  sentence: string;
}

/** Null if the request may be answered. */
export function refusedOrigin(
  headers: IncomingHttpHeaders,
  { host, allowedHosts = [] }: HostNames,
): RefusedRequest | null {
  const { origin } = headers;
  const requestedHost = String(headers[':authority'] ?? headers.host ?? '');
  // Other characters would end the host name within an address.
  if (/[\s/?#@\\]/.test(requestedHost) || !URL.canParse(`http://${requestedHost}`))
    return { status: 400, sentence: 'the request names no host that can be read' };
  const isAllowed = (name: string): boolean => allowedHosts.includes(name.toLowerCase());
  if (origin !== undefined && !isSameSite(origin, requestedHost) && !isAllowed(hostNameOf(origin)))
    return { status: 403, sentence: 'requests from other sites are refused' };
  const name = nameOf(requestedHost);
  if (!isLoopback(host) || isLoopback(name) || isAllowed(name)) return null;
  return {
    status: 403,
    sentence: `this server answers only requests to its own host name; if a proxy leads to it under another one, start it with --allow-host ${/^[\w.-]+$/.test(name) ? name : 'NAME'}`,
  };
}

function isSameSite(origin: string, requestedHost: string): boolean {
  return origin === `http://${requestedHost}` || origin === `https://${requestedHost}`;
}

/** The empty text for an origin without one, such as `null`. */
function hostNameOf(origin: string): string {
  return nameOf(/^https?:\/\/(.*)$/.exec(origin)?.[1] ?? '');
}

/** Without the port, and without the brackets of IPv6. */
function nameOf(requestedHost: string): string {
  return requestedHost.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
