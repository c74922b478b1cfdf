/**
 * One run on the command line, new or resumed: it assigns players, handles Ctrl-C, prints each step, and
 * writes and closes the log.
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
import type { Io } from '../terminal/io.js';
import type { LineInput } from '../terminal/line-input.js';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import { withUnreadNotice } from '../../trajectory/unread-replies.js';
import { fileFor, fromCwd } from '../options/paths.js';
import { pictureMethod } from '../terminal/pictures.js';
import type { PictureMethod } from '../terminal/pictures.js';
import { programControllers } from '../options/programs.js';
import type { Chosen } from '../options/option.js';
import type { PlayerOptions } from '../options/player-options.js';
import type { FILES, OUTSIDE } from '../options/run-options.js';
import { recordings } from '../options/recordings.js';
import { ReplyCollector } from './reply-collector.js';
import { RunView } from '../live/run-view.js';
import { confirmedAddresses } from '../options/server-keys.js';
import { stepPrompt } from '../live/step-prompt.js';
import { displayNames, painter } from '../terminal/style.js';
import { UsageCount } from '../../trajectory/usage-count.js';
import { memoryFiles } from '../../assembly/memory-files.js';
import type { MemoryStore } from '../../assembly/memory-files.js';
import type { OwnSeats } from '../../assembly/own-exports.js';
import type { Scenario } from '../../scenario/scenario.js';
import { prepare } from '../../assembly/play.js';
import type { Continuation } from '../../assembly/play.js';
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
export type GameOptions = Chosen<typeof FILES> &
  Pick<Chosen<typeof OUTSIDE>, 'key' | 'step'> &
  PlayerOptions & {
    out?: string | undefined;
    /** Whether the same command plays other runs. */
    isOneOfMany: boolean;
  };

export interface RunResult {
  code: ExitCode;
  /** Null if the run was stopped before it began. */
  document: object | null;
}

/** Shared by all runs of one command. */
export function picturesFor(io: Io, { json }: Pick<GameOptions, 'json'>): GameSetup['pictures'] {
  let method: Promise<PictureMethod | null> | null = null;
  return () => (method ??= pictureMethod(io, json ? io.err : io.out));
}

/** Assigns the players, plays the run, and closes everything; a stop before the first step is exit code 130. */
export async function runOne(game: GameSetup): Promise<RunResult> {
  const { opened, seats, options, io, lines, continuation } = game;
  const { scenario } = opened;
  const output = options.json ? io.err : io.out;
  const interrupts = listenForInterrupts(io, (words) => output.write(`\n${words}\n`));
  const names = displayNames(scenario.agents);
  const agents = scenario.agents.map(({ id }) => id);
  // Newest first.
  const closing: (() => unknown)[] = [interrupts.close];
  try {
    const hasPerson = options.step || scenario.agents.some((one) => one.controller.kind === 'human');
    const method = hasPerson ? await game.pictures() : null;
    const person = new TerminalPlayer({ ...game, output, names, method, giveUp: interrupts.stopNow });
    const players = programControllers(options.programs, io, options.programSeconds);
    const recorded = recordings(options.recording, agents, io);
    closing.unshift(() => recorded.close());
    const controllers = { ...seats.controllers, ...recorded.controllers, ...players.controllers };
    const models = modelsOfAgents(scenario, Object.keys(controllers));
    const keys = await confirmedAddresses(models, options, { io, lines, signal: interrupts.stop.soft });
    const prepared = await prepare(opened, {
      variables: variablesOf(io),
      keys,
      stop: interrupts.stop,
      memories: memoriesOf(scenario, options.memories, io),
      person,
      ...seats,
      controllers,
      ...(continuation === undefined ? {} : { goesOn: continuation }),
      ...(options.step ? { beforeStep: stepPrompt({ player: person, output, interrupts, agents }) } : {}),
    });
    closing.unshift(() => prepared.close());
    const { run } = prepared;
    for (const remark of prepared.remarks) printWarning(remark, io);
    // The frames of several runs would overwrite one another, so each run gets its own folder.
    const frames =
      options.frames === undefined
        ? null
        : resolve(io.cwd, options.frames, options.isOneOfMany ? run.runId : '');
    if (frames !== null) makeFramesFolder(frames);
    const log = continuation?.writer.path ?? logPath(options, run, io);
    // A file that existed before contains other runs too, so this run must be named.
    const newAddress = existsSync(log) ? `${displayPath(log, io)}#${run.runId}` : displayPath(log, io);
    const writer = continuation?.writer ?? new LogWriter(log);
    closing.unshift(
      () => continuation?.close(),
      () => writer.close(),
    );
    players.storeErrorsAt((agent) => join(dirname(log), `${run.runId}.${agent}.stderr.txt`));
    const replies = new ReplyCollector();
    const usage = new UsageCount();
    const frameCounts = new FramesSent(scenario.render.tilePixels);
    const view = new RunView({
      output,
      paint: painter(io, output),
      quiet: options.quiet,
      names,
      replies,
      wasted: () => usage.wasted,
      frames: () => frameCounts.lines(),
      title: continuation === undefined ? scenario.title : `${scenario.title} (${continuation.note})`,
      address: continuation?.address(run.runId) ?? newAddress,
      program: io.program,
      now: () => performance.now(),
      isTyping: () => person.isBusy,
    });
    closing.unshift(() => view.close());
    const warn = (words: string): void => view.printBetween(() => printWarning(words, io));
    const framed = frames === null ? writer : withFrames(writer, frames);
    const warned = withUnreadNotice(withNotices(framed, warn), warn);
    const sink = replies.collectFrom(usage.countingSink(frameCounts.countFrames(warned)));
    const failure = await prepared.play(sink, view).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (view.end === null) throw failure?.error;
    const error = failure?.error ?? neverAnswered(view, names);
    const code = error === null ? exitCode(view.end) : printError(error, io);
    return { code, document: document(run, displayPath(log, io), view.end, { usage, frameCounts }) };
  } catch (error) {
    if (!interrupts.stop.soft.aborted || error instanceof OrchestrateError) throw error;
    output.write('stopped before the run began\n');
    return { code: 130, document: null };
  } finally {
    // Each is closed even if one before it can't be.
    await closing.reduce((closed, close) => closed.finally(close), Promise.resolve());
  }
}

export interface GameSetup {
  opened: OpenedScenario;
  /** Controllers that replace those of the scenario. */
  seats: OwnSeats;
  options: GameOptions;
  io: Io;
  lines: LineInput;
  /**
   * How pictures are shown. The terminal is asked once, before anyone types, because its answer arrives as
   * input.
   */
  pictures: () => Promise<PictureMethod | null>;
  /** Absent for a new run. */
  continuation?: LogContinuation;
}

/** A run that continues in its own log, or in its parent's. */
export interface LogContinuation extends Continuation {
  /** Has the log open already. */
  writer: LogWriter;
  /** The run's address as the user would type it. */
  address: (runId: string) => string;
  /** Printed next to the run's title. */
  note: string;
  /** The past has been restored. */
  close: () => void;
}

function memoriesOf({ name, agents }: Scenario, folder: string | undefined, io: Io): MemoryStore {
  if (folder !== undefined && !agents.some(({ memory }) => memory.kind === 'file'))
    throw new UsageError(`no agent of ${name} has a memory across runs, so --memories has no effect`, [
      'only a memory of the kind `file` is kept across runs (docs/reference/prompts.md, memory)',
    ]);
  return memoryFiles(fromCwd(io, folder ?? 'memories'), name);
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

/** A run that was played to its end, without success, and with an agent whose model never answered. */
function neverAnswered(
  { end, unanswered }: RunView,
  names: Readonly<Record<string, string>>,
): ModelError | null {
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
  { usage, frameCounts }: { usage: UsageCount; frameCounts: FramesSent },
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
