/** `serve <scenario>`: the scenario as a world that programs on any machine play over gRPC, gRPC-Web or JSON; its runs are logged like any other. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OwnParts } from '../../assembly/own-modules.js';
import { counted } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { meantOf } from '../../base/nearest.js';
import { systemWords } from '../../base/system-words.js';
import { systemClock } from '../../model/dependencies.js';
import { ApiPort } from '../../serve/port.js';
import { openStore } from '../../serve/run-store.js';
import { ServeError } from '../../serve/serve-error.js';
import { ServedRun } from '../../serve/served-run.js';
import { ServedWorld } from '../../serve/served-world.js';
import type { RunRequest } from '../../serve/served-world.js';
import type { RunEnd } from '../../trajectory/records.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { command, once, settings, wholeNumber } from '../options/command-line.js';
import { ownParts, withModules } from '../options/modules.js';
import { withOverrides } from '../options/overrides.js';
import { fileFor, fromCwd } from '../options/paths.js';
import { withRunOptions } from '../options/run-options.js';
import { listenPlace, paceOf, protectionOf, ttlOf, waitOf } from '../options/serve-options.js';
import type { ServeWords } from '../options/serve-options.js';
import { variablesOf } from '../options/variables.js';
import { openForCommand } from '../play/open.js';
import { listenForInterrupts } from '../terminal/interrupt.js';
import type { Io } from '../terminal/io.js';
import type { ProtocolName } from '../../scenario/scenario.js';

interface ServeOptions extends ServeWords {
  readonly scenario: string;
  readonly out: string | undefined;
  readonly seed: string | undefined;
  readonly 'max-turns': number | undefined;
  readonly protocol: ProtocolName | undefined;
  readonly set: readonly string[] | undefined;
  readonly env: readonly string[] | undefined;
  readonly root: string | undefined;
  readonly modules: readonly string[] | undefined;
  readonly keep: readonly string[];
  readonly staleness: number;
  readonly runs: number;
}

const milliseconds = (option: string) => ({
  type: 'string' as const,
  coerce: wholeNumber(option, { min: 1, max: 86_400_000 }),
});

export function serveCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 serve scenarios/crypt.yaml', 'one tick a second, on 127.0.0.1:50051'],
      ['$0 serve crypt.yaml --pace lockstep --wait all', 'a tick ends as soon as all have decided'],
      ['$0 serve crypt.yaml --keep wizard', 'the server plays the wizard itself, as the scenario says'],
      [
        '$0 serve crypt.yaml --listen 0.0.0.0:50051 --tokens tokens.txt --tls-cert c.pem --tls-key k.pem',
        'for other machines',
      ],
    ],
    options: (parser) =>
      withModules(withRunOptions(parser))
        .positional('scenario', { type: 'string', demandOption: true, describe: 'Scenario file (YAML)' })
        .option('listen', {
          type: 'string',
          default: '127.0.0.1:50051',
          describe: 'Address and port; port 0 takes any free one',
        })
        .option('pace', {
          choices: ['clock', 'lockstep'] as const,
          default: 'clock' as const,
          describe: 'clock: a tick at a fixed period; lockstep: a tick ends as soon as all have decided',
        })
        .option('tick', { ...milliseconds('tick'), describe: 'Period of the clock in ms (1000 by default)' })
        .option('window', {
          ...milliseconds('window'),
          describe: 'How long a tick takes intents, in ms (500 by default; 120000 with lockstep)',
        })
        .option('ttl', {
          ...milliseconds('ttl'),
          describe: 'How long a lease lasts without being renewed, in ms (10000 by default)',
        })
        .option('wait', {
          type: 'string',
          default: '1',
          describe: 'How many entities must be held before the first tick: a number, or all',
        })
        .option('staleness', {
          type: 'string',
          default: '0',
          coerce: (value: unknown) => wholeNumber('staleness', { min: 0, max: 1000 })(value) ?? 0,
          describe: 'How many ticks old the observation may be that an intent answers, for slow models',
        })
        .option('keep', {
          type: 'string',
          array: true,
          default: [] as string[],
          coerce: settings,
          describe: 'An agent that the server plays itself, as the scenario says (may be repeated)',
        })
        .option('runs', {
          type: 'string',
          default: '1',
          coerce: (value: unknown) => wholeNumber('runs', { min: 1, max: 256 })(value) ?? 1,
          describe: 'How many runs may be played at once; above 1 the server goes on after a run has ended',
        })
        .option('tokens', { type: 'string', describe: 'File of known tokens', coerce: once('tokens') })
        .option('tls-cert', { type: 'string', describe: 'Certificate (PEM)', coerce: once('tls-cert') })
        .option('tls-key', { type: 'string', describe: 'Its key (PEM)', coerce: once('tls-key') })
        .option('tls-ca', {
          type: 'string',
          describe: 'Certificate that those of clients must be signed with (PEM)',
          coerce: once('tls-ca'),
        })
        .option('out', {
          type: 'string',
          describe: 'Path of the log, or a folder for those of several runs (runs/… by default)',
          coerce: once('out'),
        }),
    run: (options: ServeOptions, io) => serve(options, io, modules),
  });
}

async function serve(
  options: ServeOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<ExitCode> {
  const place = listenPlace(options.listen);
  const pace = paceOf(options);
  const ttlMs = ttlOf(options, pace);
  const { identity, tls } = protectionOf(options, place, io);
  const own = await ownParts(options.modules, io, modules);
  const host = { options, io, own };
  const world = new ServedWorld({
    instance: randomBytes(8).toString('hex'),
    limit: options.runs,
    open: (request) => openRun(host, request),
  });
  const interrupts = listenForInterrupts(io, () => undefined);
  const stopped = new Promise<void>((resolve) => {
    interrupts.stop.soft.addEventListener('abort', () => resolve(), { once: true });
  });
  const exits = io.beforeExit(() => void world.close());
  try {
    const first = await world.create({ scenario: '', seed: '', set: [] });
    const port = await openPort({ ...place, tls, world, identity, clock: systemClock, ttlMs });
    announce(first, port, host);
    const end = first.ended.then(
      (one) => one,
      (error: unknown) => {
        throw error;
      },
    );
    end.catch(() => undefined);
    await Promise.race([stopped, options.runs === 1 ? end : stopped]);
    await world.close();
    await port.close();
    return await reported(end, first, host);
  } finally {
    exits();
    interrupts.close();
  }
}

async function openPort(options: Parameters<typeof ApiPort.open>[0]): Promise<ApiPort> {
  try {
    return await ApiPort.open(options);
  } catch (error) {
    await options.world.close();
    throw new UsageError(`can't listen on ${options.host}:${options.port}: ${systemWords(error)}`, [
      'name another port with --listen, or 0 for any free one',
    ]);
  }
}

interface ServeHost {
  readonly options: ServeOptions;
  readonly io: Io;
  readonly own: OwnParts;
}

async function openRun({ options, io, own }: ServeHost, request: RunRequest): Promise<ServedRun> {
  const { scenario, root, env, out } = options;
  const pace = paceOf(options);
  const opened = await openForCommand(fileOf(scenario, request.scenario), {
    io,
    own,
    set: [...(options.set ?? []), ...request.set],
    env,
    root,
    seed: request.seed === '' ? options.seed : request.seed,
    change: (one) => withOverrides(one, { maxTurns: options['max-turns'], protocol: options.protocol }),
  });
  const ids = opened.scenario.agents.map(({ id }) => id);
  for (const id of options.keep)
    if (!ids.includes(id))
      throw new UsageError(`${opened.scenario.name} has no agent "${id}" for --keep`, [
        meantOf(id, ids, 'its agents'),
      ]);
  return new ServedRun({
    opened,
    pace,
    clock: systemClock,
    waitFor: waitOf(options, ids.length - options.keep.length),
    own: options.keep,
    staleness: options.staleness,
    ttlMs: ttlOf(options, pace),
    secret: () => randomBytes(16).toString('hex'),
    keep: (run) => {
      const path = logFor(out, run.runId, io);
      return openStore(run, { path, environment: opened.environment, now: () => Date.now() });
    },
    play: { variables: variablesOf(io) },
  });
}

/** A scenario of the server's folder, by its plain name: no name that a client sends becomes any other path. */
function fileOf(served: string, asked: string): string {
  if (asked === '') return served;
  const path = join(dirname(served), asked);
  if (/^[\w-]+(\.[\w-]+)*\.ya?ml$/.test(asked) && existsSync(path)) return path;
  throw new ServeError(
    'FIELD_INVALID',
    'scenario is the name of a scenario file in the folder of the served one',
  );
}

function logFor(out: string | undefined, runId: string, io: Io): string {
  const name = `${runId}.sqlite`;
  return fromCwd(io, out === undefined ? join('runs', name) : fileFor(out, name, io));
}

function announce(run: ServedRun, port: ApiPort, { io }: ServeHost): void {
  const { scenario } = run.opened;
  const { kind, periodMs, windowMs } = run.pace;
  const pace =
    kind === 'clock'
      ? `a tick every ${periodMs} ms, intents for ${windowMs} ms`
      : `lockstep, at most ${windowMs} ms a tick`;
  io.out.write(
    `${scenario.title}: ${pace}\n` +
      `serving ${port.address}, run ${run.record.runId}\n` +
      `${counted(run.served.length, 'entity', 'entities')} to control: ${run.served.join(', ')}\n`,
  );
}

async function reported(end: Promise<RunEnd>, run: ServedRun, { io }: ServeHost): Promise<ExitCode> {
  const { status, reason, turns, steps } = await end;
  io.out.write(
    `${status}: ${reason}\n${counted(turns, 'turn')}, ${counted(steps, 'step')}, run ${run.record.runId}\n`,
  );
  if (status === 'interrupted') return 130;
  return status === 'succeeded' || status === 'ended' ? 0 : 1;
}
