/**
 * Seats: for each agent of a scenario, its controller, its prompts and its protocol. A model that several
 * agents use is opened once.
 */
import type { Memory } from '../agent/memory.js';
import type { Controller } from '../agent/controller.js';
import { handover } from '../agent/controllers/handover.js';
import { humanController } from '../agent/controllers/human.js';
import type { Person } from '../agent/controllers/human.js';
import { inProtocol } from '../agent/controllers/in-protocol.js';
import { withOwnNames } from '../agent/controllers/own-names.js';
import { modelController } from '../agent/controllers/model.js';
import { randomController } from '../agent/controllers/random.js';
import { repliesController } from '../agent/controllers/replies.js';
import { oracle } from './oracle.js';
import { referenceController, scriptedController } from '../worlds/scripted-controller.js';
import { composer } from '../agent/prompt.js';
import { UsageError } from '../base/errors.js';
import { lookUp } from '../base/look-up.js';
import { WAIT } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { openChatModel } from '../model/openai.js';
import type { OpenChatModel } from '../model/openai.js';
import { systemDependencies } from '../model/dependencies.js';
import type { Dependencies } from '../model/dependencies.js';
import type { Seat } from '../orchestrator/run-context.js';
import { protocolOf } from '../parse/protocols.js';
import type { Protocol } from '../parse/protocol.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import type { TurnRules } from '../solve/position.js';
import { turnRulesOf } from '../orchestrator/turn-rules.js';
import { deciderOf } from '../scenario/controllers.js';
import { worldsOfAgent } from '../scenario/possible-worlds.js';
import type { AgentSpec, Scenario } from '../scenario/scenario.js';

/** All actions that an agent of an opened environment may ever be offered, as `interpret` needs them. */
export function vocabularyOf(environment: Environment<unknown>, agent: string): Vocabulary {
  const scope = environment.scope(agent);
  return environment.actions.list().filter(({ name }) => scope.includes(name));
}

export interface SeatOptions {
  scenario: Scenario;
  environment: Environment<unknown>;
  hasPicture: boolean;
  /** Shared by all models, so that sockets are shared. */
  dependencies: Dependencies;
  /** Controllers used instead of the scenario's, by agent. */
  controllers?: Readonly<Record<string, Controller>>;
  /** Protocols used instead of the scenario's, by agent. */
  protocols?: Readonly<Record<string, Protocol>>;
  /** Memories used instead of the scenario's, by agent. */
  memory?: Readonly<Record<string, Memory>>;
  /** Who decides for `human` agents, and may take over any other; by default no one. */
  person?: Person | undefined;
}

/** A seat for each agent; one client per model, shared by the agents that use it. */
export function seatsFor(options: SeatOptions): {
  seats: readonly Seat[];
  models: ReadonlyMap<string, OpenChatModel>;
} {
  const models = new Map<string, OpenChatModel>();
  const modelNamed = (name: string): OpenChatModel => {
    const spec = lookUp(options.scenario.models, name);
    if (spec === undefined) throw new UsageError(`the scenario has no model "${name}"`);
    const model = models.get(name) ?? openChatModel(spec, options.dependencies);
    models.set(name, model);
    return model;
  };
  let rules: TurnRules | null = null;
  const rulesOf = (): TurnRules => (rules ??= turnRulesOf(options.scenario, seats));
  const seats = options.scenario.agents.map((agent) => seatFor(agent, options, { modelNamed, rulesOf }));
  return { seats, models };
}

/** The rules for turns of a scenario that nobody plays yet; agents of the world act by themselves. */
export function searchRules(scenario: Scenario, environment: Environment<unknown>): TurnRules {
  const agents = scenario.agents.filter(({ controller: { kind } }) => deciderOf(kind) === 'built-in');
  const dependencies = systemDependencies(() => undefined);
  const { seats } = seatsFor({
    scenario: { ...scenario, agents },
    environment,
    hasPicture: false,
    dependencies,
  });
  return turnRulesOf(scenario, seats);
}

function seatFor(
  agent: AgentSpec,
  options: SeatOptions,
  shared: Pick<ControllerParts, 'modelNamed' | 'rulesOf'>,
): Seat {
  const { scenario, environment, hasPicture, person } = options;
  const protocol = lookUp(options.protocols, agent.id) ?? protocolOf(agent.protocol);
  const memory = lookUp(options.memory, agent.id);
  const vocabulary = vocabularyOf(environment, agent.id);
  const custom = lookUp(options.controllers, agent.id);
  const { controller, ...position } =
    custom === undefined
      ? controllerFor(agent, { scenario, environment, protocol, vocabulary, person, ...shared })
      : { controller: custom };
  const mayBeTakenOver = person !== undefined && agent.controller.kind !== 'human';
  return {
    spec: agent,
    controller: mayBeTakenOver
      ? handover(controller, inProtocol(humanController(person), protocol, vocabulary), () =>
          person.hasTaken(agent.id),
        )
      : controller,
    protocol,
    ...position,
    ...(memory === undefined ? {} : { memory }),
    composer: composer({
      scenario,
      agent,
      protocol,
      vocabulary,
      hasPicture,
      pictureGuide: environment.pictureGuide,
    }),
  };
}

interface ControllerParts extends Pick<SeatOptions, 'scenario' | 'environment' | 'person'> {
  protocol: Protocol;
  vocabulary: Vocabulary;
  modelNamed: (name: string) => OpenChatModel;
  /** The rules for turns, with all seats. */
  rulesOf: () => TurnRules;
}

/** Throws UsageError for a missing person or program. */
function controllerFor(
  agent: AgentSpec,
  { scenario, environment, protocol, vocabulary, modelNamed, rulesOf, person }: ControllerParts,
): Pick<Seat, 'controller' | 'receivePosition'> {
  const { controller } = agent;
  const underOwnNames = (player: Controller): Controller =>
    inProtocol(withOwnNames(player, scenario.spokenNames ?? {}), protocol, vocabulary);
  switch (controller.kind) {
    case 'model':
      return { controller: modelController(controller.model, modelNamed(controller.model)) };
    case 'scripted':
      return { controller: underOwnNames(scriptedController()) };
    case 'sighted':
    case 'text-only':
    case 'deaf': {
      const player = referenceController(controller.kind, agent, scenario, (reader) =>
        worldsOfAgent(scenario, agent.id, { reader, sprites: null }),
      );
      return { controller: underOwnNames(player) };
    }
    case 'oracle': {
      const own = oracle(environment, rulesOf);
      return { ...own, controller: underOwnNames(own.controller) };
    }
    case 'random': {
      const { seed, definition } = scenario;
      const random = randomController(seed, agent.id, vocabulary, {
        words: wordsThatCount(environment, seed, agent.id),
        // Where no condition asks for it, its absence is all that others would notice of an agent that leaves.
        mayLeave: JSON.stringify(definition).includes('"kind":"done"'),
      });
      return { controller: inProtocol(random, protocol, vocabulary) };
    }
    case 'replies':
      return { controller: repliesController({ ...controller, wait: waitText(protocol) }) };
    case 'human':
      if (person === undefined)
        throw new UsageError(`${agent.id} needs a human player, but no terminal is attached`, [
          'in your own code, pass a `person`, or a controller for this agent',
        ]);
      return { controller: inProtocol(humanController(person), protocol, vocabulary) };
    case 'process':
      throw new UsageError(`${agent.id} is played by a program, but no program was specified`, [
        `specify it: --process ${agent.id}="python3 agent.py"`,
        "a scenario can't name a program, because scenarios may come from untrusted sources",
      ]);
  }
}

/** The texts that conditions and triggers wait for, except what an agent would first have to read. */
export function wordsThatCount(
  environment: Environment<unknown>,
  seed: string,
  agent: string,
): readonly string[] {
  return environment.search?.texts?.(environment.create(seed), agent) ?? [];
}

/** How to wait in a protocol. */
export function waitText(protocol: Protocol): string {
  const command = { action: WAIT, args: {} };
  return protocol.replyText({ ok: true, command, rung: 'whole line', span: null, words: WAIT });
}
