/**
 * One run, from an opened scenario to its end: seats are taken, models asked what they serve, the run's record written, the loop
 * driven. The real clock, network and chance come in here. The command line and the library both play through this.
 */
import type { Memory } from '../agent/memory.js';
import { differences } from '../base/differences.js';
import type { Controller } from '../agent/controller.js';
import { givenFirst } from '../agent/controllers/given.js';
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
import type { EffectHandler, RunWatcher, Seat, StopSignals } from '../orchestrator/run-context.js';
import { TurnOrchestrator } from '../orchestrator/turn-orchestrator.js';
import type { Protocol } from '../parse/protocol.js';
import type { Scenario } from '../scenario/scenario.js';
import type { MemoryStore } from './memory-files.js';
import type { OpenedScenario } from './open.js';
import { framePainter } from './painter.js';
import { prepareModels, runRecord } from './run-record.js';
import { seatsFor } from './seats.js';

/** Options of a run that replace or extend the scenario. Omitted options are taken from the scenario. */
export interface PlayOptions {
  /** Where keys of model servers are looked up; nowhere by default. */
  readonly variables?: (name: string) => string | undefined;
  /**
   * Addresses that a key may be sent to, by the variable that holds it: no other gets it. `OPENAI_API_KEY` may go to `https://api.openai.com`, and
   * `OPENROUTER_API_KEY` to `https://openrouter.ai`, without being named here.
   */
  readonly keys?: KeyAddresses;
  /** Who decides instead of the scenario's own, by agent. */
  readonly controllers?: Readonly<Record<string, Controller>>;
  /** How agents answer instead of the scenario's own way, by agent. */
  readonly protocols?: Readonly<Record<string, Protocol>>;
  /** Memories instead of the scenario's own, by agent. */
  readonly memory?: Readonly<Record<string, Memory>>;
  /** Who decides for `human` agents, and may take over any other. */
  readonly person?: Person;
  /** What actions reach for outside, beside what the environment brings. */
  readonly effectHandlers?: Readonly<Record<string, EffectHandler>>;
  /** Awaited before each step (each tick, where all act at once). */
  readonly beforeStep?: (agents: readonly string[], turn: number) => Promise<void>;
  /** Awaited when all of a step (of a tick) have decided, before it is settled. */
  readonly beforeSettle?: (turn: number) => Promise<void>;
  /** The folder of memories of the kind `file` between runs (`memoryFiles`); without it nothing is kept. */
  readonly memories?: MemoryStore;
  /** Ends the run after the step being played (`soft`) or at once (`hard`). */
  readonly stop?: StopSignals;
  /** For a run that does not begin from nothing. */
  readonly goesOn?: Continuation;
  /** Clock, chance, network and admission for model clients: the system's own by default, which share nothing with other runs. */
  readonly dependencies?: Dependencies;
  /** What the run is called in its log; a name of its own by default. */
  readonly runId?: string;
  /** What those who decide are called wherever a player is named, but for agents with fixed replies; as their models or controllers by default. */
  readonly player?: string;
}

/** What a run continues from: itself, after an interruption, or the run that it forks. */
export interface Continuation {
  readonly past: RunHistory<unknown>;
  /** What earlier runs had left to its agents when it began. */
  readonly kept: RunRecord['kept'];
  /**
   * The record of the continued run, given that of a new one. Throws UsageError if it can't continue like
   * this.
   */
  readonly adopt: (fresh: RunRecord) => RunRecord;
  /** By agent, what its next reply is instead of being asked for. */
  readonly given?: Readonly<Record<string, string>>;
}

/** A run that is put together and can begin. */
export interface PreparedRun {
  readonly run: RunRecord;
  /** What a user should know of it before it begins, a sentence each: whose replies are not held to a form, and why. */
  readonly remarks: readonly string[];
  /** Plays it into the sink, once. Throws what ended the run from outside (ModelError, ControllerError, StorageError), with the log whole. */
  play(sink: RunSink, watcher?: RunWatcher): Promise<RunEnd>;
  /** Ends everything the controllers keep running; `play` calls it automatically. Never throws. */
  close(): Promise<void>;
}

/**
 * Puts a run together; nothing is logged yet. Throws ModelError where a model's server can't be used, UsageError where it must guide
 * replies and can't, or where an effect handler is missing.
 */
export async function prepare(opened: OpenedScenario, options: PlayOptions = {}): Promise<PreparedRun> {
  const { scenario, environment, loaded } = opened;
  const stop = options.stop ?? neverStop();
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
  const kept = goesOn?.kept ?? keptBefore(scenario, options.memories);
  const prepared = await prepareModels(models, stop.soft);
  const remarks = requireForms(opened, seats, models);
  await prepareControllers(seats, stop.soft);
  const begun = {
    tileset: loaded.source,
    seats,
    prepared,
    kept,
    now: Date.now(),
    runId: options.runId ?? null,
    player: options.player ?? null,
  };
  const fresh = runRecord({ ...opened, ...begun });
  const run = goesOn?.adopt(fresh) ?? fresh;
  const parts = {
    run,
    scenario,
    environment,
    seats: seats.map((seat) => withGiven(seat, lookUp(goesOn?.given, seat.spec.id))),
    painter,
    effectHandlers,
    clock: { now: () => Date.now() },
    keep: (left: RunRecord['kept']) => keepAfter(left, options),
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

function withGiven(seat: Seat, reply: string | undefined): Seat {
  return reply === undefined ? seat : { ...seat, controller: givenFirst(seat.controller, reply) };
}

/** What earlier runs left to the agents whose memory lasts. */
function keptBefore({ agents }: Scenario, memories: MemoryStore | undefined): RunRecord['kept'] {
  const lasting = agents.filter(({ memory }) => memory.kind === 'file');
  const kept = lasting.map(({ id }) => [id, memories?.read(id) ?? null] as const);
  return Object.fromEntries(kept.filter(([, left]) => left !== null));
}

/** Of a run that had ended before, what is there may be a later run's: only what it began with is replaced. */
function keepAfter(left: RunRecord['kept'], { memories, goesOn }: PlayOptions): void {
  for (const [agent, kept] of Object.entries(left)) {
    const isLater =
      goesOn?.past.end != null &&
      differences(memories?.read(agent), lookUp(goesOn.kept, agent) ?? null).length > 0;
    if (!isLater) memories?.write(agent, kept);
  }
}

/** Where one can't be used, those before it are ended again. */
async function prepareControllers(seats: readonly Seat[], signal: AbortSignal): Promise<void> {
  try {
    for (const { spec, controller, composer } of seats) {
      const { id: agent, name } = spec;
      await controller.prepare?.({ agent, name, instructions: composer.system }, signal);
    }
  } catch (error) {
    await closeControllers(seats);
    throw error;
  }
}

async function closeControllers(seats: readonly Seat[]): Promise<void> {
  await Promise.all(seats.map(async ({ controller }) => controller.close?.()));
}

/** Throws UsageError where replies must be guided and a server can't, before anything is asked of it; out: where they only may be, and can't. */
function requireForms(
  { environment, scenario }: OpenedScenario,
  seats: readonly Seat[],
  models: ReturnType<typeof seatsFor>['models'],
): readonly string[] {
  const start = environment.create(scenario.seed);
  const remarks = seats.map(({ spec, composer }) => {
    const model = spec.controller.kind === 'model' ? models.get(spec.controller.model) : undefined;
    if (model === undefined) return null;
    const form = composer.form(environment.observe(start, spec.id));
    model.checkForm(form);
    return model.unguided(form);
  });
  return [...new Set(remarks)].filter((remark) => remark !== null);
}

/** A run played into memory; with a `LogWriter` as sink it is kept on disk. */
export async function play(
  opened: OpenedScenario,
  options: PlayOptions & { readonly sink?: RunSink; readonly watcher?: RunWatcher } = {},
): Promise<RunEnd> {
  const prepared = await prepare(opened, options);
  return prepared.play(options.sink ?? new MemorySink(), options.watcher);
}

function neverStop(): StopSignals {
  const never = new AbortController().signal;
  return { soft: never, hard: never };
}
