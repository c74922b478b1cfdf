/** `run <scenario…>`: plays scenarios, one after the other, each into its own log unless `--out` names one for all. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { ExitCode } from '../base/errors.js';
import { OrchestrateError, UsageError } from '../base/errors.js';
import type { GuidedMode, ProtocolName, Scenario } from '../scenario/scenario.js';
import type { RunEnd, RunRecord } from '../log/records.js';
import { LogWriter } from '../log/writer.js';
import { command } from './command-line.js';
import { Desk } from './desk.js';
import { withFiles, withRunOptions } from './run-options.js';
import { makeFramesFolder, withFrames } from './frames-folder.js';
import { printError, printWarning } from './error-text.js';
import { listenForInterrupts } from './interrupt.js';
import type { Interrupts } from './interrupt.js';
import type { Io, Sheet } from './io.js';
import { LineInput } from './line-input.js';
import { ownParts, withModules } from './modules.js';
import { openScenario } from './open.js';
import type { Opened } from '../assembly/open.js';
import { withNotices } from './notices.js';
import { override } from './overrides.js';
import { goalError, withGoal } from './own-goal.js';
import { fromCwd } from './paths.js';
import { programControllers } from './programs.js';
import type { AgentProgram, ProgramControllers } from './programs.js';
import { withPlayers } from './player-options.js';
import { recordings } from './recordings.js';
import type { Recordings } from './recordings.js';
import { RepliesHeard } from './replies-heard.js';
import { RunView } from './run-view.js';
import { pictureWay } from './pictures.js';
import type { PictureWay } from './pictures.js';
import { stepPrompt } from './step-prompt.js';
import { displayNames, jsonText, painter } from './style.js';
import { UsageCount } from './usage-count.js';
import { memoryFiles } from '../assembly/memory-files.js';
import type { MemoryStore } from '../assembly/memory-files.js';
import type { OwnSeats } from '../assembly/own-exports.js';
import type { OwnParts } from '../assembly/own-modules.js';
import { prepare } from '../assembly/play.js';
import type { Prepared } from '../assembly/play.js';
import { variablesOf } from './variables.js';
import type { EnvironmentModule } from '../assembly/environments.js';

export interface RunOptions {
  readonly scenario: readonly string[];
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly seed: string | undefined;
  readonly maxTurns: number | undefined;
  readonly protocol: ProtocolName | undefined;
  readonly controller: 'model' | 'scripted' | 'random' | 'human' | undefined;
  /** Address of the run whose replies are played. */
  readonly recording: string | undefined;
  /** Agents that the person at the terminal decides for. */
  readonly human: readonly string[];
  readonly programs: readonly AgentProgram[];
  readonly programSeconds: number | undefined;
  readonly guided: GuidedMode | undefined;
  readonly out: string | undefined;
  readonly frames: string | undefined;
  readonly memories: string | undefined;
  readonly step: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly set: readonly string[];
  readonly goal: string | undefined;
  readonly modules: readonly string[] | undefined;
  readonly root: string | undefined;
}

export function runCommand(modules: readonly EnvironmentModule[]) {
  return command({
    words: 'run <scenario..>',
    summary: 'Play a scenario',
    examples: [
      ['$0 run scenarios/crypt.yaml', 'no server needed: the agents are scripted'],
      ['$0 run crypt.yaml --base-url http://localhost:8000/v1', "on the server's model"],
      [
        '$0 run crypt.yaml --seed 3 --max-turns 20 --out run.sqlite --frames frames',
        'keep every picture as a file',
      ],
      ['$0 run crypt.yaml --human knight', 'play along'],
      ['$0 run crypt.yaml --process knight="python3 agent.py"', 'a program of yours plays'],
      ['$0 run crypt.yaml --set render.channel=text', 'change any key of the scenario'],
      ['$0 run react.yaml --goal "What is 3 * 14?"', 'a question of your own'],
    ],
    options: (parser) =>
      withModules(withFiles(withRunOptions(withPlayers(parser))))
        .positional('scenario', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Scenario files (YAML)',
        })
        .option('quiet', { type: 'boolean', default: false, describe: 'Print the summary only' })
        .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document on stdout' }),
    run: (options, io) =>
      runAll(
        {
          ...options,
          controller: options.controller?.controller,
          recording: options.controller?.recording,
          baseUrl: options['base-url'],
          maxTurns: options['max-turns'],
          set: options.set ?? [],
          human: options.human ?? [],
          programs: options.process ?? [],
          programSeconds: options['process-timeout'],
        },
        io,
        modules,
      ),
  });
}

/** The worst exit code of all. A run that was interrupted, or that log or server failed, ends the list. */
async function runAll(options: RunOptions, io: Io, modules: readonly EnvironmentModule[]): Promise<ExitCode> {
  if (options.step && io.stdin.isTTY !== true) {
    throw new UsageError('--step waits for a key, but standard input is no terminal', ['leave --step out']);
  }
  const own = await ownParts(options.modules, io, modules);
  const all = await openAll(options, io, own);
  if (typeof all === 'number') return all;
  const results: RunResult[] = [];
  // One for all runs: what was read ahead for one is the next one's.
  const lines = new LineInput(io.stdin);
  let way: Promise<PictureWay | null> | null = null;
  const pictures = () => (way ??= pictureWay(io, options.json ? io.err : io.out));
  try {
    for (const opened of all) {
      const result = await runOne({
        opened,
        options,
        io,
        lines,
        pictures,
        seats: seatsLeft(own.seats, options),
      });
      results.push(result);
      if (result.code > 2) break;
    }
  } finally {
    if (options.json) printDocuments(results, io);
  }
  return results.reduce<ExitCode>((worst, { code }) => (code > worst ? code : worst), 0);
}

/** Every scenario, before the first is played; where some are wrong, all of them are told, and the exit code given. */
async function openAll(options: RunOptions, io: Io, own: OwnParts): Promise<readonly Opened[] | ExitCode> {
  const opened: Opened[] = [];
  let failed: ExitCode = 0;
  const { goal, root } = options;
  const set = withGoal(options.set, goal);
  for (const path of options.scenario) {
    try {
      const process = options.programs.map(({ agent }) => agent);
      const change = (one: Scenario): Scenario => override(one, { ...options, process });
      opened.push(await openScenario(path, { io, own, set, seed: options.seed, root, change }));
    } catch (error) {
      failed = printError(goal === undefined ? error : goalError(error, path), io);
    }
  }
  return failed === 0 ? opened : failed;
}

function printDocuments(results: readonly RunResult[], io: Io): void {
  const documents = results.flatMap(({ document: one }) => (one === null ? [] : [one]));
  if (documents.length === 0) return;
  io.out.write(`${jsonText(documents.length === 1 ? documents[0] : documents)}\n`);
}

interface RunResult {
  readonly code: ExitCode;
  /** Null where it was stopped before it began. */
  readonly document: object | null;
}

async function runOne(game: Game): Promise<RunResult> {
  const { options, io } = game;
  const sheet = options.json ? io.err : io.out;
  const interrupts = listenForInterrupts(io, (words) => sheet.write(`\n${words}\n`));
  try {
    return await playOne({ ...game, sheet, interrupts });
  } catch (error) {
    if (!interrupts.stop.soft.aborted || error instanceof OrchestrateError) throw error;
    sheet.write('stopped before the run began\n');
    return { code: 130, document: null };
  } finally {
    interrupts.close();
  }
}

/** Those that the command line does not itself give to somebody else. */
function seatsLeft({ controllers, protocols, memory }: OwnSeats, options: RunOptions): OwnSeats {
  const { controller, model, baseUrl, human, protocol } = options;
  const isAll = (controller ?? model ?? baseUrl) !== undefined;
  const kept = Object.entries(controllers).filter(([agent]) => !isAll && !human.includes(agent));
  return {
    controllers: Object.fromEntries(kept),
    protocols: protocol === undefined ? protocols : {},
    memory,
  };
}

interface Game {
  readonly opened: Opened;
  /** Who plays instead of what the scenario says. */
  readonly seats: OwnSeats;
  readonly options: RunOptions;
  readonly io: Io;
  readonly lines: LineInput;
  /** How pictures are shown. The terminal is asked once, before anybody types: its answer comes by the same way. */
  readonly pictures: () => Promise<PictureWay | null>;
}

interface Table extends Game {
  /** Where human words go. */
  readonly sheet: Sheet;
  readonly interrupts: Interrupts;
}

async function playOne(table: Table): Promise<RunResult> {
  const { opened, options, io, interrupts } = table;
  const names = displayNames(opened.scenario.agents);
  const hasPerson = options.step || opened.scenario.agents.some((one) => one.controller.kind === 'human');
  const way = hasPerson ? await table.pictures() : null;
  const desk = new Desk({ ...table, names, way, giveUp: interrupts.stopNow });
  const agents = opened.scenario.agents.map(({ id }) => id);
  const players = programControllers(options.programs, io, options.programSeconds);
  const recorded = recordings(options.recording, agents, io);
  try {
    return await playWith({ ...table, desk, names, agents, players, recorded });
  } finally {
    recorded.close();
  }
}

interface Players extends Table {
  readonly names: Readonly<Record<string, string>>;
  readonly desk: Desk;
  readonly players: ProgramControllers;
  readonly agents: readonly string[];
  readonly recorded: Recordings;
}

function memoriesOf({ name, agents }: Scenario, folder: string | undefined, io: Io): MemoryStore {
  if (folder !== undefined && !agents.some(({ memory }) => memory.kind === 'file'))
    throw new UsageError(`no agent of ${name} has a memory that lasts, so --memories has nothing to keep`, [
      'a memory of the kind `file` lasts over runs (docs/SCENARIOS.md)',
    ]);
  return memoryFiles(fromCwd(io, folder ?? 'memories'), name);
}

async function playWith(table: Players): Promise<RunResult> {
  const { opened, seats, options, io, sheet, interrupts, desk, agents, players, recorded } = table;
  const prepared = await prepare(opened, {
    variables: variablesOf(io),
    stop: interrupts.stop,
    memories: memoriesOf(opened.scenario, options.memories, io),
    person: desk,
    ...seats,
    controllers: { ...seats.controllers, ...recorded.controllers, ...players.controllers },
    ...(options.step ? { beforeStep: stepPrompt({ desk, sheet, interrupts, agents }) } : {}),
  });
  try {
    return await playPrepared({ ...table, prepared });
  } finally {
    await prepared.close();
  }
}

interface Ready extends Players {
  readonly prepared: Prepared;
}

async function playPrepared(ready: Ready): Promise<RunResult> {
  const { options, io, prepared } = ready;
  const { run } = prepared;
  const frames = options.frames === undefined ? null : framesFolder(options.frames, options, run, io);
  if (frames !== null) makeFramesFolder(frames);
  const log = logPath(options, run, io);
  // A file that was there before holds other runs too, so this one must be named.
  const address = existsSync(log) ? `${shown(log, io)}#${run.runId}` : shown(log, io);
  const heard = new RepliesHeard();
  const view = runView(ready, address, heard);
  const writer = new LogWriter(log);
  ready.players.keepErrors((agent) => join(dirname(log), `${run.runId}.${agent}.stderr.txt`));
  const usage = new UsageCount();
  try {
    const kept = frames === null ? writer : withFrames(writer, frames);
    const warned = withNotices(kept, (words) => view.aside(() => printWarning(words, io)));
    const sink = heard.hearing(usage.counting(warned));
    const failure = await prepared.play(sink, view).then(() => null, asFailure);
    if (view.end === null) throw failure?.error;
    const code = failure === null ? exitCode(view.end) : printError(failure.error, io);
    return { code, document: document(run, shown(log, io), view.end, usage) };
  } finally {
    view.close();
    writer.close();
  }
}

function asFailure(error: unknown): { readonly error: unknown } {
  return { error };
}

/** Several runs' frames would overwrite one another: then each has a folder of its own. */
function framesFolder(folder: string, options: RunOptions, run: RunRecord, io: Io): string {
  return options.scenario.length > 1 ? resolve(io.cwd, folder, run.runId) : resolve(io.cwd, folder);
}

function logPath(options: RunOptions, run: RunRecord, io: Io): string {
  if (options.out !== undefined) return resolve(io.cwd, options.out);
  return join(io.cwd, 'runs', `${run.runId}.sqlite`);
}

/** A path as the user would type it. */
function shown(path: string, io: Io): string {
  const near = relative(io.cwd, path);
  return near.startsWith('..') ? path : near;
}

function runView(ready: Ready, address: string, heard: RepliesHeard): RunView {
  const { opened, options, sheet, io, names, desk } = ready;
  return new RunView({
    sheet,
    paint: painter(io, sheet),
    quiet: options.quiet,
    names,
    heard,
    title: opened.scenario.title,
    address,
    program: io.program,
    now: () => performance.now(),
    isHeld: () => desk.isBusy,
  });
}

function exitCode(end: RunEnd): ExitCode {
  if (end.status === 'interrupted') return 130;
  return end.status === 'succeeded' || end.status === 'ended' ? 0 : 1;
}

/** What `run --json` prints; its shape is documented in docs/CLI.md and kept. */
function document(run: RunRecord, log: string, end: RunEnd, usage: UsageCount): object {
  return {
    run_id: run.runId,
    log,
    status: end.status,
    reason: end.reason,
    turns: end.turns,
    steps: end.steps,
    state_hash: end.stateHash,
    chain_hash: end.chain,
    usage: usage.document(),
  };
}
