/**
 * A logged run opened to be played on: its scenario, source and tileset as the log holds them, no file of the scenario's. In: its record and
 * what the user brings besides; out: the same as for a scenario that is opened from its file.
 */
import { UsageError } from '../base/errors.js';
import type { RunRecord } from '../log/records.js';
import { requirePerformers } from '../orchestrator/outside.js';
import type { Scenario } from '../scenario/scenario.js';
import type { OwnTool } from '../scenario/toolbox/own-tools.js';
import { MODULES, moduleOf } from './environments.js';
import type { EnvironmentModule } from './environments.js';
import { loggedTileset } from './files.js';
import { environmentOf } from './open.js';
import type { Opened } from './open.js';
import { toolPerformers } from './own-tools.js';
import { performersOf } from './performers.js';

export interface OpenLoggedOptions {
  readonly modules?: readonly EnvironmentModule[];
  /** The tools of the user's own that the run was played with. */
  readonly tools?: readonly OwnTool[];
  /** The folder of files that its agents read. */
  readonly root?: string | undefined;
  /** What changes in the scenario. */
  readonly change?: (scenario: Scenario) => Scenario;
}

/** Throws UsageError where something that the run was played with is not at hand. */
export async function openLogged(run: RunRecord, options: OpenLoggedOptions = {}): Promise<Opened> {
  const { modules = MODULES, tools = [], root = null, change = (same) => same } = options;
  const scenario = change(run.scenario);
  const module = moduleOf(modules, scenario.environment);
  const origin = { definition: scenario.definition, folder: null, root, isLogged: true };
  const performers = { ...performersOf(module, origin), ...toolPerformers(tools) };
  const environment = environmentOf(module, scenario);
  requireTools({ environment, performers });
  const loaded = await loggedTileset(run.tileset);
  const hasPicture = environment.scene(environment.create(run.seed), null) !== null;
  return { scenario, source: run.source, module, environment, performers, loaded, hasPicture, warnings: [] };
}

function requireTools(parts: Pick<Opened, 'environment' | 'performers'>): void {
  try {
    requirePerformers(parts);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message, ['name the module with the tools that it was played with: --tools']);
  }
}
