/**
 * Where the parts are put together: the one file that hands the real clock, disk, network and packages to code that takes them from
 * outside. Which environments exist is a value, so that a test (or a library user) adds one without touching any command.
 */
import { randomBytes } from 'node:crypto';
import type { Controller } from '../agent/controller.js';
import { modelController } from '../agent/controllers/model.js';
import { randomController } from '../agent/controllers/random.js';
import { repliesController } from '../agent/controllers/replies.js';
import { scriptedController } from '../agent/controllers/scripted.js';
import { composer, PROMPT_VERSION } from '../agent/prompt.js';
import { known } from '../base/assert.js';
import { UsageError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import type { Environment, EnvironmentKind } from '../environment/environment.js';
import type { Scene } from '../environment/scene.js';
import { genesis } from '../log/chain.js';
import { LOG_VERSION } from '../log/schema.js';
import type { RunRecord } from '../log/records.js';
import { openChatModel } from '../model/openai.js';
import type { OpenChatModel } from '../model/openai.js';
import { systemDependencies } from '../model/dependencies.js';
import type { Dependencies } from '../model/dependencies.js';
import type { Painter, Performer, Seat } from '../orchestrator/parts.js';
import { PARSER_VERSION, protocolOf } from '../parse/protocols.js';
import type { Vocabulary } from '../parse/protocol.js';
import { drawFrame, RENDER_VERSION } from '../render/draw.js';
import { encodePng } from '../render/png.js';
import type { Tileset, TilesetSource } from '../render/tileset.js';
import { grid } from '../worlds/grid/grid.js';
import { workcell } from '../worlds/workcell/workcell.js';
import { gridWorld } from '../scenario/grid/grid-world.js';
import { workcellWorld } from '../scenario/workcell/workcell-world.js';
import type { WorldReader } from '../scenario/world.js';
import type { AgentSpec, Scenario } from '../scenario/scenario.js';
import type { Io } from './io.js';
import { variablesOf } from './variables.js';
import { PROGRAM_VERSION } from './version.js';

/** An environment with all that the command line needs of it. */
export interface EnvironmentModule {
  readonly kind: EnvironmentKind;
  readonly reader: WorldReader;
  readonly performers: Readonly<Record<string, Performer>>;
}

export const MODULES: readonly EnvironmentModule[] = [
  { kind: grid, reader: gridWorld, performers: {} },
  { kind: workcell, reader: workcellWorld, performers: {} },
];

export function moduleOf(modules: readonly EnvironmentModule[], kind: string): EnvironmentModule {
  const found = modules.find((one) => one.kind.kind === kind);
  if (found !== undefined) return found;
  throw new UsageError(`there is no environment "${kind}"`, [
    `known: ${modules.map((one) => one.kind.kind).join(', ')}`,
  ]);
}

export function vocabularyOf(environment: Environment<unknown>, agent: string): Vocabulary {
  const scope = environment.scope(agent);
  return environment.actions.list().filter(({ name }) => scope.includes(name));
}

/** Frames as the scenario wants them; null for a text-only run. */
export function framePainter(scenario: Scenario, tileset: Tileset): Painter | null {
  if (scenario.render.channel === 'text') return null;
  const skinned = tileset.skinned(scenario.render.skin);
  const files = new Map<string, Uint8Array>();
  return {
    paint: (scene) => paint(scene, { scenario, tileset: skinned, files }),
    describe: (name) => skinned.describe(name),
  };
}

/** Frames kept as files: whoever stands still sees the same again. */
const PICTURES_KEPT = 64;

interface Easel {
  readonly scenario: Scenario;
  readonly tileset: Tileset;
  /** By the hash of their pixels, oldest first. */
  readonly files: Map<string, Uint8Array>;
}

function paint(
  scene: Scene,
  { scenario, tileset, files }: Easel,
): { readonly png: Uint8Array; readonly hash: string } {
  const frame = drawFrame(scene, tileset, { cell: scenario.render.tilePixels, ruler: scenario.render.ruler });
  const png = files.get(frame.hash) ?? encodePng(frame);
  files.set(frame.hash, png);
  const [oldest] = files.keys();
  if (files.size > PICTURES_KEPT && oldest !== undefined) files.delete(oldest);
  return { png, hash: frame.hash };
}

/** The real network, clock and environment for model clients. */
export function modelDependencies(io: Io): Dependencies {
  return systemDependencies(variablesOf(io));
}

export interface SeatOptions {
  readonly scenario: Scenario;
  readonly environment: Environment<unknown>;
  readonly hasPicture: boolean;
  /** One for all models, so that sockets are shared. */
  readonly dependencies: Dependencies;
}

/** A seat for each agent; one client per model, shared by the agents that use it. */
export function seatsFor(options: SeatOptions): {
  readonly seats: readonly Seat[];
  readonly models: ReadonlyMap<string, OpenChatModel>;
} {
  const models = new Map<string, OpenChatModel>();
  const modelNamed = (name: string): OpenChatModel => {
    const spec = options.scenario.models[name];
    if (spec === undefined) throw new UsageError(`the scenario has no model "${name}"`);
    const model = models.get(name) ?? openChatModel(spec, options.dependencies);
    models.set(name, model);
    return model;
  };
  const seats = options.scenario.agents.map((agent) => seatFor(agent, options, modelNamed));
  return { seats, models };
}

function seatFor(agent: AgentSpec, options: SeatOptions, modelNamed: (name: string) => OpenChatModel): Seat {
  const { scenario, environment, hasPicture } = options;
  const protocol = protocolOf(agent.protocol);
  const vocabulary = vocabularyOf(environment, agent.id);
  return {
    spec: agent,
    controller: controllerFor(agent, { scenario, vocabulary, modelNamed }),
    protocol,
    composer: composer({ scenario, agent, protocol, vocabulary, hasPicture }),
  };
}

interface ControllerParts {
  readonly scenario: Scenario;
  readonly vocabulary: Vocabulary;
  readonly modelNamed: (name: string) => OpenChatModel;
}

function controllerFor(agent: AgentSpec, { scenario, vocabulary, modelNamed }: ControllerParts): Controller {
  const { controller } = agent;
  switch (controller.kind) {
    case 'model':
      return modelController(controller.model, modelNamed(controller.model));
    case 'scripted':
      return scriptedController();
    case 'random':
      return randomController(scenario.seed, agent.id, vocabulary);
    case 'replies':
      return repliesController(controller);
  }
}

/** Asks each model's server what it serves, before anything is logged. */
export async function prepareModels(
  models: ReadonlyMap<string, OpenChatModel>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, { readonly model: string; readonly server: string | null }>>> {
  const entries = [];
  for (const [name, model] of models) entries.push([name, await model.prepare(signal)] as const);
  return Object.fromEntries(entries);
}

export interface RunRecordOptions {
  readonly scenario: Scenario;
  readonly source: string;
  readonly environment: Environment<unknown>;
  readonly tileset: TilesetSource;
  readonly seats: readonly Seat[];
  readonly prepared: Awaited<ReturnType<typeof prepareModels>>;
  readonly now: number;
}

export function runRecord(options: RunRecordOptions): RunRecord {
  const { scenario, source, environment, tileset, seats, prepared } = options;
  return {
    runId: `${scenario.name}-${randomBytes(4).toString('hex')}`,
    source,
    scenario,
    seed: scenario.seed,
    versions: {
      program: PROGRAM_VERSION,
      log: LOG_VERSION,
      rules: environment.rulesVersion,
      parser: PARSER_VERSION,
      prompt: PROMPT_VERSION,
      render: RENDER_VERSION,
      node: process.version,
    },
    tileset,
    controllers: Object.fromEntries(seats.map((seat) => [seat.spec.id, controllerRecord(seat, prepared)])),
    startedAt: options.now,
    genesisHash: genesis({ scenario, seed: scenario.seed, rules: environment.rulesVersion }),
  };
}

function controllerRecord(seat: Seat, prepared: RunRecordOptions['prepared']): Json {
  const { controller } = seat.spec;
  if (controller.kind !== 'model') return { name: seat.controller.name };
  const { model, server } = known(prepared[controller.model], `what model ${controller.model} answered`);
  return { name: seat.controller.name, model, server };
}
