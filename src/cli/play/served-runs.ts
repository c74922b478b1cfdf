/**
 * The runs of `serve`: of the scenario file on the command line, of another scenario in its folder that a
 * client requests, or of a log that is continued. Nothing that a client sends becomes a path.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import { withForkSettings } from '../../assembly/fork-settings.js';
import { loggedEnvironment } from '../../assembly/logged-environment.js';
import { openLogged } from '../../assembly/open-logged.js';
import type { OwnParts } from '../../assembly/own-modules.js';
import { forkContinuation, requireForkStep, resumeContinuation } from '../../assembly/resume.js';
import type { ClaimedRun } from '../../assembly/claimed-run.js';
import { UsageError } from '../../base/errors.js';
import { WORLD_ID } from '../../base/ids.js';
import { meantOf } from '../../base/nearest.js';
import { oneLine } from '../../base/text.js';
import { shellWord } from '../../base/shell-words.js';
import { LogReader } from '../../log/reader.js';
import { isOver, lastStep, requireVersions } from '../../replay/restored-history.js';
import type { RunRecord } from '../../trajectory/records.js';
import { systemClock } from '../../model/dependencies.js';
import type { Scenario } from '../../scenario/scenario.js';
import { Earnings } from '../../serve/earnings.js';
import { restartedRun } from '../../serve/restarted.js';
import { openStore } from '../../serve/run-store.js';
import { ServeError } from '../../serve/serve-error.js';
import type { ServedLogs } from '../../serve/served-logs.js';
import { ServedRun } from '../../serve/served-run.js';
import type { ForkPlace, RunRequest } from '../../serve/served-world.js';
import { splitAddress } from '../logs/run-address.js';
import { withOverrides } from '../options/overrides.js';
import { fileFor, fromCwd } from '../options/paths.js';
import { paceOf, ttlOf, waitOf } from '../options/serve-options.js';
import type { ServeOptions } from '../options/serve-options.js';
import { readableOf, variablesOf } from '../options/variables.js';
import type { Io } from '../terminal/io.js';
import { keptAddresses, keptAgents, withKeptModels } from './kept-agents.js';
import { openForCommand } from './open.js';

export interface ServeHost {
  options: ServeOptions;
  io: Io;
  parts: OwnParts;
  logs: ServedLogs;
  /** A change of each new run's scenario, beyond what the options say. */
  change?: (scenario: Scenario) => Scenario;
  /** The scenario of its only run, if it is open already. */
  opened?: OpenedScenario;
}

/** The scenario of a new run, with what the options and the client change in it. */
export function openServedScenario(host: ServeHost, request: RunRequest): Promise<OpenedScenario> {
  const { options, io, parts, change = (one) => one } = host;
  const { scenario, root, env } = options;
  return openForCommand(fileOf(scenario, request.scenario), {
    io,
    parts,
    set: [...(options.set ?? []), ...request.set],
    env,
    root,
    seed: request.seed === '' ? options.seed : request.seed,
    change: (one) =>
      withKeptModels(
        change(withOverrides(one, { maxTurns: options['max-turns'], protocol: options.protocol })),
        options,
      ),
  });
}

export async function openServed(
  host: ServeHost,
  request: RunRequest,
  signal: AbortSignal,
): Promise<ServedRun> {
  const { options, io, logs } = host;
  if (request.from !== null) return openForked(host, { from: request.from, set: request.set }, signal);
  const opened = host.opened ?? (await openServedScenario(host, request));
  const now = (): number => Date.now();
  const settings = settingsOf(host, opened);
  const keys = await keptAddresses({ scenario: opened.scenario, words: options, io }, signal);
  return new ServedRun({
    ...settings,
    openStore: (run, how) => {
      const path = fromCwd(io, servedLog(host, run.runId));
      return openStore(run, { path, logs, environment: opened.environment, now, ...how });
    },
    play: { variables: variablesOf(io), keys },
  });
}

/** A run that continues from a tick of another one, in that one's log. */
async function openForked(
  host: ServeHost,
  { from, set }: { from: ForkPlace; set: readonly string[] },
  signal: AbortSignal,
): Promise<ServedRun> {
  const { options, io, parts, logs } = host;
  const { modules } = parts;
  const path = logs.pathOf(from.run);
  if (path === null) throw new ServeError('RUN_NOT_FOUND', `this server has not started a run "${from.run}"`);
  const reader = new LogReader(path);
  try {
    const run = reader.run(from.run);
    const at = firstStepOf(reader, from);
    const forked = { reader, run, open: (one: RunRecord) => loggedEnvironment(one, modules) };
    const changed = withForkSettings(run, { set, modules, ...readableOf(io, options.env) });
    requireForkStep(forked, at, changed);
    const root = options.root === undefined ? undefined : fromCwd(io, options.root);
    const opened = await openLogged(run, { modules, root, change: () => withKeptModels(changed, options) });
    const keys = await keptAddresses({ scenario: opened.scenario, words: options, io }, signal);
    const earnings = new Earnings(reader.steps(run.runId, { to: at - 1, snapshots: false }));
    const now = (): number => Date.now();
    return new ServedRun({
      ...settingsOf(host, opened),
      before: { tick: from.tick - 1, epochs: new Map(), held: null, earnings },
      openStore: (record, how) => {
        const store = openStore(record, { path, logs, environment: opened.environment, now, ...how });
        // The fork reads its past for as long as it is played.
        return { ...store, close: () => (store.close(), reader.close()) };
      },
      play: { variables: variablesOf(io), keys, goesOn: forkContinuation(forked, { at, given: {} }) },
    });
  } catch (error) {
    reader.close();
    throw error;
  }
}

/** The first step of the tick, or the next step if the run has the tick open. */
function firstStepOf(reader: LogReader, { run, tick }: ForkPlace): number {
  const last = lastStep(reader, run);
  const newest = last === 0 ? null : reader.step(run, last);
  const newestTick = newest === null ? 1 : newest.turn + (newest.agent === WORLD_ID ? 1 : 0);
  if (tick < 1 || tick > newestTick)
    throw new ServeError(
      'FIELD_INVALID',
      `from_tick must be from 1 to ${newestTick}, the newest tick of the run`,
    );
  let [low, high] = [1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((reader.step(run, middle)?.turn ?? tick) < tick) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Throws UsageError if an option would override something that the run's log determines. */
export function requireOnlyServing(options: ServeOptions): void {
  const { seed, out, set = [], env = [], protocol, 'max-turns': maxTurns } = options;
  const stepOptions = { seed, out, set: set[0], env: env[0], protocol, 'max-turns': maxTurns };
  const unusableOption = Object.entries(stepOptions).find(([, value]) => value !== undefined)?.[0];
  if (unusableOption !== undefined)
    throw new UsageError(
      `--resume continues the run with the settings in its log: leave out --${unusableOption}`,
      ['orchestrate fork continues from a step with other settings'],
    );
  if (options.runs > 1) throw new UsageError('--resume continues a single run: leave out --runs');
}

/** Throws UsageError if the run has ended, because then nothing is left to serve. */
export function requireUnended(reader: LogReader, runId: string, { options, io }: ServeHost): void {
  const end = reader.ending(runId);
  if (end === null || !isOver(end.status)) return;
  const log = shellWord(options.scenario);
  throw new UsageError(`the run ${runId} has ended: ${end.status}, ${oneLine(end.reason)}`, [
    `${io.program} show ${log} shows it`,
    `${io.program} fork ${log} --at STEP --controller scripted continues from one of its steps`,
  ]);
}

/** Continues a run of a log from where it stopped; every lease of that time has ended. */
export async function reopenServed(
  host: ServeHost,
  claimedRun: ClaimedRun,
  { waits, signal }: { waits: boolean; signal: AbortSignal },
): Promise<ServedRun> {
  const { io, parts, options, logs } = host;
  const { run, reader, writer } = claimedRun;
  requireVersions(run);
  const root = options.root === undefined ? undefined : fromCwd(io, options.root);
  const change = (scenario: Scenario): Scenario => withKeptModels(scenario, options);
  const opened = await openLogged(run, { modules: parts.modules, root, change });
  const settings = settingsOf(host, opened);
  const keys = await keptAddresses({ scenario: opened.scenario, words: options, io }, signal);
  const { before, ended } = restartedRun(reader, run.runId);
  return new ServedRun({
    ...settings,
    // An explicit --wait also applies to a resumed run.
    before: waits ? { ...before, held: null } : before,
    openStore: (record, how) => {
      const now = (): number => Date.now();
      const goesOn = { writer, close: () => writer.close(), ended };
      const { environment } = opened;
      return openStore(record, { path: writer.path, logs, environment, now, ...how, goesOn });
    },
    play: { variables: variablesOf(io), keys, goesOn: resumeContinuation(claimedRun) },
  });
}

/** The timing, leases and seats of a run, whether it is new or continued. */
function settingsOf({ options }: ServeHost, opened: OpenedScenario) {
  const { keep = [], staleness = 0 } = options;
  const pace = paceOf(options);
  const ids = opened.scenario.agents.map(({ id }) => id);
  const unknownAgent = keep.find((id) => !ids.includes(id));
  if (unknownAgent !== undefined)
    throw new UsageError(`${opened.scenario.name} has no agent "${unknownAgent}" for --keep`, [
      meantOf(unknownAgent, ids, 'its agents'),
    ]);
  const own = keptAgents(opened.scenario, options);
  return {
    opened,
    pace,
    clock: systemClock,
    waitFor: waitOf(options, ids.length - own.length),
    own,
    staleness,
    ttlMs: ttlOf(options, pace),
    secret: () => randomBytes(16).toString('hex'),
  };
}

/** A scenario in the server's folder, by its plain name: no name from a client can become any other path. */
function fileOf(served: string, requested: string): string {
  if (requested === '') return served;
  const path = join(dirname(served), requested);
  if (/^[\w-]+(\.[\w-]+)*\.ya?ml$/.test(requested) && existsSync(path)) return path;
  throw new ServeError(
    'FIELD_INVALID',
    `scenario must be the name of a scenario file in the folder of the served scenario, such as ${basename(served)}`,
  );
}

/** The address of a served run for commands: with its id if its log contains other runs, or may come to. */
export function servedAddress(host: ServeHost, runId: string): string {
  const { options, io } = host;
  const log = options.resume
    ? splitAddress(options.scenario, (name) => existsSync(fromCwd(io, name))).path
    : servedLog(host, runId);
  const path = fromCwd(io, log);
  // Before the run has begun, there may be none.
  const reader = existsSync(path) ? new LogReader(path) : null;
  const others = reader?.runs().filter((run) => run.runId !== runId) ?? [];
  reader?.close();
  return others.length === 0 && (options.out === undefined || options.runs === 1) ? log : `${log}#${runId}`;
}

/** The log of a new run. */
function servedLog({ options, io }: ServeHost, runId: string): string {
  const { out } = options;
  return out === undefined ? join('runs', `${runId}.sqlite`) : fileFor(out, `${runId}.sqlite`, io);
}
