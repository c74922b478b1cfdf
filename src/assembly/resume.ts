/**
 * Continues a logged run: from the point of an interruption, or as a fork from one of its steps. For
 * programs, `resumeRun` and `forkRun` do everything in one call; the command line does the same with a
 * progress display.
 */
import { counted } from '../base/counted.js';
import { differences } from '../base/differences.js';
import { UsageError } from '../base/errors.js';
import { WORLD_ID } from '../base/ids.js';
import type { Json, JsonObject } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import { decidersAt } from '../trajectory/player-names.js';
import type { LogReader } from '../log/reader.js';
import type { RunEnd, RunRecord } from '../trajectory/records.js';
import type { RunWatcher } from '../orchestrator/run-context.js';
import {
  lastStep,
  ownPast,
  parentPast,
  pendingGivenReplies,
  requireVersions,
  withGivenReplies,
} from '../replay/restored-history.js';
import type { Scenario } from '../scenario/scenario.js';
import { MODULES } from '../worlds/registry.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { withForkSettings } from './fork-settings.js';
import { openLogged } from './open-logged.js';
import { prepare } from './play.js';
import type { Continuation, PlayOptions } from './play.js';
import { withClaimedRun } from './claimed-run.js';
import type { ResumableRun } from './claimed-run.js';

/** Where a fork begins, and what its agents answer first. */
export interface ForkPoint {
  /** The first replayed step, from 1. */
  at: number;
  /** The next answer of an agent, by agent, instead of its own. */
  given: Readonly<Record<string, string>>;
}

/** The run itself, from the point where it stopped. */
export function resumeContinuation({ reader, run, open }: ResumableRun): Continuation {
  return {
    past: ownPast({ reader, runId: run.runId, open }),
    kept: run.kept,
    given: pendingGivenReplies(reader, run),
    // The settings of the session that begins now.
    adopt: ({ versions, controllers, startedAt }) => ({
      ...run,
      versions,
      controllers: keepPlayerNames(controllers, reader.sessions(run.runId).at(-1)?.controllers ?? {}),
      startedAt,
    }),
  };
}

/** A new run that shares the steps before one of this run's. */
export function forkContinuation(
  { reader, run, open }: ResumableRun,
  { at, given }: ForkPoint,
): Continuation {
  const { runId, source, tileset, kept, seed } = run;
  const earlierDeciders = decidersAt(reader.sessions(runId), at - 1);
  return {
    past: parentPast({ reader, runId, last: at - 1, open }),
    kept,
    given,
    adopt: (fresh) => ({
      ...withGivenReplies(
        { ...fresh, controllers: keepPlayerNames(fresh.controllers, earlierDeciders) },
        given,
      ),
      parent: { runId, step: at },
      source,
      tileset,
      kept,
      seed,
    }),
  };
}

type RunControllers = RunRecord['controllers'];

/** A player that stays the same keeps its name, which a batch may have given it. */
function keepPlayerNames(current: RunControllers, previous: RunControllers): RunControllers {
  return Object.fromEntries(
    Object.entries(current).map(([agent, entry]) => [
      agent,
      keepPlayerName(entry, lookUp(previous, agent) ?? null),
    ]),
  );
}

function keepPlayerName(current: Json, previous: Json): Json {
  const { player, lineup, ...others } = Object(previous) as JsonObject;
  const isSame = player !== undefined && differences(others, current).length === 0;
  if (!isSame) return current;
  return { ...(current as JsonObject), player, ...(lineup === undefined ? {} : { lineup }) };
}

/** Throws UsageError if a fork can't begin at this step. */
export function requireForkStep({ reader, run }: ResumableRun, at: number, { turns }: Scenario): void {
  const steps = lastStep(reader, run.runId);
  if (at > steps + 1)
    throw new UsageError(`there is no step ${at} to replay`, [
      `the run has ${counted(steps, 'step')}, so a fork can begin at step 1 to ${steps + 1}`,
    ]);
  const previousStep = at === 1 ? null : reader.step(run.runId, at - 1);
  const isInTurn = previousStep !== null && previousStep.agent !== WORLD_ID;
  if (!isInTurn) return;
  if (turns.order !== run.scenario.turns.order)
    throw new UsageError(`turns.order can't change: step ${at} is in the middle of a turn`, [
      'fork at the first step of a turn to change who acts when',
    ]);
  const isTick = turns.order === 'simultaneous' && reader.step(run.runId, at)?.agent !== WORLD_ID;
  if (!isTick || at > steps) return;
  let firstOfTick = at;
  while (firstOfTick > 1 && reader.step(run.runId, firstOfTick - 1)?.agent !== WORLD_ID) firstOfTick -= 1;
  throw new UsageError(`all agents act at once in turn ${previousStep.turn}, so its steps can't be split`, [
    `fork at its first step, ${firstOfTick}, and name the agent whose answer changes`,
  ]);
}

/**
 * Options of a continued run. What a log does not contain must be passed again: controllers, protocols,
 * memories, programs.
 */
export interface ResumeOptions extends Omit<PlayOptions, 'goesOn'> {
  /** The id of the run; may be omitted if the log has only one. */
  runId?: string;
  /** Environments in addition to the built-in ones. */
  modules?: readonly EnvironmentModule[];
  /** The folder of files that its agents read. */
  root?: string;
  watcher?: RunWatcher;
}

/** Where a fork begins, and what changes from there on. */
export interface ForkOptions extends ResumeOptions {
  /** The first replayed step, from 1 to the number of steps plus one. */
  at: number;
  /** The next answer of an agent, by agent, instead of its own. */
  replies?: Readonly<Record<string, string>>;
  /**
   * Settings as `key=value`, such as `turns.max=60`; settings that would have changed the earlier steps are
   * refused.
   */
  set?: readonly string[];
  /**
   * Names of environment variables that the scenario may read, in addition to `VLLM_URL` and `VLLM_MODEL`.
   */
  env?: readonly string[];
}

/** A run that was continued to its end. */
export interface GoneOn {
  run: RunRecord;
  end: RunEnd;
}

/**
 * Continues an interrupted run in the same log, using only the log; for a finished run, only the calls after
 * its end are made. Stored replies are reused. Throws UsageError if something is missing or the log has
 * another version, StorageError if the log can't be written or another process writes it, ModelError if a
 * model can't be used.
 */
export function resumeRun(log: string, options: ResumeOptions = {}): Promise<GoneOn> {
  return continueRun(log, options, (logged) => {
    requireVersions(logged.run);
    return { goesOn: resumeContinuation(logged), scenario: logged.run.scenario };
  });
}

/**
 * Replays a logged run from a given step as a new run in the same log, which shares the earlier steps. Throws
 * like `resumeRun`, and UsageError if no fork can begin there or a setting would change earlier steps.
 */
export function forkRun(log: string, options: ForkOptions): Promise<GoneOn> {
  const { at, set = [], env = [], replies: given = {}, variables = () => undefined } = options;
  return continueRun(log, options, (logged, modules) => {
    const scenario = withForkSettings(logged.run, { set, env, modules, variables });
    requireForkStep(logged, at, scenario);
    return { goesOn: forkContinuation(logged, { at, given }), scenario };
  });
}

async function continueRun(
  log: string,
  options: ResumeOptions,
  plan: (
    logged: ResumableRun,
    modules: readonly EnvironmentModule[],
  ) => { goesOn: Continuation; scenario: Scenario },
): Promise<GoneOn> {
  const modules = [...(options.modules ?? []), ...MODULES];
  const choose = (reader: LogReader): string => options.runId ?? onlyRun(reader);
  // If another process is writing the log, that error comes first, before a missing run id.
  const check = (reader: LogReader): void => {
    const chosen = reader.runs().find(({ runId }) => options.runId === undefined || runId === options.runId);
    if (chosen !== undefined) reader.run(chosen.runId);
  };
  return withClaimedRun(log, { choose, modules, check }, async (claimed) => {
    const { root, watcher } = options;
    const { goesOn, scenario } = plan(claimed, modules);
    const opened = await openLogged(claimed.run, { modules, root, change: () => scenario });
    const prepared = await prepare(opened, { ...options, goesOn });
    return { run: prepared.run, end: await prepared.play(claimed.writer, watcher) };
  });
}

function onlyRun(reader: LogReader): string {
  const [first, ...others] = reader.runs();
  if (first !== undefined && others.length === 0) return first.runId;
  throw new UsageError(`the log ${reader.path} has ${counted(reader.runs().length, 'run')}`, [
    'choose one with `runId`',
  ]);
}
