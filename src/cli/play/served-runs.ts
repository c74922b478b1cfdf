/**
 * The runs of `serve`, as the command line means them: of a scenario file, of another one in its folder where a client asks for it, or of a log
 * that goes on. In: the options; out: a run that is ready to be served. Nothing that a client sends becomes a path.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OpenedScenario } from '../../assembly/open.js';
import { openLogged } from '../../assembly/open-logged.js';
import type { OwnParts } from '../../assembly/own-modules.js';
import { resuming } from '../../assembly/resume.js';
import type { TakenRun } from '../../assembly/taken-run.js';
import { UsageError } from '../../base/errors.js';
import { meantOf } from '../../base/nearest.js';
import { systemClock } from '../../model/dependencies.js';
import type { ProtocolName } from '../../scenario/scenario.js';
import { restartedRun } from '../../serve/restarted.js';
import { openStore } from '../../serve/run-store.js';
import { ServeError } from '../../serve/serve-error.js';
import { ServedRun } from '../../serve/served-run.js';
import type { RunRequest } from '../../serve/served-world.js';
import { withOverrides } from '../options/overrides.js';
import { fileFor, fromCwd } from '../options/paths.js';
import { paceOf, ttlOf, waitOf } from '../options/serve-options.js';
import type { ServeWords } from '../options/serve-options.js';
import { variablesOf } from '../options/variables.js';
import type { Io } from '../terminal/io.js';
import { openForCommand } from './open.js';

export interface ServeOptions extends ServeWords {
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

export interface ServeHost {
  readonly options: ServeOptions;
  readonly io: Io;
  readonly own: OwnParts;
}

export async function openServed(host: ServeHost, request: RunRequest): Promise<ServedRun> {
  const { options, io, own } = host;
  const { scenario, root, env } = options;
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
    keep: (run) =>
      openStore(run, { path: fromCwd(io, servedLog(host, run.runId)), environment: opened.environment, now }),
    play: { variables: variablesOf(io) },
  });
}

/** A run of a log, from where it was left; every lease that was held then has ended. */
export async function reopenServed(host: ServeHost, taken: TakenRun): Promise<ServedRun> {
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
    'scenario must be the name of a scenario file in the folder of the served scenario',
  );
}

/** The log of a run that is served, as a command would name it. */
export function servedLog({ options, io }: ServeHost, runId: string): string {
  const { resume, scenario, out } = options;
  return resume
    ? scenario
    : out === undefined
      ? join('runs', `${runId}.sqlite`)
      : fileFor(out, `${runId}.sqlite`, io);
}
