/**
 * Agents that loop: how often in a row each did the same thing in the same situation, which is its prompt
 * without the turn number. A pure function of the run's steps; `turns.repeats` of the scenario decides the
 * consequence.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../base/problem.js';
import type { Intent } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';

export interface RepeatedStep {
  observation: Observation;
  intent: Intent;
  /** From 1. */
  times: number;
}

export function countRepeat(
  previous: RepeatedStep | undefined,
  observation: Observation,
  intent: Intent,
): RepeatedStep {
  const isSame = previous !== undefined && isSameStep(previous, { observation, intent });
  return { observation, intent, times: isSame ? previous.times + 1 : 1 };
}

function isSameStep(first: Omit<RepeatedStep, 'times'>, second: Omit<RepeatedStep, 'times'>): boolean {
  return isDeepStrictEqual(situationOf(first), situationOf(second));
}

function situationOf({
  observation: { sections, offered },
  intent: { action, args },
}: Omit<RepeatedStep, 'times'>) {
  return { action, args, sections, offered };
}

/** The message to an agent that has repeated itself this often. */
export function nudge({ times }: RepeatedStep): Problem {
  return {
    code: 'repeating',
    message: `You have done the same thing ${times} times in the same situation, and nothing came of it. Do something else.`,
  };
}
