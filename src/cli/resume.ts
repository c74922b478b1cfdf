/**
 * `resume <log>`: plays on where a run was left, by a crash, a kill, Ctrl-C or a full disk, into the same log. The scenario is the log's; what
 * was stored of the step that was not finished is used. In: an address and who decides; out: as of `run`.
 */
import { existsSync } from 'node:fs';
import type { ExitCode } from '../base/errors.js';
import { UsageError } from '../base/errors.js';
import type { EnvironmentModule } from '../assembly/environments.js';
import { environmentOf } from '../assembly/open.js';
import { moduleOf } from '../assembly/environments.js';
import { openLogged } from '../assembly/open-logged.js';
import { loadTools } from '../assembly/own-tools.js';
import { LogReader } from '../log/reader.js';
import type { RunSummary } from '../log/reader.js';
import type { RunRecord } from '../log/records.js';
import { LogWriter } from '../log/writer.js';
import { ownPast, requireVersions } from '../replay/past.js';
import type { OpenEnvironment } from '../replay/past.js';
import { command } from './command-line.js';
import { runOne } from './game.js';
import type { GameOptions, LogGoesOn } from './game.js';
import type { Io } from './io.js';
import { LineInput } from './line-input.js';
import { override } from './overrides.js';
import type { Overrides } from './overrides.js';
import { fromCwd } from './paths.js';
import { playerOptions, withPlayers } from './player-options.js';
import { withFiles, withOutside } from './run-options.js';
import { chooseRun, splitAddress } from './show.js';
import { block, count, jsonText } from './style.js';

export interface GoOnOptions extends Omit<GameOptions, 'isOneOfMany'>, Omit<Overrides, 'process'> {
  readonly log: string;
  readonly human: readonly string[];
  readonly tools: string | undefined;
  readonly root: string | undefined;
}

export function resumeCommand(modules: readonly EnvironmentModule[]) {
  return command({
    words: 'resume <log>',
    summary: 'Play on where a run was left',
    examples: [
      ['$0 resume run.sqlite', 'after Ctrl-C, a crash or a full disk; nothing that is stored is asked again'],
      ['$0 resume run.sqlite --base-url http://localhost:8000/v1', 'the server has moved'],
      ['$0 resume file.sqlite#run-id', 'one run of a file that holds several'],
    ],
    options: (parser) =>
      withFiles(withOutside(withPlayers(parser))).positional('log', {
        type: 'string',
        demandOption: true,
        describe: 'Path of the log, with #run-id for one run',
      }),
    run: (options, io) => resume({ ...options, ...playerOptions(options) }, io, modules),
  });
}

async function resume(
  options: GoOnOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<ExitCode> {
  const { path, runId } = splitAddress(options.log, (name) => existsSync(fromCwd(io, name)));
  const done = reading(fromCwd(io, path), (reader) => finished(reader, chosen(reader, runId, options.log)));
  if (done !== null) return tellFinished(done, options, io);
  // Taken before anything is read: whoever writes the log would go on while it is taken up.
  const writer = new LogWriter(fromCwd(io, path));
  const reader = new LogReader(writer.path);
  try {
    const summary = chosen(reader, runId, options.log);
    const run = reader.run(summary.runId);
    requireVersions(run);
    const { root } = options;
    const tools = options.tools === undefined ? [] : await loadTools(fromCwd(io, options.tools));
    const process = options.programs.map(({ agent }) => agent);
    const opened = await openLogged(run, {
      modules,
      tools,
      root: root === undefined ? undefined : fromCwd(io, root),
      change: (scenario) => override(scenario, { ...options, process }),
    });
    const goesOn: LogGoesOn = {
      past: ownPast({ reader, runId: run.runId, open: environmentsBy(modules) }),
      kept: run.kept,
      adopt: (fresh) => sitting(run, fresh, saysWhoPlays(options)),
      writer,
      address: (id) => (reader.runs().length > 1 ? `${path}#${id}` : path),
      note: `goes on with step ${summary.steps + 1}`,
      close: () => reader.close(),
    };
    const game = { ...options, isOneOfMany: false };
    const { code, document } = await runOne({
      opened,
      options: game,
      io,
      lines: new LineInput(io.stdin),
      goesOn,
    });
    if (options.json && document !== null) io.out.write(`${jsonText(document)}\n`);
    return code;
  } finally {
    reader.close();
    writer.close();
  }
}

/** The run that is named, or the file's only one that is not over. */
function chosen(reader: LogReader, runId: string | null, address: string): RunSummary {
  const runs = reader.runs();
  const open = runs.filter(({ status }) => !isOver(status));
  const [only] = open;
  return runId === null && only !== undefined && open.length === 1 ? only : chooseRun(runs, runId, address);
}

function isOver(status: RunSummary['status']): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'ended';
}

function finished(reader: LogReader, summary: RunSummary) {
  const end = reader.end(summary.runId);
  return end !== null && isOver(end.status) ? { runId: summary.runId, path: reader.path, end } : null;
}

/** Nothing is left to do, which is no mistake. */
function tellFinished(
  { runId, path, end }: NonNullable<ReturnType<typeof finished>>,
  { json }: GoOnOptions,
  io: Io,
): ExitCode {
  const sheet = json ? io.err : io.out;
  const { status, reason, turns, steps, stateHash, chain } = end;
  sheet.write(`the run ${runId} is over after ${count(steps, 'step')}: ${status}, ${block(reason)}\n`);
  const ending = { status, reason, turns, steps, state_hash: stateHash, chain_hash: chain, usage: null };
  if (json) io.out.write(`${jsonText({ run_id: runId, log: path, ...ending })}\n`);
  return 0;
}

/** The logged run, with what belongs to the sitting that begins now. Throws UsageError where nobody says who decides. */
function sitting(run: RunRecord, fresh: RunRecord, isSaid: boolean): RunRecord {
  for (const { id } of run.scenario.agents) {
    const [before, now] = [nameIn(run, id), nameIn(fresh, id)];
    if (before === now || isSaid || before === null) continue;
    throw new UsageError(`${id} was decided by ${before}, which the log can't bring back`, [
      'say who decides now: --controller, --human or --process',
    ]);
  }
  const { versions, controllers, startedAt } = fresh;
  return { ...run, versions, controllers, startedAt };
}

function nameIn({ controllers }: RunRecord, agent: string): string | null {
  const controller = controllers[agent];
  if (typeof controller !== 'object' || controller === null || !('name' in controller)) return null;
  return typeof controller.name === 'string' ? controller.name : null;
}

function saysWhoPlays(options: GoOnOptions): boolean {
  const { controller, recording, model, baseUrl, human, programs } = options;
  return (controller ?? recording ?? model ?? baseUrl) !== undefined || human.length + programs.length > 0;
}

/** Opens the environment of a logged run from its record alone. */
export function environmentsBy(modules: readonly EnvironmentModule[]): OpenEnvironment {
  return ({ scenario }) => environmentOf(moduleOf(modules, scenario.environment), scenario);
}

function reading<T>(path: string, read: (reader: LogReader) => T): T {
  const reader = new LogReader(path);
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}
