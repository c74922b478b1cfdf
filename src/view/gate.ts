/**
 * Who may ask the page's server for what: one pure function over a request's head. Another site's script can make a browser send requests
 * here, and by a name that it lets point at this machine even read the answers; so the Host is compared letter by letter, the Origin and the
 * browser's own word on where a request comes from are heeded, and data takes a token that no other page knows.
 */
import { createHash, timingSafeEqual } from 'node:crypto';

/** A request before its body: the method, the target as it stood, and the headers as they came, name and value in turn. */
export interface Asked {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
}

export interface GateRules {
  /** The only Host that is answered: `127.0.0.1:PORT`. */
  readonly host: string;
  readonly token: string;
}

/** What is to be answered. `data`: the parts from the one with this number on. */
export type Verdict =
  | { readonly kind: 'page' }
  | { readonly kind: 'data'; readonly from: number }
  | { readonly kind: 'refused'; readonly status: 400 | 401 | 403 | 404 | 405 };

/** The targets that there are are compared as they stand: nothing is decoded, and no part of one becomes a path. */
export function judge({ method, target, rawHeaders }: Asked, { host, token }: GateRules): Verdict {
  const all = (name: string) =>
    rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
  const refused = (status: 400 | 401 | 403 | 404 | 405): Verdict => ({ kind: 'refused', status });
  const [hosts, origins, sites] = [all('host'), all('origin'), all('sec-fetch-site')];
  if (hosts.length !== 1) return refused(400);
  if (hosts[0] !== host) return refused(403);
  if (method !== 'GET') return refused(405);
  const hasBody = all('content-length').length > 0 || all('transfer-encoding').length > 0;
  if (hasBody || all('upgrade').length > 0) return refused(400);
  if (origins.some((origin) => origin !== `http://${host}`)) return refused(403);
  const isOwn = sites.every((site) => site === 'same-origin' || site === 'none');
  if (target === '/') return isOwn || isOpened(all) ? { kind: 'page' } : refused(403);
  const [, from] = /^\/data\?from=(\d{1,9})$/.exec(target) ?? [];
  if (from === undefined) return refused(404);
  if (!isOwn) return refused(403);
  const given = all('authorization');
  if (given.length !== 1 || !isSame(given[0] ?? '', `Bearer ${token}`)) return refused(401);
  return { kind: 'data', from: Number(from) };
}

/** A person who follows a link to the page, which holds nothing of a run; a frame within another page is none. */
function isOpened(all: (name: string) => readonly string[]): boolean {
  return all('sec-fetch-mode').join() === 'navigate' && all('sec-fetch-dest').join() === 'document';
}

/** In a time that tells nothing of where they differ. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
