/**
 * What the command line changes in a checked scenario: turns, protocol, players. Plain data in and out;
 * `--set` and `--seed` go through the loader instead, because a map may follow from them.
 */
import { meantOf } from '../../base/nearest.js';
import { UsageError } from '../../base/errors.js';
import { defaultModel } from '../../scenario/settings.js';
import type {
  AgentSpec,
  ControllerSpec,
  GuidedMode,
  ModelSpec,
  ProtocolName,
  Scenario,
} from '../../scenario/scenario.js';

export interface Overrides {
  readonly maxTurns?: number | undefined;
  readonly protocol?: ProtocolName | undefined;
  /** The model that plays the agents. */
  readonly model?: string | undefined;
  /** The address of the model that plays the agents. */
  readonly baseUrl?: string | undefined;
  /** `model`: the scenario's own models. */
  readonly controller?: 'model' | 'scripted' | 'random' | 'oracle' | 'human' | undefined;
  /** Agents that a person decides for. */
  readonly human?: readonly string[];
  /** Agents that a program decides for. */
  readonly process?: readonly string[];
  /** For every model. */
  readonly guided?: GuidedMode | undefined;
}

/** The key of a model that only the command line names. */
const COMMAND_LINE_MODEL = 'command-line';

export function withOverrides(scenario: Scenario, options: Overrides): Scenario {
  const { maxTurns, protocol, model, baseUrl } = options;
  const controller = options.controller ?? ((model ?? baseUrl) ? 'model' : undefined);
  if (controller !== 'model' && (model !== undefined || baseUrl !== undefined)) {
    throw new UsageError(`--controller ${controller ?? ''} plays without a model`, [
      'leave out --model and --base-url, or use --controller model',
    ]);
  }
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

interface NamedModel {
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
}

/**
 * The scenario's models at the new address; for a name from the command line, a new model with the settings
 * of the first.
 */
function modelsFor(models: Scenario['models'], { model, baseUrl }: NamedModel): Scenario['models'] {
  const withAddress = (spec: ModelSpec): ModelSpec => ({ ...spec, baseUrl: baseUrl ?? spec.baseUrl });
  const movedModels = Object.fromEntries(
    Object.entries(models).map(([key, spec]) => [key, withAddress(spec)]),
  );
  const [first = withAddress(defaultModel())] = Object.values(movedModels);
  if (model !== undefined) return { ...movedModels, [COMMAND_LINE_MODEL]: { ...first, model } };
  return Object.keys(movedModels).length === 0 ? { [COMMAND_LINE_MODEL]: first } : movedModels;
}

interface ControllerOverride {
  readonly controller: Overrides['controller'];
  readonly model: string | undefined;
  readonly models: Scenario['models'];
}

/** An agent with fixed replies keeps them: it is part of the scenario, not a player. */
function controllerFor(
  { controller: ownController }: AgentSpec,
  { controller, model, models }: ControllerOverride,
): ControllerSpec {
  if (controller === undefined || ownController.kind === 'replies') return ownController;
  if (controller !== 'model') return { kind: controller };
  if (model !== undefined) return { kind: 'model', model: COMMAND_LINE_MODEL };
  return ownController.kind === 'model'
    ? ownController
    : { kind: 'model', model: Object.keys(models)[0] ?? COMMAND_LINE_MODEL };
}
