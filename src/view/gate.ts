/**
 * Decides which requests the page's server answers: a pure function of a request's head. A script of another
 * site can make a browser send requests here and, through a host name that it points at this machine (DNS
 * rebinding), even read the answers. So the Host must match exactly, Origin and Sec-Fetch-Site are checked,
 * and data requires a token that no other page knows.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '../base/limits.js';

/**
 * A request before its body: the method, the raw target, and the headers as received, name and value in turn.
 */
export interface PageRequest {
  method: string;
  target: string;
  rawHeaders: readonly string[];
}

export interface GateRules {
  /** The only Host that is answered: `127.0.0.1:PORT`. */
  host: string;
  token: string;
}

type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 413 | 415;

/**
 * How to respond. `run`: the number of a run with its own page, null for the page at `/`; `data`: the parts
 * from number `from` on; `mark`: the body, of this many bytes, is a verdict on a step.
 */
export type GateVerdict =
  | { kind: 'page'; run: number | null }
  | { kind: 'data'; run: number | null; from: number }
  | { kind: 'mark'; run: number | null; bytes: number }
  | { kind: 'refused'; status: RefusalStatus };

/** A target, split into its page (`/` or `/runs/N/`) and the path after it. */
interface PageTarget {
  run: number | null;
  path: string;
}

/** Returns all values of a header, in order. */
type HeaderReader = (name: string) => readonly string[];

/** Targets are compared literally: nothing is decoded, and no part of one becomes a path. */
export function checkRequest({ method, target, rawHeaders }: PageRequest, rules: GateRules): GateVerdict {
  const header: HeaderReader = (name) =>
    rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
  const hosts = header('host');
  if (hosts.length !== 1) return refused(400);
  if (hosts[0] !== rules.host) return refused(403);
  const [, run, path] = /^\/(?:runs\/(\d{1,9})\/)?([^/]*)$/.exec(target) ?? [];
  const page = path === undefined ? null : { run: run === undefined ? null : Number(run), path };
  if (method === 'POST' && page?.path === 'marks') return checkWrite(page, header, rules);
  return method === 'GET' ? checkRead(page, header, rules) : refused(405);
}

function checkRead(page: PageTarget | null, header: HeaderReader, { host, token }: GateRules): GateVerdict {
  const [origins, sites] = [header('origin'), header('sec-fetch-site')];
  const hasBody = header('content-length').length > 0 || header('transfer-encoding').length > 0;
  if (hasBody || header('upgrade').length > 0) return refused(400);
  if (origins.some((origin) => origin !== `http://${host}`)) return refused(403);
  const isOwnSite = sites.every((site) => site === 'same-origin' || site === 'none');
  if (page === null) return refused(404);
  const { run, path } = page;
  if (path === '') return isOwnSite || isNavigation(header) ? { kind: 'page', run } : refused(403);
  const [, from] = /^data\?from=(\d{1,9})$/.exec(path) ?? [];
  if (from === undefined) return refused(404);
  if (!isOwnSite) return refused(403);
  return hasToken(header, token) ? { kind: 'data', run, from: Number(from) } : refused(401);
}

/**
 * Stricter than reading. With a POST, a browser always sends the Origin, so it must be present and our own.
 * The content type must be JSON: no HTML form can send it, and a script of another site only after a
 * preflight request, which is refused.
 */
function checkWrite({ run }: PageTarget, header: HeaderReader, { host, token }: GateRules): GateVerdict {
  const [origins, sites, lengths] = [header('origin'), header('sec-fetch-site'), header('content-length')];
  if (origins.length !== 1 || origins[0] !== `http://${host}`) return refused(403);
  if (sites.some((site) => site !== 'same-origin')) return refused(403);
  const refusedHeaders = ['transfer-encoding', 'upgrade', 'expect', 'trailer'];
  if (refusedHeaders.some((name) => header(name).length > 0)) return refused(400);
  if (lengths.length !== 1 || !/^[1-9]\d{0,8}$/.test(lengths[0] ?? '')) return refused(400);
  if (header('content-type').join() !== 'application/json') return refused(415);
  if (header('content-encoding').length > 0) return refused(415);
  const bytes = Number(lengths[0]);
  if (bytes > LIMITS.pageMarkBytes) return refused(413);
  return hasToken(header, token) ? { kind: 'mark', run, bytes } : refused(401);
}

function refused(status: RefusalStatus): GateVerdict {
  return { kind: 'refused', status };
}

function hasToken(header: HeaderReader, token: string): boolean {
  const authorizations = header('authorization');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  // In constant time.
  const isSame = timingSafeEqual(digest(authorizations[0] ?? ''), digest(`Bearer ${token}`));
  return authorizations.length === 1 && isSame;
}

/**
 * Whether a person opens the page, for example by a link; a frame within another page does not count. The
 * page itself contains no data of a run.
 */
function isNavigation(header: HeaderReader): boolean {
  return header('sec-fetch-mode').join() === 'navigate' && header('sec-fetch-dest').join() === 'document';
}
