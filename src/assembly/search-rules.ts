/** What a search needs to know of a scenario that nobody plays yet, and the turns that it gives a run. */
import type { Environment } from '../environment/environment.js';
import { systemDependencies } from '../model/dependencies.js';
import type { ControllerSpec, Scenario } from '../scenario/scenario.js';
import type { TurnRules } from '../solve/position.js';
import { solve } from '../solve/solve.js';
import { seatsFor } from './seats.js';
import { turnRulesOf } from './turn-rules.js';

/** The number of steps that a search tries if nobody says otherwise, which takes a few seconds. */
export const EFFORT = 10_000;

const PREDICTABLE: readonly ControllerSpec['kind'][] = ['scripted', 'random', 'replies'];

export function searchRules(scenario: Scenario, environment: Environment<unknown>): TurnRules {
  const agents = scenario.agents.filter(({ controller: { kind } }) => PREDICTABLE.includes(kind));
  const dependencies = systemDependencies(() => undefined);
  const { seats } = seatsFor({
    scenario: { ...scenario, agents },
    environment,
    hasPicture: false,
    dependencies,
  });
  return turnRulesOf(scenario, seats);
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
  const { turn: best } = solve(environment, start, { ...searchRules(scenario, environment), effort: EFFORT });
  return { max: best === null ? max : Math.min(max, Math.max(1, best * timesBest)), best };
}
