/**
 * The costs of the steps of a logged run, for `export`, `branch` and `report`: a search with a limit for each search
 * and for all searches of a run together.
 */
import { regretOfRun } from '../../assembly/regret.js';
import { WORLD_ID } from '../../base/ids.js';
import { UsageError } from '../../base/errors.js';
import type { Costs, StepCost } from '../../export/costs.js';
import { stepCost } from '../../export/costs.js';
import type { LogReader } from '../../log/reader.js';
import type { OpenStage } from '../../replay/verify.js';
import { mean } from '../../base/mean.js';
import type { Scenario } from '../../scenario/scenario.js';

/** The default number of steps that each search may try. */
export const REGRET_EFFORT = 2000;

/**
 * If the searches of a run find nothing, only this many get their full effort; the remaining costs are
 * estimated.
 */
export const SEARCHES_IN_VAIN = 10;

/** By step; null if the run has no success condition, or its environment is not available. */
export function costsOfLogged(
  reader: LogReader,
  runId: string,
  { open, effort }: { open: OpenStage; effort: number },
): Costs {
  const run = reader.run(runId);
  const environment = openEnvironment(open, run);
  if (environment?.hasGoal !== true) return null;
  const steps = [...reader.steps(runId)];
  const regret = regretOfRun(
    { scenario: run.scenario, environment },
    { seed: run.seed, steps },
    effort,
    SEARCHES_IN_VAIN * effort,
  );
  const agentSteps = steps.filter(({ agent }) => agent !== WORLD_ID);
  return new Map(regret.map((cost, i) => [agentSteps[i]?.step ?? 0, stepCost(cost)]));
}

/**
 * Turns lost per step of the players. A step that made success impossible lost the turns that were left; steps
 * after it, and steps without a known cost, do not count.
 */
export function meanRegret(
  reader: LogReader,
  runId: string,
  search: Parameters<typeof costsOfLogged>[2],
): number | null {
  const costs = costsOfLogged(reader, runId, search);
  if (costs === null) return null;
  const { scenario } = reader.run(runId);
  const players = new Set(scenario.agents.flatMap(({ id, part }) => (part === 'world' ? [] : [id])));
  return mean(
    [...reader.steps(runId)].flatMap((step) =>
      players.has(step.agent) ? (turnsLost(costs.get(step.step), step, scenario) ?? []) : [],
    ),
  );
}

/** By a step; null if it is not known. */
export function turnsLost(
  cost: StepCost | undefined,
  { turn }: { turn: number },
  { turns }: Pick<Scenario, 'turns'>,
): number | null {
  return cost?.regretKind === 'fatal' ? turns.max - turn + 1 : (cost?.regret ?? null);
}

/** Null if it is not available. */
export function openEnvironment(open: OpenStage, run: Parameters<OpenStage>[0]) {
  return ifUsable(() => open(run).environment);
}

/** Null if a run needs something that is missing here. */
export function ifUsable<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}
