/**
 * Who may request what from the page's server: one pure function of a request's head. A script of another
 * site can make a browser send requests here and, through a name that it points at this machine, even read
 * the answers. So the Host is compared letter by letter, the Origin and the browser's own statement of where
 * a request comes from are checked, and data requires a token that no other page knows.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '../base/limits.js';

/**
 * A request before its body: the method, the raw target, and the headers as received, name and value in turn.
 */
export interface PageRequest {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
}

export interface GateRules {
  /** The only Host that is answered: `127.0.0.1:PORT`. */
  readonly host: string;
  readonly token: string;
}

/** Statuses of what is refused. */
type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 413 | 415;

/**
 * How to respond. `run`: the number of a run that has a page of its own, null for the page at `/`; `data`:
 * the parts from this number on; `mark`: a body of this many bytes is a verdict on a step.
 */
export type GateVerdict =
  | { readonly kind: 'page'; readonly run: number | null }
  | { readonly kind: 'data'; readonly run: number | null; readonly from: number }
  | { readonly kind: 'mark'; readonly run: number | null; readonly bytes: number }
  | { readonly kind: 'refused'; readonly status: RefusalStatus };

/** A target behind the slash of its page: `/` or `/runs/N/`. */
interface PageTarget {
  readonly run: number | null;
  readonly rest: string;
}

/** All values of a header, in their order. */
type HeaderReader = (name: string) => readonly string[];

/** Targets are compared literally: nothing is decoded, and no part of one becomes a path. */
export function judge({ method, target, rawHeaders }: PageRequest, rules: GateRules): GateVerdict {
  const all: HeaderReader = (name) =>
    rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
  const hosts = all('host');
  if (hosts.length !== 1) return refused(400);
  if (hosts[0] !== rules.host) return refused(403);
  const aim = pageTarget(target);
  if (method === 'POST' && aim?.rest === 'marks') return judgeWriting(aim, all, rules);
  return method === 'GET' ? judgeReading(aim, all, rules) : refused(405);
}

/** Null: no page has such a target. */
function pageTarget(target: string): PageTarget | null {
  const [, run, rest] = /^\/(?:runs\/(\d{1,9})\/)?([^/]*)$/.exec(target) ?? [];
  return rest === undefined ? null : { run: run === undefined ? null : Number(run), rest };
}

function judgeReading(aim: PageTarget | null, all: HeaderReader, { host, token }: GateRules): GateVerdict {
  const [origins, sites] = [all('origin'), all('sec-fetch-site')];
  const hasBody = all('content-length').length > 0 || all('transfer-encoding').length > 0;
  if (hasBody || all('upgrade').length > 0) return refused(400);
  if (origins.some((origin) => origin !== `http://${host}`)) return refused(403);
  const isOwn = sites.every((site) => site === 'same-origin' || site === 'none');
  if (aim === null) return refused(404);
  const { run, rest } = aim;
  if (rest === '') return isOwn || isOpened(all) ? { kind: 'page', run } : refused(403);
  const [, from] = /^data\?from=(\d{1,9})$/.exec(rest) ?? [];
  if (from === undefined) return refused(404);
  if (!isOwn) return refused(403);
  return hasToken(all, token) ? { kind: 'data', run, from: Number(from) } : refused(401);
}

/**
 * Stricter than reading. A browser always states the page that sends, so the Origin must be present and our
 * own. The type must be JSON, which no form has, and which a foreign script may send only after a preflight
 * request, which is refused.
 */
function judgeWriting({ run }: PageTarget, all: HeaderReader, { host, token }: GateRules): GateVerdict {
  const [origins, sites, lengths] = [all('origin'), all('sec-fetch-site'), all('content-length')];
  if (origins.length !== 1 || origins[0] !== `http://${host}`) return refused(403);
  if (sites.some((site) => site !== 'same-origin')) return refused(403);
  const odd = ['transfer-encoding', 'upgrade', 'expect', 'trailer'];
  if (odd.some((name) => all(name).length > 0)) return refused(400);
  if (lengths.length !== 1 || !/^[1-9]\d{0,8}$/.test(lengths[0] ?? '')) return refused(400);
  if (all('content-type').join() !== 'application/json') return refused(415);
  if (all('content-encoding').length > 0) return refused(415);
  const bytes = Number(lengths[0]);
  if (bytes > LIMITS.pageMarkBytes) return refused(413);
  return hasToken(all, token) ? { kind: 'mark', run, bytes } : refused(401);
}

function refused(status: RefusalStatus): GateVerdict {
  return { kind: 'refused', status };
}

function hasToken(all: HeaderReader, token: string): boolean {
  const given = all('authorization');
  return given.length === 1 && isSame(given[0] ?? '', `Bearer ${token}`);
}

/**
 * A person who follows a link to the page, which contains nothing of a run; a frame within another page does
 * not count.
 */
function isOpened(all: HeaderReader): boolean {
  return all('sec-fetch-mode').join() === 'navigate' && all('sec-fetch-dest').join() === 'document';
}

/** In a time that does not reveal where they differ. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
