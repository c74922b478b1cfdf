/** The regret of a logged run: replays its steps and searches for a solution before and after each. */
import { WORLD_ID } from '../base/ids.js';
import type { StepRecord } from '../trajectory/records.js';
import { regretOf } from '../solve/regret.js';
import type { StepRegret } from '../solve/regret.js';
import type { Environment } from '../environment/environment.js';
import type { Scenario } from '../scenario/scenario.js';
import { turnRulesOf } from '../orchestrator/turn-rules.js';

/**
 * How far each step of an agent delayed success, in order, according to a search before and after the step.
 * `effort` is the maximum number of steps per search, `effortOfRun` the maximum for all searches together.
 * `run` is a result of `runScenario` or a `LogReader`.
 */
export function regretOfRun(
  { scenario, environment }: { scenario: Scenario; environment: Environment<unknown> },
  run: { seed: string; steps: readonly StepRecord[] },
  effort: number,
  effortOfRun?: number,
): readonly StepRegret[] {
  const isFree = (action: string): boolean => environment.actions.get(action)?.cost === 'free';
  const steps = run.steps
    .filter(({ agent }) => agent !== WORLD_ID)
    .map(({ turn, agent, acts }) => ({
      turn,
      agent,
      intents: acts.flatMap(({ intent, result }, i) => {
        const isDone =
          i === acts.length - 1 || (result !== null && result.ok && intent !== null && isFree(intent.action));
        return intent !== null && isDone ? [intent] : [];
      }),
    }));
  const options = {
    ...turnRulesOf(scenario, []),
    effort,
    ...(effortOfRun === undefined ? {} : { effortOfRun }),
  };
  return regretOf(environment, { state: environment.create(run.seed), steps }, options);
}
