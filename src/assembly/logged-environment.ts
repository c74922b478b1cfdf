/**
 * The world of a logged run, opened from its record. A log may come from a stranger: a definition that no environment can open is the log's
 * fault, told in words, where from a scenario's file it would be a mistake of ours.
 */
import { OrchestrateError, StorageError } from '../base/errors.js';
import type { Environment } from '../environment/environment.js';
import type { RunRecord } from '../trajectory/records.js';
import type { Scenario } from '../scenario/scenario.js';
import { moduleOf } from '../worlds/environment-module.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { environmentOf } from './scenario-environment.js';

/**
 * The run's world, or that of the scenario that it goes on with. Throws StorageError where it can't be opened, UsageError where the run is
 * of an environment that isn't among `modules`.
 */
export function loggedEnvironment(
  { runId, ...run }: Pick<RunRecord, 'runId' | 'scenario'>,
  modules: readonly EnvironmentModule[],
  scenario: Scenario = run.scenario,
): Environment<unknown> {
  const module = moduleOf(modules, scenario.environment);
  try {
    return environmentOf(module, scenario);
  } catch (error) {
    if (error instanceof OrchestrateError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new StorageError(`the world of run ${runId} can't be opened from its log: ${why}`, [], {
      cause: error,
    });
  }
}
