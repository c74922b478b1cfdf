/** What the steps of a logged run cost, for `export` and `branch`: searched with a limit on each search and on all of a run's together. */
import { regretOfRun } from '../../assembly/regret.js';
import { WORLD_ID } from '../../base/ids.js';
import { UsageError } from '../../base/errors.js';
import type { Costs } from '../../export/costs.js';
import { stepCost } from '../../export/costs.js';
import type { LogReader } from '../../log/reader.js';
import type { OpenStage } from '../../replay/verify.js';

/** Steps that each search may try if nothing else is said. */
export const REGRET_EFFORT = 2000;

/** Of a run whose searches find nothing, so many are given all of their effort; what is left is estimated. */
export const SEARCHES_IN_VAIN = 10;

/** By step; null if nothing counts as success in the run, or its environment is not available. */
export function costsOfLogged(
  reader: LogReader,
  runId: string,
  { open, effort }: { readonly open: OpenStage; readonly effort: number },
): Costs {
  const run = reader.run(runId);
  const environment = opened(open, run);
  if (environment?.hasGoal !== true) return null;
  const steps = [...reader.steps(runId)];
  const regret = regretOfRun(
    { scenario: run.scenario, environment },
    { seed: run.seed, steps },
    effort,
    SEARCHES_IN_VAIN * effort,
  );
  const own = steps.filter(({ agent }) => agent !== WORLD_ID);
  return new Map(regret.map((one, i) => [own[i]?.step ?? 0, stepCost(one)]));
}

function opened(open: OpenStage, run: Parameters<OpenStage>[0]) {
  try {
    return open(run).environment;
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}
