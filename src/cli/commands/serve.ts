/** `serve <scenario>`: the scenario as a world that programs on any machine play over gRPC, gRPC-Web or JSON; its runs are logged like any other. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OpenedScenario } from '../../assembly/open.js';
import { openLogged } from '../../assembly/open-logged.js';
import type { OwnParts } from '../../assembly/own-modules.js';
import { resuming } from '../../assembly/resume.js';
import { withTakenRun } from '../../assembly/taken-run.js';
import type { TakenRun } from '../../assembly/taken-run.js';
import type { LogReader } from '../../log/reader.js';
import { counted } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { meantOf } from '../../base/nearest.js';
import { systemWords } from '../../base/system-words.js';
import { systemClock } from '../../model/dependencies.js';
import { ApiPort } from '../../serve/port.js';
import type { PortOptions } from '../../serve/port.js';
import { restartedRun } from '../../serve/restarted.js';
import { openStore } from '../../serve/run-store.js';
import { ServeError } from '../../serve/serve-error.js';
import { ServedRun } from '../../serve/served-run.js';
import { ServedWorld } from '../../serve/served-world.js';
import type { OpenRun, RunRequest } from '../../serve/served-world.js';
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
  readonly resume: boolean;
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
        .option('resume', {
          type: 'boolean',
          default: false,
          describe: 'Go on with the served run of a log, which is named in place of a scenario',
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
  const own = await ownParts(options.modules, io, modules);
  const host = { options, io, own };
  if (!options.resume) return hosted(host, (request) => openRun(host, request));
  if (options.runs > 1) throw new UsageError('--resume goes on with one run: leave out --runs');
  const choice = { choose: onlyRun, modules: own.modules };
  return withTakenRun(fromCwd(io, options.scenario), choice, (taken) =>
    hosted(host, () => reopen(host, taken)),
  );
}

function onlyRun(reader: LogReader): string {
  const [only, ...others] = reader.runs();
  if (only !== undefined && others.length === 0) return only.runId;
  throw new UsageError(
    `${reader.path} has ${counted(reader.runs().length, 'run')}, and --resume goes on with one`,
  );
}

/** Serves until the run has ended, or the user stops it. */
async function hosted(host: ServeHost, open: OpenRun): Promise<ExitCode> {
  const { options, io } = host;
  const place = listenPlace(options.listen);
  const ttlMs = ttlOf(options, paceOf(options));
  const { identity, tls } = protectionOf(options, place, io);
  const instance = randomBytes(8).toString('hex');
  const world = new ServedWorld({ instance, limit: options.runs, open });
  const interrupts = listenForInterrupts(io, () => undefined);
  const exits = io.beforeExit(() => void world.close());
  try {
    const first = await world.create({ scenario: '', seed: '', set: [] });
    const port = await openPort({ ...place, tls, world, identity, clock: systemClock, ttlMs });
    announce(first, port, host);
    await Promise.race([aborted(interrupts.stop.soft), ...(options.runs === 1 ? [over(first)] : [])]);
    await world.close();
    await port.close();
    return await reported(first, host);
  } finally {
    exits();
    interrupts.close();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** What ended the run is told by `reported`. */
function over(run: ServedRun): Promise<void> {
  return run.ended.then(
    () => undefined,
    () => undefined,
  );
}

async function openPort(options: PortOptions): Promise<ApiPort> {
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

async function openRun(host: ServeHost, request: RunRequest): Promise<ServedRun> {
  const { options, io, own } = host;
  const { scenario, root, env, out } = options;
  const opened = await openForCommand(fileOf(scenario, request.scenario), {
    io,
    own,
    set: [...(options.set ?? []), ...request.set],
    env,
    root,
    seed: request.seed === '' ? options.seed : request.seed,
    change: (one) => withOverrides(one, { maxTurns: options['max-turns'], protocol: options.protocol }),
  });
  const now = (): number => Date.now();
  return new ServedRun({
    ...settingsOf(host, opened),
    keep: (run) => openStore(run, { path: logFor(out, run.runId, io), environment: opened.environment, now }),
    play: { variables: variablesOf(io) },
  });
}

/** A run of a log, from where it was left; every lease that was held then has ended. */
async function reopen(host: ServeHost, taken: TakenRun): Promise<ServedRun> {
  const { io, own, options } = host;
  const { run, reader, writer } = taken;
  const root = options.root === undefined ? undefined : fromCwd(io, options.root);
  const opened = await openLogged(run, { modules: own.modules, root });
  const { before, ended } = restartedRun(reader, run.runId);
  return new ServedRun({
    ...settingsOf(host, opened),
    before,
    keep: (record) => {
      const now = (): number => Date.now();
      const store = openStore(record, { path: writer.path, environment: opened.environment, now, writer });
      for (const event of ended) store.lease(event);
      return store;
    },
    play: { variables: variablesOf(io), goesOn: resuming(taken) },
  });
}

/** What a run's time, leases and seats are, whether it begins or goes on. */
function settingsOf({ options }: ServeHost, opened: OpenedScenario) {
  const { keep, staleness } = options;
  const pace = paceOf(options);
  const ids = opened.scenario.agents.map(({ id }) => id);
  const stray = keep.find((id) => !ids.includes(id));
  if (stray !== undefined)
    throw new UsageError(`${opened.scenario.name} has no agent "${stray}" for --keep`, [
      meantOf(stray, ids, 'its agents'),
    ]);
  return {
    opened,
    pace,
    clock: systemClock,
    waitFor: waitOf(options, ids.length - keep.length),
    own: keep,
    staleness,
    ttlMs: ttlOf(options, pace),
    secret: () => randomBytes(16).toString('hex'),
  };
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

async function reported(run: ServedRun, { io }: ServeHost): Promise<ExitCode> {
  const { status, reason, turns, steps } = await run.ended;
  io.out.write(
    `${status}: ${reason}\n${counted(turns, 'turn')}, ${counted(steps, 'step')}, run ${run.record.runId}\n`,
  );
  if (status === 'interrupted') return 130;
  return status === 'succeeded' || status === 'ended' ? 0 : 1;
}
