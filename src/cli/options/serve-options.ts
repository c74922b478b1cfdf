/**
 * Options of `serve`, parsed and checked: address, pace, access. In: words of the command line; out: plain
 * settings.
 */
import type { Argv } from 'yargs';
import { UsageError } from '../../base/errors.js';
import { Identity, readTokens } from '../../serve/identity.js';
import type { TlsFiles } from '../../serve/identity.js';
import { isLoopback } from '../../serve/origin.js';
import type { SchedulePace } from '../../serve/schedule.js';
import type { ServingRecord } from '../../trajectory/records.js';
import type { Io } from '../terminal/io.js';
import { withKeys } from './allow-options.js';
import { GUIDED_OPTION, once, ROOT_OPTION, repeatedOption, wholeNumber } from './command-line.js';
import { readBytes } from './paths.js';

export interface ServingOptions {
  readonly listen: string;
  readonly pace: 'clock' | 'lockstep' | undefined;
  readonly tick: number | undefined;
  readonly window: number | undefined;
  readonly ttl: number | undefined;
  readonly wait: string | undefined;
  readonly staleness: number | undefined;
  readonly keep: readonly string[] | undefined;
  readonly 'allow-host': readonly string[] | undefined;
  readonly tokens: string | undefined;
  readonly 'tls-cert': string | undefined;
  readonly 'tls-key': string | undefined;
  readonly 'tls-ca': string | undefined;
}

const milliseconds = (option: string) => ({
  type: 'string' as const,
  coerce: wholeNumber(option, { min: 1, max: 86_400_000 }),
});

/** The parser, with the options of `serve`. */
export function withServeOptions<T>(parser: Argv<T>) {
  return withProtection(
    withControl(
      parser
        .positional('scenario', {
          type: 'string',
          demandOption: true,
          describe: 'Scenario file (YAML); with --resume a log',
        })
        .option('listen', {
          type: 'string',
          default: '127.0.0.1:50051',
          describe: 'Address and port; port 0 takes any free one',
        })
        .option('pace', {
          choices: ['clock', 'lockstep'] as const,
          describe:
            'clock (default): ticks begin at a fixed interval; lockstep: a tick ends as soon as all have decided',
        })
        .option('tick', { ...milliseconds('tick'), describe: 'Period of the clock in ms (1000 by default)' })
        .option('window', {
          ...milliseconds('window'),
          describe: 'How long a tick accepts intents, in ms (500 by default; 120000 with lockstep)',
        }),
    ),
  );
}

/** Options for leases and runs. */
function withControl<T>(parser: Argv<T>) {
  return withKeys(parser)
    .option('ttl', {
      ...milliseconds('ttl'),
      describe: 'How long a lease lasts without being renewed, in ms (10000 by default)',
    })
    .option('wait', {
      type: 'string',
      coerce: once('wait'),
      describe: 'How many entities must be held before the first tick: a number (1 by default), or all',
    })
    .option('staleness', {
      type: 'string',
      coerce: wholeNumber('staleness', { min: 0, max: 1000 }),
      describe:
        'Maximum age in ticks of the observation that an intent answers, for slow models (0 by default)',
    })
    .option('keep', {
      type: 'string',
      array: true,
      coerce: (value: unknown) => (value === undefined ? undefined : repeatedOption(value)),
      describe:
        'An agent that the server plays itself, with the controller from the scenario (may be repeated)',
    })
    .option('model', { type: 'string', describe: 'Model that plays the kept agents', coerce: once('model') })
    .option('base-url', {
      type: 'string',
      describe: 'Address of the model server for the kept agents',
      coerce: once('base-url'),
    })
    .option('guided', GUIDED_OPTION)
    .option('runs', {
      type: 'string',
      default: '1',
      coerce: (value: unknown) => wholeNumber('runs', { min: 1, max: 256 })(value) ?? 1,
      describe: 'Maximum number of runs at once; above 1, the server keeps running after a run has ended',
    })
    .option('resume', {
      type: 'boolean',
      default: false,
      describe:
        'Continue a served run from its log, with the same options as before; give the log instead of a scenario',
    });
}

/** Options for access and logs. */
function withProtection<T>(parser: Argv<T>) {
  return parser
    .options({ root: ROOT_OPTION })
    .option('seed', {
      type: 'string',
      describe: "Seed of the run, instead of the scenario's",
      coerce: once('seed'),
    })
    .option('allow-host', {
      type: 'string',
      array: true,
      coerce: (value: unknown) =>
        value === undefined ? undefined : repeatedOption(value).map((name) => name.toLowerCase()),
      describe:
        'Another host name under which a proxy or a forwarded port leads to the server (may be repeated)',
    })
    .option('tokens', {
      type: 'string',
      describe: 'File with the hashes of accepted tokens',
      coerce: once('tokens'),
    })
    .option('tls-cert', { type: 'string', describe: 'Certificate (PEM)', coerce: once('tls-cert') })
    .option('tls-key', { type: 'string', describe: 'Key of the certificate (PEM)', coerce: once('tls-key') })
    .option('tls-ca', {
      type: 'string',
      describe: 'Certificate of the authority that signs client certificates (PEM)',
      coerce: once('tls-ca'),
    })
    .option('out', {
      type: 'string',
      describe: 'Path of the log, or of a folder (ending in /) for a log of each run (runs/… by default)',
      coerce: once('out'),
    });
}

const CLOCK = { periodMs: 1000, windowMs: 500 };
const LOCKSTEP_WINDOW_MS = 120_000;
const TTL_MS = 10_000;

/**
 * The options, with the previous values of the served run for those that are not given now. A new pace or
 * tick sets a new window and time to live, and a new list of kept agents sets a new number of entities to
 * wait for.
 */
export function withPreviousServing<T extends ServingOptions>(options: T, before: ServingRecord | null): T {
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
export function paceOf({ pace, tick, window }: ServingOptions): SchedulePace {
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

export function ttlOf({ ttl }: ServingOptions, { periodMs }: SchedulePace): number {
  const ttlMs = ttl ?? Math.max(TTL_MS, 2 * periodMs);
  if (ttlMs >= 2 * periodMs) return ttlMs;
  throw new UsageError(`--ttl ${ttlMs} is shorter than two ticks of ${periodMs} ms`, [
    `use --ttl ${2 * periodMs} or more, so that a lease does not expire between two answers of its holder`,
  ]);
}

/** The number of entities that must be held before the first tick. */
export function waitOf({ wait = '1' }: ServingOptions, served: number): number {
  if (wait === 'all') return served;
  const count = Number(wait);
  if (/^\d+$/.test(wait) && count <= served) return count;
  throw new UsageError(`--wait takes "all" or a number from 0 to ${served}, not "${wait}"`);
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** `HOST:PORT`, `[::1]:PORT` or `PORT`. */
export function parseListenAddress(listen: string): ListenAddress {
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

/**
 * Throws UsageError if other machines could reach the server without authentication, or if a file can't be
 * read.
 */
export function protectionOf(options: ServingOptions, { host }: ListenAddress, io: Io): Protection {
  const { tokens, 'tls-cert': cert, 'tls-key': key, 'tls-ca': ca } = options;
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('--tls-cert and --tls-key must be given together');
  if (ca !== undefined && cert === undefined) throw new UsageError('--tls-ca needs --tls-cert and --tls-key');
  if (!isLoopback(host) && (tokens === undefined || cert === undefined))
    throw new UsageError(
      `${host} can be reached from other machines, so --tokens and --tls-cert are required`,
      ['or serve only this machine: --listen 127.0.0.1:50051'],
    );
  const read = (path: string): Buffer => readBytes(path, io);
  const known = tokens === undefined ? null : readTokens(read(tokens).toString('utf8'), tokens);
  const tls =
    cert === undefined || key === undefined
      ? null
      : { cert: read(cert), key: read(key), ca: ca === undefined ? null : read(ca) };
  return { identity: new Identity(known), tls };
}
