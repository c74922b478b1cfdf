/**
 * What the command line changes in a checked scenario: turns, protocol, players. Plain data in and out;
 * `--set` and `--seed` go through the loader instead, because a map may follow from them.
 */
import { meantOf } from '../../base/nearest.js';
import { UsageError } from '../../base/errors.js';
import type { ControllerKindIn } from '../../scenario/controllers.js';
import { defaultModel } from '../../scenario/settings.js';
import type {
  AgentSpec,
  ControllerSpec,
  GuidedMode,
  ModelSpec,
  ProtocolName,
  Scenario,
} from '../../scenario/scenario.js';
import { isPartOfWorld, isWorldModel, withWorldModels } from '../../scenario/world-part.js';

export interface Overrides {
  maxTurns?: number | undefined;
  protocol?: ProtocolName | undefined;
  /** The model that plays the agents. */
  model?: string | undefined;
  /** The address of the model that plays the agents. */
  baseUrl?: string | undefined;
  /** `model`: the scenario's own models. */
  controller?: ControllerKindIn<'line'> | undefined;
  /** Agents that a person decides for. */
  human?: readonly string[];
  /** Agents that a program decides for. */
  process?: readonly string[];
  /** For every model. */
  guided?: GuidedMode | undefined;
}

/** The key of a model that only the command line names. */
const COMMAND_LINE_MODEL = 'command-line';

export function withOverrides(opened: Scenario, options: Overrides): Scenario {
  const { maxTurns, protocol, model, baseUrl } = options;
  const controller = options.controller ?? ((model ?? baseUrl) ? 'model' : undefined);
  if (controller !== 'model' && (model !== undefined || baseUrl !== undefined)) {
    throw new UsageError(`--controller ${controller ?? ''} plays without a model`, [
      'leave out --model and --base-url, or use --controller model',
    ]);
  }
  const scenario = (model ?? baseUrl) === undefined ? opened : withWorldModels(opened);
  const models = controller === 'model' ? modelsFor(scenario.models, { model, baseUrl }) : scenario.models;
  const named = namedControllers(scenario, options);
  const controllerOf = (agent: AgentSpec): ControllerSpec =>
    named.get(agent.id) ?? controllerFor(agent, { controller, model, models });
  const agents = scenario.agents.map((agent) => ({
    ...agent,
    protocol: protocol ?? agent.protocol,
    controller: controllerOf(agent),
  }));
  if (options.guided !== undefined && agents.every((agent) => agent.controller.kind !== 'model')) {
    throw new UsageError('--guided is for models, but no agent uses a model', [
      'choose a server with --base-url, or leave out --guided',
    ]);
  }
  return {
    ...scenario,
    turns: { ...scenario.turns, max: maxTurns ?? scenario.turns.max },
    models: withGuided(models, options.guided),
    agents,
  };
}

/** Agents whose controller is set individually on the command line. */
function namedControllers(
  { agents, name }: Scenario,
  { human = [], process = [] }: Overrides,
): ReadonlyMap<string, ControllerSpec> {
  const ids = agents.map(({ id }) => id);
  const named = new Map<string, ControllerSpec>();
  for (const kind of ['human', 'process'] as const) {
    for (const id of kind === 'human' ? human : process) {
      if (!ids.includes(id)) {
        throw new UsageError(`${name} has no agent "${id}" for --${kind}`, [meantOf(id, ids, 'its agents')]);
      }
      if (named.has(id)) throw new UsageError(`--human and --process name ${id} more than once`);
      named.set(id, { kind });
    }
  }
  return named;
}

/** The models, all with the requested kind of guided decoding. */
export function withGuided(models: Scenario['models'], guided: GuidedMode | undefined): Scenario['models'] {
  if (guided === undefined) return models;
  return Object.fromEntries(Object.entries(models).map(([name, spec]) => [name, { ...spec, guided }]));
}

/**
 * The scenario's models at the new address; for a name from the command line, a new model with the settings
 * of the first.
 */
function modelsFor(models: Scenario['models'], { model, baseUrl }: Overrides): Scenario['models'] {
  const withAddress = (spec: ModelSpec): ModelSpec => ({ ...spec, baseUrl: baseUrl ?? spec.baseUrl });
  const entries = Object.entries(models);
  const movedEntries = entries
    .filter(([name]) => !isWorldModel(name))
    .map(([name, spec]) => [name, withAddress(spec)] as const);
  const ownModels = Object.fromEntries([...movedEntries, ...entries.filter(([name]) => isWorldModel(name))]);
  const first = movedEntries[0]?.[1] ?? withAddress(defaultModel());
  if (model !== undefined) return { ...ownModels, [COMMAND_LINE_MODEL]: { ...first, model } };
  return movedEntries.length === 0 ? { ...ownModels, [COMMAND_LINE_MODEL]: first } : ownModels;
}

/** An agent that is part of the world keeps its controller. */
function controllerFor(
  agent: AgentSpec,
  { controller, model, models }: Pick<Overrides, 'controller' | 'model'> & Pick<Scenario, 'models'>,
): ControllerSpec {
  const { controller: ownController } = agent;
  if (controller === undefined || isPartOfWorld(agent)) return ownController;
  if (controller !== 'model') return { kind: controller };
  if (model !== undefined) return { kind: 'model', model: COMMAND_LINE_MODEL };
  return ownController.kind === 'model'
    ? ownController
    : { kind: 'model', model: Object.keys(models).find((name) => !isWorldModel(name)) ?? COMMAND_LINE_MODEL };
}
