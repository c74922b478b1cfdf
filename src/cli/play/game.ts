/**
 * One run on the command line, new or resumed: it assigns players, handles Ctrl-C, prints each step, and
 * writes and closes the log. In: an opened scenario and the user's options; out: an exit code and the JSON
 * document of the run.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { counted } from '../../base/counted.js';
import type { ExitCode } from '../../base/errors.js';
import { ModelError, OrchestrateError, UsageError } from '../../base/errors.js';
import { lookUp } from '../../base/look-up.js';
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
import { pictureMethod } from '../terminal/pictures.js';
import type { PictureMethod } from '../terminal/pictures.js';
import { programControllers } from '../options/programs.js';
import type { AgentProgram, ProgramControllers } from '../options/programs.js';
import { recordings } from '../options/recordings.js';
import type { Recordings } from '../options/recordings.js';
import { ReplyCollector } from './reply-collector.js';
import { RunView } from '../live/run-view.js';
import { confirmedAddresses } from '../options/server-keys.js';
import type { KeyOptions } from '../options/server-keys.js';
import type { TextOutput } from '../terminal/text-output.js';
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

// Warns the user, once per run, if a server ignores or refuses guided decoding. It is a sink in front of the
// log, where every reply passes, and changes nothing.

const NOTICES: readonly (readonly [adaptation: string, words: string])[] = [
  [
    'unguided',
    'a reply does not have the form that the server was asked to enforce, so the server may be ignoring guided decoding. Replies are parsed as usual',
  ],
  ['guided-dropped', 'the server refuses guided decoding: replies in this run are not guided'],
];

/** `warn` is called at the first such reply. */
export function withNotices(sink: RunSink, warn: (words: string) => void): RunSink {
  const warned = new Set<string>();
  const warnOnce = (adaptations: readonly string[]): void => {
    for (const [adaptation, words] of NOTICES) {
      if (warned.has(adaptation) || !adaptations.includes(adaptation)) continue;
      warned.add(adaptation);
      warn(`${words} (orchestrate doctor shows what the server can do)`);
    }
  };
  return {
    ...passThroughSink(sink),
    reply: (runId, call, end, durable) => {
      if (end.kind === 'replied') warnOnce(end.reply.adaptations);
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
  let method: Promise<PictureMethod | null> | null = null;
  return () => (method ??= pictureMethod(io, json ? io.err : io.out));
}

export async function runOne(game: GameSetup): Promise<RunResult> {
  const { options, io } = game;
  const output = options.json ? io.err : io.out;
  const interrupts = listenForInterrupts(io, (words) => output.write(`\n${words}\n`));
  try {
    return await playOne({ ...game, output, interrupts });
  } catch (error) {
    if (!interrupts.stop.soft.aborted || error instanceof OrchestrateError) throw error;
    output.write('stopped before the run began\n');
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
  readonly pictures: () => Promise<PictureMethod | null>;
  /** Absent for a new run. */
  readonly continuation?: LogContinuation;
}

/** A run that continues in its own log, or in its parent's. */
export interface LogContinuation extends Continuation {
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
  readonly output: TextOutput;
  readonly interrupts: Interrupts;
}

async function playOne(session: GameSession): Promise<RunResult> {
  const { opened, options, io, interrupts } = session;
  const names = displayNames(opened.scenario.agents);
  const hasPerson = options.step || opened.scenario.agents.some((one) => one.controller.kind === 'human');
  const method = hasPerson ? await session.pictures() : null;
  const person = new TerminalPlayer({ ...session, names, method, giveUp: interrupts.stopNow });
  const agents = opened.scenario.agents.map(({ id }) => id);
  const players = programControllers(options.programs, io, options.programSeconds);
  const recorded = recordings(options.recording, agents, io);
  try {
    return await playWithPlayers({ ...session, person, names, agents, players, recorded });
  } finally {
    recorded.close();
  }
}

interface GamePlayers extends GameSession {
  readonly names: Readonly<Record<string, string>>;
  readonly person: TerminalPlayer;
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

async function playWithPlayers(session: GamePlayers): Promise<RunResult> {
  const { opened, seats, options, io, lines, output, interrupts, person, agents, players, recorded } =
    session;
  const controllers = { ...seats.controllers, ...recorded.controllers, ...players.controllers };
  const models = modelsOfAgents(opened.scenario, Object.keys(controllers));
  const keys = await confirmedAddresses(models, options, { io, lines, signal: interrupts.stop.soft });
  const prepared = await prepare(opened, {
    variables: variablesOf(io),
    keys,
    stop: interrupts.stop,
    memories: memoriesOf(opened.scenario, options.memories, io),
    person,
    ...seats,
    controllers,
    ...(session.continuation === undefined ? {} : { goesOn: session.continuation }),
    ...(options.step ? { beforeStep: stepPrompt({ player: person, output, interrupts, agents }) } : {}),
  });
  try {
    return await playPrepared({ ...session, prepared });
  } finally {
    await prepared.close();
  }
}

interface ReadyGame extends GamePlayers {
  readonly prepared: PreparedRun;
}

async function playPrepared(game: ReadyGame): Promise<RunResult> {
  const { options, io, prepared } = game;
  const { run } = prepared;
  for (const remark of prepared.remarks) printWarning(remark, io);
  const frames = options.frames === undefined ? null : framesFolder(options.frames, options, run, io);
  if (frames !== null) makeFramesFolder(frames);
  const { log, address, writer } = sinkFor(game);
  const replies = new ReplyCollector();
  const usage = new UsageCount();
  const frameCounts = new FramesSent(game.opened.scenario.render.tilePixels);
  const view = runView(game, address, { replies, usage, frameCounts });
  game.players.storeErrorsAt((agent) => join(dirname(log), `${run.runId}.${agent}.stderr.txt`));
  try {
    const framed = frames === null ? writer : withFrames(writer, frames);
    const warn = (words: string): void => view.printBetween(() => printWarning(words, io));
    const warned = withUnreadNotice(withNotices(framed, warn), warn);
    const sink = replies.collectFrom(usage.countingSink(frameCounts.countFrames(warned)));
    const failure = await prepared.play(sink, view).then(() => null, asFailure);
    if (view.end === null) throw failure?.error;
    const error = failure?.error ?? neverAnswered(view, game.names);
    const code = error === null ? exitCode(view.end) : printError(error, io);
    return { code, document: document(run, displayPath(log, io), view.end, { usage, frameCounts }) };
  } finally {
    view.close();
    game.continuation?.close();
    writer.close();
  }
}

function sinkFor({ options, io, prepared, continuation }: ReadyGame) {
  const { run } = prepared;
  if (continuation !== undefined)
    return {
      log: continuation.writer.path,
      address: continuation.address(run.runId),
      writer: continuation.writer,
    };
  const log = logPath(options, run, io);
  // A file that existed before contains other runs too, so this run must be named.
  const address = existsSync(log) ? `${displayPath(log, io)}#${run.runId}` : displayPath(log, io);
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
export function displayPath(path: string, io: Io): string {
  const relativePath = relative(io.cwd, path);
  return relativePath.startsWith('..') ? path : relativePath;
}

/** The sinks through which records pass on their way to the log. */
interface GameListeners {
  readonly replies: ReplyCollector;
  readonly usage: UsageCount;
  readonly frameCounts: FramesSent;
}

function runView(game: ReadyGame, address: string, { replies, usage, frameCounts }: GameListeners): RunView {
  const { opened, options, output, io, names, person, continuation } = game;
  return new RunView({
    output,
    paint: painter(io, output),
    quiet: options.quiet,
    names,
    replies,
    wasted: () => usage.wasted,
    frames: () => frameCounts.lines(),
    title:
      continuation === undefined ? opened.scenario.title : `${opened.scenario.title} (${continuation.note})`,
    address,
    program: io.program,
    now: () => performance.now(),
    isTyping: () => person.isBusy,
  });
}

/** A run that was played to its end, without success, and with an agent whose model never answered. */
function neverAnswered({ end, unanswered }: RunView, names: ReadyGame['names']): ModelError | null {
  if (unanswered === null || end === null || !['failed', 'ended'].includes(end.status)) return null;
  const { agent, turns } = unanswered;
  const message = `the model of ${lookUp(names, agent) ?? agent} gave no answer in its ${counted(turns, 'turn')}`;
  return new ModelError(`${message}: each was lost to its server`, {
    isRetryable: false,
    hints: ["the run says nothing about the model; read its server's log, and play again"],
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
  { usage, frameCounts }: Pick<GameListeners, 'usage' | 'frameCounts'>,
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
    frames: frameCounts.document(),
  };
}
