/**
 * One run, from an opened scenario to its end: it assigns the seats, asks the models' servers what they
 * serve, writes the run's record and drives the loop. The real clock, network and randomness enter here. The
 * commands (`run`, `batch`, `serve` …) and the library all play through this.
 */
import type { Memory } from '../agent/memory.js';
import { differences } from '../base/differences.js';
import type { Controller } from '../agent/controller.js';
import { withGivenReply } from '../agent/controllers/given.js';
import type { Person } from '../agent/controllers/human.js';
import { lookUp } from '../base/look-up.js';
import { MemorySink } from '../trajectory/memory-sink.js';
import type { RunEnd, RunRecord } from '../trajectory/records.js';
import type { RunSink } from '../trajectory/sink.js';
import { systemDependencies } from '../model/dependencies.js';
import type { Dependencies } from '../model/dependencies.js';
import type { KeyAddresses } from '../model/keys.js';
import { requireEffectHandlers } from '../orchestrator/outside.js';
import type { RunHistory } from '../orchestrator/run-history.js';
import type {
  BeforeStep,
  EffectHandler,
  RunWatcher,
  Seat,
  StopSignals,
} from '../orchestrator/run-context.js';
import { TurnOrchestrator } from '../orchestrator/turn-orchestrator.js';
import type { Protocol } from '../parse/protocol.js';
import type { Scenario } from '../scenario/scenario.js';
import type { MemoryStore } from './memory-files.js';
import type { OpenedScenario } from './opened-scenario.js';
import { framePainter } from './painter.js';
import { prepareModels, runRecord } from './run-record.js';
import { seatsFor } from './seats.js';

/** Options of a run that replace or extend the scenario. Omitted options are taken from the scenario. */
export interface PlayOptions {
  /** Where keys of model servers are looked up; nowhere by default. */
  variables?: (name: string) => string | undefined;
  /**
   * Addresses that a key may be sent to, by the variable that holds it. Keys are sent nowhere else, except
   * that `OPENAI_API_KEY` may go to `https://api.openai.com`, and `OPENROUTER_API_KEY` to
   * `https://openrouter.ai`.
   */
  keys?: KeyAddresses;
  /** Controllers used instead of the scenario's, by agent. */
  controllers?: Readonly<Record<string, Controller>>;
  /** Protocols used instead of the scenario's, by agent. */
  protocols?: Readonly<Record<string, Protocol>>;
  /** Memories used instead of the scenario's, by agent. */
  memory?: Readonly<Record<string, Memory>>;
  /** Decides for `human` agents, and may take over any other agent. */
  person?: Person;
  /** Effect handlers of actions, in addition to the environment's. */
  effectHandlers?: Readonly<Record<string, EffectHandler>>;
  /** Awaited before each step (before each tick, if all agents act at once). */
  beforeStep?: BeforeStep;
  /** Awaited after all agents of a step (of a tick) have decided, before it is settled. */
  beforeSettle?: (turn: number) => Promise<void>;
  /**
   * The folder of memories of the kind `file` that are kept across runs (`memoryFiles`); without it, nothing
   * is kept.
   */
  memories?: MemoryStore;
  /** Ends the run after the current step (`soft`) or at once (`hard`). */
  stop?: StopSignals;
  /** Set for a run that continues from earlier steps. */
  goesOn?: Continuation;
  /**
   * Clock, randomness, network and request limits for model clients; by default the system's, shared with no
   * other run.
   */
  dependencies?: Dependencies;
  /** The run's id in its log; a new id by default. */
  runId?: string;
  /**
   * The player's name in reports and exports, for all agents without fixed replies; by default, players are
   * named after their models or controllers.
   */
  player?: string;
  /** By agent, the names of players that differ; `player` is then the name of all of them together. */
  seatPlayers?: Readonly<Record<string, string>> | undefined;
}

/** What a run continues from: itself after an interruption, or the run that it forks. */
export interface Continuation {
  past: RunHistory<unknown>;
  /** The memories that its agents had from earlier runs when it began. */
  kept: RunRecord['kept'];
  /**
   * Returns the record of the continued run, given that of a new one. Throws UsageError if the run can't be
   * continued with it.
   */
  adopt: (fresh: RunRecord) => RunRecord;
  /** The next reply of an agent, by agent; used instead of calling its controller. */
  given?: Readonly<Record<string, string>>;
}

/** A run that is ready to be played. */
export interface PreparedRun {
  run: RunRecord;
  /**
   * Warnings for the user before the run begins, one sentence each: whose replies are not guided, and why.
   */
  remarks: readonly string[];
  /**
   * Plays the run into the sink, once. Throws the error that ended it (ModelError, ControllerError,
   * StorageError); the log is then complete up to that point.
   */
  play(sink: RunSink, watcher?: RunWatcher): Promise<RunEnd>;
  /** Ends everything that the controllers keep running; `play` calls it automatically. Never throws. */
  close(): Promise<void>;
}

/**
 * Prepares a run; nothing is logged yet. Throws ModelError if a model's server can't be used, UsageError if
 * the replies must be guided but the server can't do that, or if an effect handler is missing.
 */
export async function prepare(opened: OpenedScenario, options: PlayOptions = {}): Promise<PreparedRun> {
  const { scenario, environment, loaded } = opened;
  const never = new AbortController().signal;
  const stop = options.stop ?? { soft: never, hard: never };
  const effectHandlers = { ...opened.effectHandlers, ...options.effectHandlers };
  // Every reason to refuse the run is checked before the log is created.
  requireEffectHandlers({ environment, effectHandlers });
  const painter = opened.hasPicture ? framePainter(scenario, loaded.tileset) : null;
  const { seats, models } = seatsFor({
    scenario,
    environment,
    hasPicture: painter !== null,
    dependencies:
      options.dependencies ?? systemDependencies(options.variables ?? (() => undefined), options.keys),
    controllers: options.controllers ?? {},
    protocols: options.protocols ?? {},
    memory: options.memory ?? {},
    person: options.person,
  });
  const { goesOn } = options;
  const kept = goesOn?.kept ?? readMemories(scenario, options.memories);
  const prepared = await prepareModels(models, stop.soft);
  const remarks = requireGuidedForms(opened, seats, models);
  await prepareControllers(seats, stop.soft);
  const recordOptions = {
    tileset: loaded.source,
    seats,
    prepared,
    kept,
    now: Date.now(),
    runId: options.runId ?? null,
    player: options.player ?? null,
    seatPlayers: options.seatPlayers,
  };
  const fresh = runRecord({ ...opened, ...recordOptions });
  const run = goesOn?.adopt(fresh) ?? fresh;
  const parts = {
    run,
    scenario,
    environment,
    seats: seats.map((seat) => {
      const reply = lookUp(goesOn?.given, seat.spec.id);
      return reply === undefined ? seat : { ...seat, controller: withGivenReply(seat.controller, reply) };
    }),
    painter,
    effectHandlers,
    clock: { now: () => Date.now() },
    // If the run had already ended, the file may contain a later run's memory: it is replaced only if it still
    // has the content with which this run began.
    storeMemories: (finalMemories: RunRecord['kept']) => {
      for (const [agent, memory] of Object.entries(finalMemories)) {
        const isLater =
          goesOn?.past.end != null &&
          differences(options.memories?.read(agent), lookUp(goesOn.kept, agent) ?? null).length > 0;
        if (!isLater) options.memories?.write(agent, memory);
      }
    },
    ...(goesOn === undefined ? {} : { past: goesOn.past }),
    ...(options.beforeStep === undefined ? {} : { beforeStep: options.beforeStep }),
    ...(options.beforeSettle === undefined ? {} : { beforeSettle: options.beforeSettle }),
  };
  const close = (): Promise<void> => closeControllers(seats);
  return {
    run,
    remarks,
    play: async (sink, watcher = {}) => {
      try {
        return await new TurnOrchestrator({ ...parts, sink, watcher }).run(stop);
      } finally {
        await close();
      }
    },
    close,
  };
}

/** What earlier runs stored for agents with a lasting memory. */
function readMemories({ agents }: Scenario, memories: MemoryStore | undefined): RunRecord['kept'] {
  const lasting = agents.filter(({ memory }) => memory.kind === 'file');
  const kept = lasting.map(({ id }) => [id, memories?.read(id) ?? null] as const);
  return Object.fromEntries(kept.filter(([, value]) => value !== null));
}

/** If one can't be used, those that were opened before it are closed again. */
async function prepareControllers(seats: readonly Seat[], signal: AbortSignal): Promise<void> {
  try {
    for (const { spec, controller, composer } of seats) {
      const { id: agent, name } = spec;
      const { system: instructions, briefing } = composer;
      await controller.prepare?.({ agent, name, instructions, briefing }, signal);
    }
  } catch (error) {
    await closeControllers(seats);
    throw error;
  }
}

async function closeControllers(seats: readonly Seat[]): Promise<void> {
  await Promise.all(seats.map(async ({ controller }) => controller.close?.()));
}

/**
 * Throws UsageError if replies must be guided and a server can't do that, before any request is made. Returns
 * the agents for which guiding is optional and impossible.
 */
function requireGuidedForms(
  { environment, scenario }: OpenedScenario,
  seats: readonly Seat[],
  models: ReturnType<typeof seatsFor>['models'],
): readonly string[] {
  const initialState = environment.create(scenario.seed);
  const remarks = seats.map(({ spec, composer }) => {
    const model = spec.controller.kind === 'model' ? models.get(spec.controller.model) : undefined;
    if (model === undefined) return null;
    const form = composer.form(environment.observe(initialState, spec.id));
    model.checkForm(form);
    return model.unguided(form);
  });
  return [...new Set(remarks)].filter((remark) => remark !== null);
}

/** A run played into memory; with a `LogWriter` as sink it is kept on disk. */
export async function play(
  opened: OpenedScenario,
  options: PlayOptions & { sink?: RunSink; watcher?: RunWatcher } = {},
): Promise<RunEnd> {
  const prepared = await prepare(opened, options);
  return prepared.play(options.sink ?? new MemorySink(), options.watcher);
}
