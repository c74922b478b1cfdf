/**
 * Agents that go round in circles: how often in a row each did the same thing in the same situation, which is what it was told without
 * the turn's number. A pure function of the run's steps; `turns.repeats` of the scenario says what becomes of it.
 */
import { canonicalJson } from '../base/canonical.js';
import type { Problem } from '../base/problem.js';
import type { Intent } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';

export interface Repeats {
  /** The situation and what was done in it. */
  readonly key: string;
  /** From 1. */
  readonly times: number;
}

export function repeated(before: Repeats | undefined, observation: Observation, intent: Intent): Repeats {
  const { sections, offered } = observation;
  const key = canonicalJson({ sections, offered, action: intent.action, args: intent.args });
  return { key, times: before?.key === key ? before.times + 1 : 1 };
}

/** What an agent is told when it has repeated itself so often. */
export function nudge({ times }: Repeats): Problem {
  return {
    code: 'repeating',
    message: `You have done the same thing ${times} times in the same situation, and nothing came of it. Do something else.`,
  };
}
