/** Steps in which nobody decided: no one controlled the agent, or its model's server gave no answer. */
import { WORLD_ID } from '../base/ids.js';
import { isServerFault } from '../base/problem.js';
import type { Problem } from '../base/problem.js';
import type { ActRecord } from './act.js';
import type { StepRecord } from './records.js';

/** The code of the act that replaces the decision for an agent that no one controls. */
export const UNCONTROLLED = 'uncontrolled';

/** Whether an act only passes the turn of an agent for which nobody decided. */
export function isNobodysChoice({ insteadOf }: Pick<ActRecord, 'insteadOf'>): boolean {
  return insteadOf !== null && (insteadOf.code === UNCONTROLLED || isServerFault(insteadOf.code));
}

/** Finds an agent to which its model's server gave no answer in any of its turns, one at least. */
export class UnansweredAgents {
  readonly #turns = new Map<string, { lost: number; all: number }>();

  add(step: StepRecord): void {
    if (step.agent === WORLD_ID || isUncontrolled(step)) return;
    const { lost, all } = this.#turns.get(step.agent) ?? { lost: 0, all: 0 };
    this.#turns.set(step.agent, { lost: lost + (isUnanswered(step) ? 1 : 0), all: all + 1 });
  }

  /** Null if there is none. */
  get first(): { agent: string; turns: number } | null {
    const found = [...this.#turns].find(([, { lost, all }]) => lost === all);
    return found === undefined ? null : { agent: found[0], turns: found[1].all };
  }
}

function isUnanswered({ acts }: StepRecord): boolean {
  const isFault = (problem: Problem | null): boolean => problem !== null && isServerFault(problem.code);
  return acts.every(({ insteadOf, result }) => isFault(insteadOf ?? (result.ok ? null : result.problem)));
}

export function isUncontrolled({ acts }: Pick<StepRecord, 'acts'>): boolean {
  return acts.some(({ insteadOf }) => insteadOf?.code === UNCONTROLLED);
}

/** Whether the agent waited because the last of its requests got no answer from the server. */
export function isLostToServer({ acts }: Pick<StepRecord, 'acts'>): boolean {
  return acts.some(({ insteadOf }) => insteadOf !== null && isServerFault(insteadOf.code));
}
