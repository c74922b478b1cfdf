/**
 * The world of a logged run, opened from its record. A log may come from someone else: if no environment can
 * open its definition, that is reported as a fault of the log, while for a scenario's file it would be an
 * internal error.
 */
import { errorMessage, OrchestrateError, StorageError } from '../base/errors.js';
import type { Environment } from '../environment/environment.js';
import type { RunRecord } from '../trajectory/records.js';
import type { Scenario } from '../scenario/scenario.js';
import { moduleOf } from '../worlds/environment-module.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { environmentOf } from './scenario-environment.js';

/**
 * The run's world, or that of the scenario with which it continues. Throws StorageError if it can't be
 * opened, UsageError if the run's environment isn't among `modules`.
 */
export function loggedEnvironment(
  { runId, ...run }: RunRecord,
  modules: readonly EnvironmentModule[],
  scenario: Scenario = run.scenario,
): Environment<unknown> {
  const module = moduleOf(modules, scenario.environment);
  try {
    return environmentOf(module, scenario);
  } catch (error) {
    if (error instanceof OrchestrateError) throw error;
    const reason = errorMessage(error);
    throw new StorageError(`the world of run ${runId} can't be opened from its log: ${reason}`, [], {
      cause: error,
    });
  }
}
