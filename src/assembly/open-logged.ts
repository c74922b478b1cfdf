/**
 * Opens a logged run to be continued: its scenario, source and tileset come from the log, without reading any
 * file of the scenario.
 */
import { UsageError } from '../base/errors.js';
import type { RunRecord } from '../trajectory/records.js';
import { requireEffectHandlers } from '../orchestrator/outside.js';
import type { Scenario } from '../scenario/scenario.js';
import { MODULES } from '../worlds/registry.js';
import { moduleOf } from '../worlds/environment-module.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { loggedTileset } from './tilesets.js';
import { loggedEnvironment } from './logged-environment.js';
import type { OpenedScenario } from './opened-scenario.js';
import { effectHandlersOf } from '../worlds/effect-handlers.js';

export interface OpenLoggedOptions {
  /** The available environments; the built-in ones by default. */
  modules?: readonly EnvironmentModule[];
  /** The folder of files that its agents read. */
  root?: string | undefined;
  /** What changes in the scenario. */
  change?: (scenario: Scenario) => Scenario;
}

/** Throws UsageError if something that the run was played with is not available. */
export async function openLogged(run: RunRecord, options: OpenLoggedOptions = {}): Promise<OpenedScenario> {
  const { modules = MODULES, root = null, change = (unchanged) => unchanged } = options;
  const scenario = change(run.scenario);
  const module = moduleOf(modules, scenario.environment);
  const origin = { definition: scenario.definition, folder: null, root, isLogged: true };
  const effectHandlers = effectHandlersOf(module, origin);
  const environment = loggedEnvironment(run, modules, scenario);
  requireLoggedHandlers({ environment, effectHandlers });
  const loaded = await loggedTileset(run.tileset);
  const hasPicture = environment.scene(environment.create(run.seed), null) !== null;
  return {
    scenario,
    source: run.source,
    module,
    environment,
    effectHandlers,
    loaded,
    hasPicture,
    warnings: [],
  };
}

function requireLoggedHandlers(parts: Pick<OpenedScenario, 'environment' | 'effectHandlers'>): void {
  try {
    requireEffectHandlers(parts);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message, [
      'load the module that the run was played with: --modules my-actions.mjs',
    ]);
  }
}
