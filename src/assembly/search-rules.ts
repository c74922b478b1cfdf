/** What searches need to know of a scenario: its rules for turns. */
import type { Environment } from '../environment/environment.js';
import type { Scenario } from '../scenario/scenario.js';
import type { TurnRules } from '../solve/position.js';
import { solve } from '../solve/solve.js';

/** The number of steps that a search tries if nobody says otherwise, which takes a few seconds. */
export const EFFORT = 10_000;

export function turnRulesOf({ turns: { order, max, freeActs } }: Scenario): TurnRules {
  return { order, turnsMax: max, freeActs };
}

/**
 * The turns of a run: `max`, or with `times_best` so many times the turns of the best solution of this seed,
 * whatever is fewer. `best` is null if it was not needed or not found.
 */
export function turnLimit(
  scenario: Scenario,
  environment: Environment<unknown>,
): { max: number; best: number | null } {
  const { max, timesBest } = scenario.turns;
  if (timesBest === undefined || !environment.hasGoal) return { max, best: null };
  const start = { state: environment.create(scenario.seed), turn: 1 };
  const { turn: best } = solve(environment, start, { ...turnRulesOf(scenario), effort: EFFORT });
  return { max: best === null ? max : Math.min(max, Math.max(1, best * timesBest)), best };
}
