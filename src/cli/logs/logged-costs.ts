/**
 * The costs of the steps of a logged run, for `export`, `branch` and `report`: a search with a limit for each search
 * and for all searches of a run together.
 */
import { regretOfRun } from '../../assembly/regret.js';
import { WORLD_ID } from '../../base/ids.js';
import { UsageError } from '../../base/errors.js';
import type { Costs } from '../../export/costs.js';
import { stepCost } from '../../export/costs.js';
import type { LogReader } from '../../log/reader.js';
import type { OpenStage } from '../../replay/verify.js';

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
  const { agents, turns } = reader.run(runId).scenario;
  const players = new Set(agents.flatMap(({ id, part }) => (part === 'world' ? [] : [id])));
  const lost = [...reader.steps(runId)].flatMap(({ step, agent, turn }) => {
    const cost = players.has(agent) ? costs.get(step) : undefined;
    return cost?.regretKind === 'fatal' ? [turns.max - turn + 1] : (cost?.regret ?? []);
  });
  return lost.length === 0 ? null : lost.reduce((sum, turn) => sum + turn, 0) / lost.length;
}

/** Null if it is not available. */
export function openEnvironment(open: OpenStage, run: Parameters<OpenStage>[0]) {
  try {
    return open(run).environment;
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}
