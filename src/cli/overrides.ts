/**
 * What the command line changes in a checked scenario: seed, turns, protocol, who decides. Plain data in and out; `--set` goes through the
 * loader instead, since it names keys of the file.
 */
import { UsageError } from '../base/errors.js';
import { standardModel } from '../scenario/settings.js';
import type { ControllerSpec, ProtocolName, Scenario } from '../scenario/scenario.js';

export interface Overrides {
  readonly seed?: string | undefined;
  readonly maxTurns?: number | undefined;
  readonly protocol?: ProtocolName | undefined;
  /** Puts every agent on this model. */
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Puts every agent on this embedded controller. */
  readonly controller?: 'scripted' | 'random' | undefined;
}

/** The key under which a model from the command line stands in the scenario. */
const COMMAND_LINE_MODEL = 'command-line';

export function override(scenario: Scenario, options: Overrides): Scenario {
  const { seed, maxTurns, protocol, model, baseUrl, controller } = options;
  if (controller !== undefined && (model !== undefined || baseUrl !== undefined)) {
    throw new UsageError('--controller and --model (or --base-url) both say who decides', [
      'give one of them',
    ]);
  }
  const models = withModel(scenario.models, { model, baseUrl });
  const decides: ControllerSpec | null =
    models !== scenario.models
      ? { kind: 'model', model: COMMAND_LINE_MODEL }
      : controller === undefined
        ? null
        : { kind: controller };
  return {
    ...scenario,
    seed: seed ?? scenario.seed,
    turns: { ...scenario.turns, max: maxTurns ?? scenario.turns.max },
    models,
    agents: scenario.agents.map((agent) => ({
      ...agent,
      protocol: protocol ?? agent.protocol,
      controller: decides ?? agent.controller,
    })),
  };
}

/** Settings are taken from the scenario's first model, so that only what was named on the command line differs. */
function withModel(
  models: Scenario['models'],
  { model, baseUrl }: { readonly model: string | undefined; readonly baseUrl: string | undefined },
): Scenario['models'] {
  if (model === undefined && baseUrl === undefined) return models;
  const [first = standardModel()] = Object.values(models);
  return {
    ...models,
    [COMMAND_LINE_MODEL]: { ...first, model: model ?? null, baseUrl: baseUrl ?? first.baseUrl },
  };
}
