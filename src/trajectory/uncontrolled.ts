/** Steps of agents that no one controlled: the world waits for them. In: a step; out: whether it is one. */
import type { StepRecord } from './records.js';

/** The code of the act that replaces the decision for an agent that no one controls. */
export const UNCONTROLLED = 'uncontrolled';

export function isUncontrolled({ acts }: Pick<StepRecord, 'acts'>): boolean {
  return acts.some(({ insteadOf }) => insteadOf?.code === UNCONTROLLED);
}
