/**
 * One run on the command line, new or resumed: it assigns players, handles Ctrl-C, prints each step, and
 * writes and closes the log. In: an opened scenario and the user's options; out: an exit code and the JSON
 * document of the run.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { ExitCode } from '../../base/errors.js';
import { OrchestrateError, UsageError } from '../../base/errors.js';
import type { RunEnd, RunRecord } from '../../trajectory/records.js';
import { LogWriter } from '../../log/writer.js';
import { TerminalPlayer } from '../live/terminal-player.js';
import { FramesSent } from './frames-sent.js';
import { makeFramesFolder, withFrames } from './frames-folder.js';
import { printError, printWarning } from '../text/error-text.js';
import { listenForInterrupts } from '../terminal/interrupt.js';
import type { Interrupts } from '../terminal/interrupt.js';
import type { Io } from '../terminal/io.js';
import type { LineInput } from '../terminal/line-input.js';
import type { OpenedScenario } from '../../assembly/open.js';
import { withUnreadNotice } from '../../trajectory/unread-replies.js';
import { fileFor, fromCwd } from '../options/paths.js';
import { pictureWay } from '../terminal/pictures.js';
import type { PictureWay } from '../terminal/pictures.js';
import { programControllers } from '../options/programs.js';
import type { AgentProgram, ProgramControllers } from '../options/programs.js';
import { recordings } from '../options/recordings.js';
import type { Recordings } from '../options/recordings.js';
import { RepliesHeard } from './replies-heard.js';
import { RunView } from '../live/run-view.js';
import { askedAddresses } from '../options/server-keys.js';
import type { KeyOptions } from '../options/server-keys.js';
import type { Sheet } from '../terminal/sheet.js';
import { stepPrompt } from '../live/step-prompt.js';
import { displayNames, painter } from '../terminal/style.js';
import { UsageCount } from '../../trajectory/usage-count.js';
import { memoryFiles } from '../../assembly/memory-files.js';
import type { MemoryStore } from '../../assembly/memory-files.js';
import type { OwnSeats } from '../../assembly/own-exports.js';
import type { Scenario } from '../../scenario/scenario.js';
import { prepare } from '../../assembly/play.js';
import type { Continuation, PreparedRun } from '../../assembly/play.js';
import { modelsOfAgents } from '../../scenario/scenario.js';
import { variablesOf } from '../options/variables.js';
import { passThroughSink } from '../../trajectory/passing-sink.js';
import type { RunSink } from '../../trajectory/sink.js';

// Warns the user, once per run, if a server ignores or refuses guided decoding. It is a sink before the log,
// because every reply passes there; it changes nothing.

const NOTICES: readonly (readonly [adaptation: string, words: string])[] = [
  [
    'unguided',
    'a reply does not have the form that the server was asked to enforce, so the server may be ignoring guided decoding. Replies are parsed as usual',
  ],
  ['guided-dropped', 'the server refuses guided decoding: replies in this run are not guided'],
];

/** `warn` is called at the first such reply. */
export function withNotices(sink: RunSink, warn: (words: string) => void): RunSink {
  const told = new Set<string>();
  const tell = (adaptations: readonly string[]): void => {
    for (const [adaptation, words] of NOTICES) {
      if (told.has(adaptation) || !adaptations.includes(adaptation)) continue;
      told.add(adaptation);
      warn(`${words} (orchestrate doctor shows what the server can do)`);
    }
  };
  return {
    ...passThroughSink(sink),
    reply: (runId, call, end, durable) => {
      if (end.kind === 'replied') tell(end.reply.adaptations);
      sink.reply(runId, call, end, durable);
    },
  };
}

/** The user's options, whichever command plays. */
export interface GameOptions extends KeyOptions {
  /** Address of the run whose replies are played. */
  readonly recording: string | undefined;
  readonly programs: readonly AgentProgram[];
  readonly programSeconds: number | undefined;
  readonly out?: string | undefined;
  readonly frames: string | undefined;
  readonly memories: string | undefined;
  readonly step: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
  /** Whether the same command plays other runs. */
  readonly isOneOfMany: boolean;
}

export interface RunResult {
  readonly code: ExitCode;
  /** Null if the run was stopped before it began. */
  readonly document: object | null;
}

/** Shared by all runs of one command. */
export function picturesFor(io: Io, { json }: Pick<GameOptions, 'json'>): GameSetup['pictures'] {
  let way: Promise<PictureWay | null> | null = null;
  return () => (way ??= pictureWay(io, json ? io.err : io.out));
}

export async function runOne(game: GameSetup): Promise<RunResult> {
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

export interface GameSetup {
  readonly opened: OpenedScenario;
  /** Controllers that replace those of the scenario. */
  readonly seats: OwnSeats;
  readonly options: GameOptions;
  readonly io: Io;
  readonly lines: LineInput;
  /**
   * How pictures are shown. The terminal is asked once, before anyone types, because its answer arrives as
   * input.
   */
  readonly pictures: () => Promise<PictureWay | null>;
  /** Absent for a new run. */
  readonly goesOn?: LogGoesOn;
}

/** A run that continues in its own log, or in its parent's. */
export interface LogGoesOn extends Continuation {
  /** Has the log open already. */
  readonly writer: LogWriter;
  /** The run's address as the user would type it. */
  readonly address: (runId: string) => string;
  /** Printed next to the run's title. */
  readonly note: string;
  /** The past has been restored. */
  readonly close: () => void;
}

interface GameSession extends GameSetup {
  /** Where human-readable output goes. */
  readonly sheet: Sheet;
  readonly interrupts: Interrupts;
}

async function playOne(table: GameSession): Promise<RunResult> {
  const { opened, options, io, interrupts } = table;
  const names = displayNames(opened.scenario.agents);
  const hasPerson = options.step || opened.scenario.agents.some((one) => one.controller.kind === 'human');
  const way = hasPerson ? await table.pictures() : null;
  const desk = new TerminalPlayer({ ...table, names, way, giveUp: interrupts.stopNow });
  const agents = opened.scenario.agents.map(({ id }) => id);
  const players = programControllers(options.programs, io, options.programSeconds);
  const recorded = recordings(options.recording, agents, io);
  try {
    return await playWith({ ...table, desk, names, agents, players, recorded });
  } finally {
    recorded.close();
  }
}

interface GamePlayers extends GameSession {
  readonly names: Readonly<Record<string, string>>;
  readonly desk: TerminalPlayer;
  readonly players: ProgramControllers;
  readonly agents: readonly string[];
  readonly recorded: Recordings;
}

function memoriesOf({ name, agents }: Scenario, folder: string | undefined, io: Io): MemoryStore {
  if (folder !== undefined && !agents.some(({ memory }) => memory.kind === 'file'))
    throw new UsageError(`no agent of ${name} has a memory across runs, so --memories has no effect`, [
      'only a memory of the kind `file` is kept across runs (docs/reference/prompts.md, memory)',
    ]);
  return memoryFiles(fromCwd(io, folder ?? 'memories'), name);
}

async function playWith(table: GamePlayers): Promise<RunResult> {
  const { opened, seats, options, io, lines, sheet, interrupts, desk, agents, players, recorded } = table;
  const controllers = { ...seats.controllers, ...recorded.controllers, ...players.controllers };
  const models = modelsOfAgents(opened.scenario, Object.keys(controllers));
  const keys = await askedAddresses(models, options, { io, lines, signal: interrupts.stop.soft });
  const prepared = await prepare(opened, {
    variables: variablesOf(io),
    keys,
    stop: interrupts.stop,
    memories: memoriesOf(opened.scenario, options.memories, io),
    person: desk,
    ...seats,
    controllers,
    ...(table.goesOn === undefined ? {} : { goesOn: table.goesOn }),
    ...(options.step ? { beforeStep: stepPrompt({ desk, sheet, interrupts, agents }) } : {}),
  });
  try {
    return await playPrepared({ ...table, prepared });
  } finally {
    await prepared.close();
  }
}

interface ReadyGame extends GamePlayers {
  readonly prepared: PreparedRun;
}

async function playPrepared(ready: ReadyGame): Promise<RunResult> {
  const { options, io, prepared } = ready;
  const { run } = prepared;
  for (const remark of prepared.remarks) printWarning(remark, io);
  const frames = options.frames === undefined ? null : framesFolder(options.frames, options, run, io);
  if (frames !== null) makeFramesFolder(frames);
  const { log, address, writer } = sinkFor(ready);
  const heard = new RepliesHeard();
  const usage = new UsageCount();
  const sent = new FramesSent(ready.opened.scenario.render.tilePixels);
  const view = runView(ready, address, { heard, usage, sent });
  ready.players.keepErrors((agent) => join(dirname(log), `${run.runId}.${agent}.stderr.txt`));
  try {
    const kept = frames === null ? writer : withFrames(writer, frames);
    const warn = (words: string): void => view.aside(() => printWarning(words, io));
    const warned = withUnreadNotice(withNotices(kept, warn), warn);
    const sink = heard.hearing(usage.countingSink(sent.counting(warned)));
    const failure = await prepared.play(sink, view).then(() => null, asFailure);
    if (view.end === null) throw failure?.error;
    const code = failure === null ? exitCode(view.end) : printError(failure.error, io);
    return { code, document: document(run, shown(log, io), view.end, { usage, sent }) };
  } finally {
    view.close();
    ready.goesOn?.close();
    writer.close();
  }
}

function sinkFor({ options, io, prepared, goesOn }: ReadyGame) {
  const { run } = prepared;
  if (goesOn !== undefined)
    return { log: goesOn.writer.path, address: goesOn.address(run.runId), writer: goesOn.writer };
  const log = logPath(options, run, io);
  // A file that existed before contains other runs too, so this run must be named.
  const address = existsSync(log) ? `${shown(log, io)}#${run.runId}` : shown(log, io);
  return { log, address, writer: new LogWriter(log) };
}

function asFailure(error: unknown): { readonly error: unknown } {
  return { error };
}

/** The frames of several runs would overwrite one another, so each run gets its own folder. */
function framesFolder(folder: string, options: GameOptions, run: RunRecord, io: Io): string {
  return options.isOneOfMany ? resolve(io.cwd, folder, run.runId) : resolve(io.cwd, folder);
}

function logPath(options: GameOptions, run: RunRecord, io: Io): string {
  const name = `${run.runId}.sqlite`;
  return options.out === undefined ? join(io.cwd, 'runs', name) : fromCwd(io, fileFor(options.out, name, io));
}

/** A path as the user would type it. */
export function shown(path: string, io: Io): string {
  const near = relative(io.cwd, path);
  return near.startsWith('..') ? path : near;
}

/** The sinks through which records pass on their way to the log. */
interface GameListeners {
  readonly heard: RepliesHeard;
  readonly usage: UsageCount;
  readonly sent: FramesSent;
}

function runView(ready: ReadyGame, address: string, { heard, usage, sent }: GameListeners): RunView {
  const { opened, options, sheet, io, names, desk, goesOn } = ready;
  return new RunView({
    sheet,
    paint: painter(io, sheet),
    quiet: options.quiet,
    names,
    heard,
    wasted: () => usage.wasted,
    frames: () => sent.lines(),
    title: goesOn === undefined ? opened.scenario.title : `${opened.scenario.title} (${goesOn.note})`,
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

/** What `run --json` prints; its shape is documented in docs/reference/commands.md and must not change. */
function document(
  run: RunRecord,
  log: string,
  end: RunEnd,
  { usage, sent }: Pick<GameListeners, 'usage' | 'sent'>,
): object {
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
    frames: sent.document(),
  };
}
