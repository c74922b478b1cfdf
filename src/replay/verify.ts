/**
 * Verification: a logged run is replayed by the same loop, with recordings in place of everything outside
 * (`playback.ts`), and everything that the loop would write is compared with the log.
 */
import { PROMPT_VERSION } from '../agent/prompt.js';
import type { Controller } from '../agent/controller.js';
import {
  errorMessage,
  ModelError,
  OrchestrateError,
  ScenarioError,
  StorageError,
  UsageError,
} from '../base/errors.js';
import { lookUp } from '../base/look-up.js';
import type { Environment } from '../environment/environment.js';
import { genesis } from '../trajectory/chain.js';
import { readFigures } from '../log/read-figures.js';
import { LogReader } from '../log/reader.js';
import type { RunRecord, RunStatus } from '../trajectory/records.js';
import { FREE_FORM } from '../model/chat.js';
import type { Painter, RunContext, Seat, EffectHandler } from '../orchestrator/run-context.js';
import { TurnOrchestrator } from '../orchestrator/turn-orchestrator.js';
import type { Protocol } from '../parse/protocol.js';
import { PARSER_VERSION } from '../parse/protocols.js';
import { RENDER_VERSION } from '../render/draw.js';
import { valueDifference } from './compare.js';
import { assertSame } from './comparison.js';
import { asDifference, DifferenceFound } from './difference.js';
import type { ReplayDifference, FoundDifference } from './difference.js';
import { RecordingEnds } from './log-end.js';
import { requireActions } from './missing-actions.js';
import { parentPast } from './restored-history.js';
import { Playback } from './playback.js';
import { Recording } from './recording.js';
import type { ActionRegistry } from '../environment/action.js';

/** The parts of a logged run, opened from its record alone. */
export interface ReplayStage {
  environment: Environment<unknown>;
  /** How an agent's replies are parsed. */
  protocol(agent: string): Protocol;
  /** Null if nothing is drawn. Throws UsageError or ScenarioError if the tileset can't be used. */
  painter(): Promise<Painter | null>;
  /** The agents' seats, with the given controllers. */
  seats(controllers: Readonly<Record<string, Controller>>, hasPicture: boolean): readonly Seat[];
}

/**
 * Throws UsageError if the run has an unknown environment, and other errors if its definition can't be
 * opened.
 */
export type OpenStage = (run: RunRecord) => ReplayStage;

/** How far a logged run was replayed. */
export interface VerifiedRun {
  run: string;
  /**
   * The run's logged status. It is `running` if the run was killed or is in progress, in which case it is
   * verified up to its last step.
   */
  status: RunStatus;
  /** The steps and frames that were replayed and are identical. */
  steps: number;
  frames: number;
  /** The first difference; null if everything is identical. */
  difference: ReplayDifference | null;
  /**
   * The record whose content does not match its own hash and causes the difference, in one sentence; null if
   * all hashes match.
   */
  damage: string | null;
}

/** Which part of a fork is replayed. */
export interface VerifyOptions {
  /**
   * Runs whose steps are known to be identical: for a fork of one of them, only its own steps are replayed.
   */
  verified?: ReadonlySet<string>;
}

/**
 * Replays a logged run from its log alone and compares every step, up to the first difference. Throws
 * StorageError, naming the step, if the log can't be read, or has damage that does not affect the replay;
 * UsageError if it was played with an environment, action, protocol or memory that `open` does not have.
 */
export async function verifyRun(
  reader: LogReader,
  runId: string,
  open: OpenStage,
  { verified = new Set() }: VerifyOptions = {},
): Promise<VerifiedRun> {
  try {
    return { ...(await replayRun(reader, runId, { open, verified })), damage: null };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const result = await differenceDespiteDamage(reader.path, runId, { open, verified });
    if (result === null) throw error;
    return { ...result, damage: error.message };
  }
}

/**
 * The difference caused by damage, found by using the stored content unchecked; null if it changed nothing
 * that is compared, or can't be read.
 */
async function differenceDespiteDamage(
  path: string,
  runId: string,
  options: VerifyContext,
): Promise<Omit<VerifiedRun, 'damage'> | null> {
  let reader: LogReader | null = null;
  try {
    reader = new LogReader(path, 'unchecked');
    const result = await replayRun(reader, runId, options);
    return result.difference === null || UNPLAYABLE.includes(result.difference.part) ? null : result;
  } catch (error) {
    if (error instanceof OrchestrateError) return null;
    throw error;
  } finally {
    reader?.close();
  }
}

/**
 * Parts that only report that the run can't be replayed, or not by this program: the damage itself says more.
 */
const UNPLAYABLE: readonly string[] = ['simulation', 'scenario', 'tileset', 'version'];

async function replayRun(
  reader: LogReader,
  runId: string,
  { open, verified }: VerifyContext,
): Promise<Omit<VerifiedRun, 'damage'>> {
  // They do not affect the replay, so they are checked against their own hashes, each other, and the
  // controllers of the steps.
  reader.leases(runId, { areWhole: true });
  const recording = new Recording(reader, runId);
  const status = recording.end?.status ?? 'running';
  const past = await verifyPast(reader, recording.run, { open, verified });
  if (past !== null && past.difference !== null) return { ...past, run: runId, status };
  const player = new RunReplayer({ reader, recording, open });
  const found = (await player.play()) ?? figuresDifference(reader, recording.run);
  const difference = found === null ? null : asDifference(runId, found);
  const steps = (past?.steps ?? 0) + player.steps;
  return { run: runId, status, steps, frames: (past?.frames ?? 0) + player.frames, difference };
}

/** Stored figures that differ from those of the steps; null if none are stored. */
function figuresDifference(reader: LogReader, run: RunRecord): FoundDifference | null {
  const storedFigures = reader.keptFigures(run.runId);
  const difference = storedFigures === null ? null : valueDifference(storedFigures, readFigures(reader, run));
  const note = "the figures stored with the run's end differ from those of its steps";
  return difference === null ? null : { ...difference, step: null, agent: null, part: 'figures', note };
}

interface VerifyContext extends Required<VerifyOptions> {
  open: OpenStage;
}

/**
 * The steps that a fork shares with its parent; null for a run without a parent, or if these steps are
 * already verified.
 */
async function verifyPast(
  reader: LogReader,
  { parent, runId }: RunRecord,
  options: VerifyContext,
): Promise<Pick<VerifiedRun, 'steps' | 'frames' | 'difference'> | null> {
  if (parent === undefined || options.verified.has(parent.runId)) return null;
  const to = parent.step - 1;
  const run = reader.run(parent.runId);
  const before = await verifyPast(reader, run, options);
  if (before?.difference != null || to < (run.parent?.step ?? 1)) return before;
  const player = new RunReplayer({
    reader,
    recording: new Recording(reader, run.runId, to),
    open: options.open,
  });
  const found = await player.play();
  return {
    steps: (before?.steps ?? 0) + player.steps,
    frames: (before?.frames ?? 0) + player.frames,
    difference: found === null ? null : asDifference(runId, found),
  };
}

interface PlayerOptions {
  reader: LogReader;
  recording: Recording;
  open: OpenStage;
}

class RunReplayer {
  readonly #reader: LogReader;
  readonly #recording: Recording;
  readonly #open: OpenStage;
  #playback: Playback | null = null;
  #stage: ReplayStage | null = null;

  constructor({ reader, recording, open }: PlayerOptions) {
    this.#reader = reader;
    this.#recording = recording;
    this.#open = open;
  }

  /** Replayed and identical. */
  get steps(): number {
    const { first } = this.#recording;
    return Math.max(0, (this.#playback?.steps ?? 0) - (first - 1));
  }

  get frames(): number {
    return this.#playback?.frames ?? 0;
  }

  /** The first difference; null for none. */
  async play(): Promise<FoundDifference | null> {
    try {
      await this.#play();
      if (this.#playback?.difference == null) return null;
      throw this.#playback.difference;
    } catch (error) {
      const difference = this.#playback?.difference ?? null;
      if (error instanceof RecordingEnds && difference === null) return null;
      const found = this.#differenceIn(difference ?? error);
      this.#requireActions(found);
      return versionDifference(found, this.#recording.run, this.#stage) ?? found;
    }
  }

  async #play(): Promise<void> {
    const { run } = this.#recording;
    compareHead(run);
    const stage = this.#openStage(run);
    const painter = await painterOf(stage);
    const playback = new Playback(this.#recording, (state) => stage.environment.parts(state));
    this.#playback = playback;
    const controllers = run.scenario.agents.map(({ id }) => [id, recordedController(id, playback)] as const);
    const seats = stage.seats(Object.fromEntries(controllers), painter !== null);
    const loop = new TurnOrchestrator({
      // The program that played the newest session wrote the end.
      run: { ...run, versions: this.#recording.lastVersions },
      scenario: run.scenario,
      environment: stage.environment,
      // Request settings besides the messages are not part of the chain, and no server is called.
      seats: seats.map((seat) => ({ ...seat, composer: { ...seat.composer, form: () => FREE_FORM } })),
      painter,
      effectHandlers: recordedEffectHandlers(stage.environment.actions, playback),
      sink: playback,
      clock: playback.clock,
      watcher: {},
      discardedCalls: (step) => this.#recording.at(step).speculative,
      ...this.#past(run),
    });
    try {
      await loop.run(playback.stop);
    } catch (error) {
      // The logged error that ended the run also ends the replay; it is expected if the end is identical.
      if (!(error instanceof ModelError) || !playback.hasEnded) throw error;
    }
  }

  /** A fork's earlier steps, which are verified by themselves; the time that they took has passed. */
  #past({ parent }: RunRecord): Pick<RunContext<unknown>, 'past'> {
    if (parent === undefined) return {};
    const open = (run: RunRecord) => this.#open(run).environment;
    const options = { reader: this.#reader, runId: parent.runId, last: parent.step - 1, open };
    return { past: { ...parentPast(options), elapsedMs: 0, pendingMs: 0 } };
  }

  #openStage(run: RunRecord): ReplayStage {
    try {
      this.#stage = this.#open(run);
      return this.#stage;
    } catch (error) {
      if (error instanceof OrchestrateError && !(error instanceof StorageError)) throw error;
      throw new DifferenceFound(unplayable(error, { part: 'scenario', step: null }));
    }
  }

  /**
   * Throws UsageError if the differing step offered actions that this world doesn't have: then nothing else
   * can be said about it.
   */
  #requireActions({ step }: FoundDifference): void {
    if (this.#stage === null || step === null) return;
    const { runId } = this.#recording.run;
    requireActions(runId, this.#reader.calls(runId, step), this.#stage.environment);
  }

  #differenceIn(error: unknown): FoundDifference {
    if (error instanceof DifferenceFound) return error.difference;
    const step = (this.#playback?.steps ?? this.#recording.first - 1) + 1;
    if (error instanceof StorageError) {
      const where = this.#playback === null ? '' : `, step ${step}`;
      throw new StorageError(`run ${this.#recording.run.runId}${where}: ${error.message}`, error.hints, {
        cause: error,
      });
    }
    if (error instanceof OrchestrateError) throw error;
    // A log may contain impossible states: an exception of the rules is reported, not thrown at the user.
    return unplayable(error, { part: 'simulation', step });
  }
}

function unplayable(error: unknown, { part, step }: Pick<FoundDifference, 'part' | 'step'>): FoundDifference {
  const reason = errorMessage(error);
  const note = `the run can't be replayed: ${reason}`;
  return { step, agent: null, part, path: [], logged: undefined, made: reason, note };
}

function compareHead({ scenario, seed, versions, genesisHash }: RunRecord): void {
  const wholeRun = { step: null, agent: null };
  const aspect = { part: 'seed', at: ['seed'], note: "the run's seed differs from the seed in its scenario" };
  assertSame(wholeRun, aspect, seed, scenario.seed);
  const note = 'the scenario, the seed or the version of the rules differs from the one that was played';
  const made = genesis({ scenario, seed, rules: versions.rules, log: versions.log });
  assertSame(wholeRun, { part: 'scenario', at: ['genesisHash'], note }, genesisHash, made);
}

async function painterOf(stage: ReplayStage): Promise<Painter | null> {
  try {
    return await stage.painter();
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ScenarioError)) throw error;
    throw new DifferenceFound(unplayable(error, { part: 'tileset', step: null }));
  }
}

/** If the program's own rules have changed since, that is reported; null if they are the same. */
function versionDifference(
  found: FoundDifference,
  { versions }: RunRecord,
  stage: ReplayStage | null,
): FoundDifference | null {
  const current = {
    rules: stage?.environment.rulesVersion ?? versions.rules,
    parser: PARSER_VERSION,
    prompt: PROMPT_VERSION,
    render: RENDER_VERSION,
  };
  const { rules, parser, prompt, render } = versions;
  const mismatch = valueDifference({ rules, parser, prompt, render }, current);
  if (mismatch === null) return null;
  const name = String(mismatch.path[0]);
  const note = `the log was made with version ${String(mismatch.logged)} of ${lookUp(VERSION_NAMES, name) ?? name}, but this program has version ${String(mismatch.made)}; difference: ${found.note}`;
  return {
    ...mismatch,
    step: found.step,
    agent: found.agent,
    part: 'version',
    path: ['versions', name],
    note,
  };
}

const VERSION_NAMES: Readonly<Record<string, string>> = {
  rules: 'the rules',
  parser: 'the parser',
  prompt: 'the prompts',
  render: 'the renderer',
};

// The controllers and effect handlers of a replayed run: they return what the log contains.

/** Answers with the logged answer to the current call. */
function recordedController(agent: string, playback: Playback): Controller {
  return {
    get name() {
      return playback.nameOf(agent);
    },
    isRemote: false,
    isVacant: () => playback.isVacant(agent),
    decide: () => playback.answer(agent),
    get answer() {
      return playback.givesText(agent) ? async () => (await playback.answer(agent)).reply : undefined;
    },
  };
}

/** By name, one for every effect handler of the environment; nothing outside is called. */
function recordedEffectHandlers(
  actions: ActionRegistry<unknown>,
  playback: Playback,
): Readonly<Record<string, EffectHandler>> {
  const names = actions.list().flatMap(({ outside }) => (outside === undefined ? [] : [outside.handler]));
  const perform: EffectHandler = async (_args, agent) => playback.output(agent);
  return Object.fromEntries(names.map((name) => [name, perform]));
}
