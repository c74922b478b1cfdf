/**
 * Steps in which nobody decided: no one controlled the agent, or its model's server gave no answer. In: a step;
 * out: whether it is one.
 */
import { isServerFault } from '../base/problem.js';
import type { ActRecord, StepRecord } from './records.js';

/** The code of the act that replaces the decision for an agent that no one controls. */
export const UNCONTROLLED = 'uncontrolled';

/** Whether an act only passes the turn of an agent for which nobody decided. */
export function isNobodysChoice({ insteadOf }: Pick<ActRecord, 'insteadOf'>): boolean {
  return insteadOf !== null && (insteadOf.code === UNCONTROLLED || isServerFault(insteadOf.code));
}

export function isUncontrolled({ acts }: Pick<StepRecord, 'acts'>): boolean {
  return acts.some(({ insteadOf }) => insteadOf?.code === UNCONTROLLED);
}

/** Whether the agent waited because the last of its requests got no answer from the server. */
export function isLostToServer({ acts }: Pick<StepRecord, 'acts'>): boolean {
  return acts.some(({ insteadOf }) => insteadOf !== null && isServerFault(insteadOf.code));
}
