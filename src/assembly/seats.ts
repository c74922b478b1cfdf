/**
 * Seats: for each agent of a scenario who decides for it, how it is talked to and how its replies are read. Models that
 * several agents use are opened once.
 */
import type { Memory } from '../agent/memory.js';
import type { Controller } from '../agent/controller.js';
import { inProtocol } from '../agent/controllers/in-protocol.js';
import { modelController } from '../agent/controllers/model.js';
import { randomController } from '../agent/controllers/random.js';
import { repliesController } from '../agent/controllers/replies.js';
import { scriptedController } from '../agent/controllers/scripted.js';
import { composer } from '../agent/prompt.js';
import { UsageError } from '../base/errors.js';
import type { Environment } from '../environment/environment.js';
import { openChatModel } from '../model/openai.js';
import type { OpenChatModel } from '../model/openai.js';
import type { Dependencies } from '../model/dependencies.js';
import type { Seat } from '../orchestrator/parts.js';
import { protocolOf } from '../parse/protocols.js';
import type { Protocol, Vocabulary } from '../parse/protocol.js';
import type { AgentSpec, Scenario } from '../scenario/scenario.js';

export function vocabularyOf(environment: Environment<unknown>, agent: string): Vocabulary {
  const scope = environment.scope(agent);
  return environment.actions.list().filter(({ name }) => scope.includes(name));
}

export interface SeatOptions {
  readonly scenario: Scenario;
  readonly environment: Environment<unknown>;
  readonly hasPicture: boolean;
  /** One for all models, so that sockets are shared. */
  readonly dependencies: Dependencies;
  /** Who decides instead of the scenario's own, by agent. */
  readonly controllers?: Readonly<Record<string, Controller>>;
  /** How agents answer instead of the scenario's own way, by agent. */
  readonly protocols?: Readonly<Record<string, Protocol>>;
  /** What agents are told of their past instead of the scenario's own way, by agent. */
  readonly memory?: Readonly<Record<string, Memory>>;
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
  const protocol = options.protocols?.[agent.id] ?? protocolOf(agent.protocol);
  const memory = options.memory?.[agent.id];
  const vocabulary = vocabularyOf(environment, agent.id);
  return {
    spec: agent,
    controller:
      options.controllers?.[agent.id] ?? controllerFor(agent, { scenario, protocol, vocabulary, modelNamed }),
    protocol,
    ...(memory === undefined ? {} : { memory }),
    composer: composer({ scenario, agent, protocol, vocabulary, hasPicture }),
  };
}

interface ControllerParts {
  readonly scenario: Scenario;
  readonly protocol: Protocol;
  readonly vocabulary: Vocabulary;
  readonly modelNamed: (name: string) => OpenChatModel;
}

function controllerFor(agent: AgentSpec, parts: ControllerParts): Controller {
  const { controller } = agent;
  const { scenario, protocol, vocabulary, modelNamed } = parts;
  switch (controller.kind) {
    case 'model':
      return modelController(controller.model, modelNamed(controller.model));
    case 'scripted':
      return inProtocol(scriptedController(), protocol, vocabulary);
    case 'random':
      return inProtocol(randomController(scenario.seed, agent.id, vocabulary), protocol, vocabulary);
    case 'replies':
      return repliesController(controller);
  }
}
