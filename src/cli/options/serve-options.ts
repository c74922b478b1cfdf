/** Options of `serve`, parsed and checked: address, pace, access. */
import { UsageError } from '../../base/errors.js';
import { Identity, readTokens } from '../../serve/identity.js';
import type { TlsFiles } from '../../serve/identity.js';
import { isLoopback } from '../../serve/origin.js';
import type { SchedulePace } from '../../serve/schedule.js';
import type { ServingRecord } from '../../trajectory/record-values.js';
import type { Io } from '../terminal/io.js';
import { KEYS } from './allow-options.js';
import { MODULES } from './modules.js';
import { argument, oneOf, flag, repeatedAs, single, anyTextOr, whole, wholeOr } from './option.js';
import type { Chosen } from './option.js';
import { CHANGES } from './run-options.js';
import { GUIDED, ROOT, SEED } from './shared-options.js';
import { readBytes } from './paths.js';

export const SERVED = { scenario: argument('Scenario file (YAML); with --resume a log') };

const milliseconds = (describe: string) => whole(describe, 1, 86_400_000);

export const SERVE_OPTIONS = {
  ...CHANGES,
  ...MODULES,
  listen: anyTextOr('127.0.0.1:50051', 'Address and port; port 0 takes any free one'),
  pace: oneOf(
    ['clock', 'lockstep'],
    'clock (default): ticks begin at a fixed interval; lockstep: a tick ends as soon as all have decided',
  ),
  tick: milliseconds('Period of the clock in ms (1000 by default)'),
  window: milliseconds('How long a tick accepts intents, in ms (500 by default; 120000 with lockstep)'),
  // Leases and runs.
  ...KEYS,
  ttl: milliseconds('How long a lease lasts without being renewed, in ms (10000 by default)'),
  wait: single('How many entities must be held before the first tick: a number (1 by default), or all'),
  staleness: whole(
    'Maximum age in ticks of the observation that an intent answers, for slow models (0 by default)',
    0,
    1000,
  ),
  keep: list(
    'An agent that the server plays itself, with the controller from the scenario (may be repeated)',
    (agent) => agent,
  ),
  model: single('Model that plays the kept agents'),
  'base-url': single('Address of the model server for the kept agents'),
  ...GUIDED,
  runs: wholeOr(
    1,
    'Maximum number of runs at once; above 1, the server keeps running after a run has ended',
    1,
    256,
  ),
  resume: flag(
    'Continue a served run from its log, with the same options as before; give the log instead of a scenario',
  ),
  // Access and logs.
  ...ROOT,
  ...SEED,
  'allow-host': list(
    'Another host name under which a proxy or a forwarded port leads to the server (may be repeated)',
    (host) => host.toLowerCase(),
  ),
  tokens: single('File with the hashes of accepted tokens'),
  'tls-cert': single('Certificate (PEM)'),
  'tls-key': single('Key of the certificate (PEM)'),
  'tls-ca': single('Certificate of the authority that signs client certificates (PEM)'),
  out: single('Path of the log, or of a folder (ending in /) for a log of each run (runs/… by default)'),
};

/** Several values may follow one name. */
function list(describe: string, read: (value: string) => string) {
  return () => ({ ...repeatedAs(describe, read)(), array: true as const });
}

export type ServeOptions = Chosen<typeof SERVED & typeof SERVE_OPTIONS> & {
  /** The only entity that clients may play; absent: those that are not kept. */
  only?: string;
};

const CLOCK = { periodMs: 1000, windowMs: 500 };
const LOCKSTEP_WINDOW_MS = 120_000;
const TTL_MS = 10_000;

/**
 * The options, with the previous values of the served run for those that are not given now. A new pace or
 * tick sets a new window and time to live, and a new list of kept agents sets a new number of entities to
 * wait for.
 */
export function withPreviousServing(options: ServeOptions, before: ServingRecord | null): ServeOptions {
  if (before === null) return options;
  const pace = options.pace ?? before.pace;
  const keepsTiming = pace === before.pace && options.tick === undefined;
  const periodMs = keepsTiming && pace === 'clock' ? before.periodMs : undefined;
  return {
    ...options,
    pace,
    tick: options.tick ?? periodMs,
    window: options.window ?? (keepsTiming ? before.windowMs : undefined),
    ttl: options.ttl ?? (keepsTiming ? before.ttlMs : undefined),
    wait: options.wait ?? (options.keep === undefined ? String(before.waitFor) : undefined),
    staleness: options.staleness ?? before.staleness,
    keep: options.keep ?? before.own,
  };
}

/** Throws UsageError if the window does not fit into the tick. */
export function paceOf({ pace, tick, window }: ServeOptions): SchedulePace {
  if (pace === 'lockstep') {
    if (tick !== undefined)
      throw new UsageError('--tick has no effect with --pace lockstep', [
        'in lockstep a tick ends as soon as all have decided',
      ]);
    return { kind: 'lockstep', periodMs: 0, windowMs: window ?? LOCKSTEP_WINDOW_MS };
  }
  const periodMs = tick ?? CLOCK.periodMs;
  const windowMs = window ?? Math.min(CLOCK.windowMs, Math.ceil(periodMs / 2));
  if (windowMs > periodMs)
    throw new UsageError(`--window ${windowMs} is longer than the tick of ${periodMs} ms`, [
      `use a shorter window, such as --window ${Math.ceil(periodMs / 2)} (half of the tick)`,
    ]);
  return { kind: 'clock', periodMs, windowMs };
}

export function ttlOf({ ttl }: ServeOptions, { periodMs }: SchedulePace): number {
  const ttlMs = ttl ?? Math.max(TTL_MS, 2 * periodMs);
  if (ttlMs >= 2 * periodMs) return ttlMs;
  throw new UsageError(`--ttl ${ttlMs} is shorter than two ticks of ${periodMs} ms`, [
    `use --ttl ${2 * periodMs} or more, so that a lease does not expire between two answers of its holder`,
  ]);
}

/** The number of entities that must be held before the first tick. */
export function waitOf({ wait = '1' }: ServeOptions, served: number): number {
  if (wait === 'all') return served;
  const count = Number(wait);
  if (/^\d+$/.test(wait) && count <= served) return count;
  throw new UsageError(`--wait takes "all" or a number from 0 to ${served}, not "${wait}"`);
}

export interface ListenAddress {
  host: string;
  port: number;
}

/** `HOST:PORT`, `[::1]:PORT` or `PORT`. */
export function parseListenAddress(listen: string): ListenAddress {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]:|([^:]+):)?(\d{1,5})$/.exec(listen) ?? [];
  const number = Number(port);
  if (port === '' || number > 65_535)
    throw new UsageError(`--listen takes HOST:PORT, not "${listen}"`, ['--listen 127.0.0.1:50051']);
  return { host: bracketed ?? plain ?? '127.0.0.1', port: number };
}

/** Whether this nghttp2 aborts its process on frames after an error (CVE-2026-27135, fixed in 1.68.1). */
export function canBeEndedByFrames(nghttp2: string): boolean {
  const [major = 0, minor = 0, patch = 0] = nghttp2.split('.').map(Number);
  return major === 1 && (minor < 68 || (minor === 68 && patch < 1));
}

/**
 * Throws UsageError if other machines could reach the server without authentication or end it, or if a file
 * can't be read.
 */
export function protectionOf(
  options: ServeOptions,
  { host }: ListenAddress,
  io: Io,
): { identity: Identity; tls: TlsFiles | null } {
  const { tokens, 'tls-cert': cert, 'tls-key': key, 'tls-ca': ca } = options;
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('--tls-cert and --tls-key must be given together');
  if (ca !== undefined && cert === undefined) throw new UsageError('--tls-ca needs --tls-cert and --tls-key');
  if (!isLoopback(host) && (tokens === undefined || cert === undefined))
    throw new UsageError(
      `${host} can be reached from other machines, so --tokens and --tls-cert are required`,
      ['or serve only this machine: --listen 127.0.0.1:50051'],
    );
  const { nghttp2 = '' } = process.versions;
  if (!isLoopback(host) && ca === undefined && canBeEndedByFrames(nghttp2))
    throw new UsageError(
      `${host} can be reached from other machines, and anyone could end this server with a few bytes: the HTTP/2 of Node ${process.versions.node} (nghttp2 ${nghttp2}, CVE-2026-27135) aborts`,
      [
        'use a newer Node: 22.23 or later, or a current 24',
        'or let only known clients connect: --tls-ca',
        'or serve only this machine: --listen 127.0.0.1:50051',
      ],
    );
  const read = (path: string): Buffer => readBytes(path, io);
  const known = tokens === undefined ? null : readTokens(read(tokens).toString('utf8'), tokens);
  const tls =
    cert === undefined || key === undefined
      ? null
      : { cert: read(cert), key: read(key), ca: ca === undefined ? null : read(ca) };
  return { identity: new Identity(known), tls };
}
