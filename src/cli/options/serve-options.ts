/** Options of `serve`, read and checked: where it listens, how time passes, who may ask. In: words of the command line; out: plain settings. */
import { readFileSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';
import { systemWords } from '../../base/system-words.js';
import { Identity, readTokens } from '../../serve/identity.js';
import { isLoopback } from '../../serve/origin.js';
import type { TlsFiles } from '../../serve/port.js';
import type { SchedulePace } from '../../serve/schedule.js';
import type { Io } from '../terminal/io.js';
import { fromCwd } from './paths.js';

export interface ServeWords {
  readonly listen: string;
  readonly pace: 'clock' | 'lockstep';
  readonly tick: number | undefined;
  readonly window: number | undefined;
  readonly ttl: number | undefined;
  readonly wait: string;
  readonly tokens: string | undefined;
  readonly 'tls-cert': string | undefined;
  readonly 'tls-key': string | undefined;
  readonly 'tls-ca': string | undefined;
}

const CLOCK = { periodMs: 1000, windowMs: 500 };
const LOCKSTEP_WINDOW_MS = 120_000;
const TTL_MS = 10_000;

/** Throws UsageError where the window does not fit into the tick. */
export function paceOf({ pace, tick, window }: ServeWords): SchedulePace {
  if (pace === 'lockstep') {
    if (tick !== undefined)
      throw new UsageError('--tick has no effect with --pace lockstep', [
        'a tick ends there as soon as all have decided',
      ]);
    return { kind: 'lockstep', periodMs: 0, windowMs: window ?? LOCKSTEP_WINDOW_MS };
  }
  const periodMs = tick ?? CLOCK.periodMs;
  const windowMs = window ?? Math.min(CLOCK.windowMs, Math.ceil(periodMs / 2));
  if (windowMs > periodMs)
    throw new UsageError(`--window ${windowMs} is longer than the tick of ${periodMs} ms`, [
      `--window ${Math.ceil(periodMs / 2)} leaves half of the tick to the world`,
    ]);
  return { kind: 'clock', periodMs, windowMs };
}

export function ttlOf({ ttl }: ServeWords, { periodMs }: SchedulePace): number {
  const ms = ttl ?? Math.max(TTL_MS, 2 * periodMs);
  if (ms >= 2 * periodMs) return ms;
  throw new UsageError(`--ttl ${ms} is shorter than two ticks of ${periodMs} ms`, [
    'a holder would lose its entity between two answers',
  ]);
}

/** How many of the served entities must be held before the first tick. */
export function waitOf({ wait }: ServeWords, served: number): number {
  if (wait === 'all') return served;
  const count = Number(wait);
  if (/^\d+$/.test(wait) && count <= served) return count;
  throw new UsageError(`--wait takes "all" or a number from 0 to ${served}, not "${wait}"`);
}

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

/** `HOST:PORT`, `[::1]:PORT` or `PORT`. */
export function listenPlace(listen: string): ListenPlace {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]:|([^:]+):)?(\d{1,5})$/.exec(listen) ?? [];
  const number = Number(port);
  if (port === '' || number > 65_535)
    throw new UsageError(`--listen takes HOST:PORT, not "${listen}"`, ['--listen 127.0.0.1:50051']);
  return { host: bracketed ?? plain ?? '127.0.0.1', port: number };
}

export interface Protection {
  readonly identity: Identity;
  readonly tls: TlsFiles | null;
}

/** Throws UsageError where another machine could reach the server and nothing would say who asks, or a file can't be read. */
export function protectionOf(words: ServeWords, { host }: ListenPlace, io: Io): Protection {
  const { tokens, 'tls-cert': cert, 'tls-key': key, 'tls-ca': ca } = words;
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('--tls-cert and --tls-key are given together');
  if (ca !== undefined && cert === undefined) throw new UsageError('--tls-ca needs --tls-cert and --tls-key');
  if (!isLoopback(host) && (tokens === undefined || cert === undefined))
    throw new UsageError(`${host} can be reached from other machines: --tokens and --tls-cert are needed`, [
      'on this machine alone neither is: --listen 127.0.0.1:50051',
    ]);
  const read = (path: string): Buffer => readFile(path, io);
  const known = tokens === undefined ? null : readTokens(read(tokens).toString('utf8'), tokens);
  const tls =
    cert === undefined || key === undefined
      ? null
      : { cert: read(cert), key: read(key), ca: ca === undefined ? null : read(ca) };
  return { identity: new Identity(known), tls };
}

function readFile(path: string, io: Io): Buffer {
  try {
    return readFileSync(fromCwd(io, path));
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${systemWords(error)}`);
  }
}
