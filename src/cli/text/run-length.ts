/**
 * How long a run was, in words. The world's own steps are counted apart, because a budget of steps and
 * `report` count agents' steps.
 */
import { counted } from '../../base/counted.js';
import type { RunEnd } from '../../trajectory/records.js';

/** `agentSteps` is null if it is not known. */
export function runLength(
  { turns, steps }: Pick<RunEnd, 'turns' | 'steps'>,
  agentSteps: number | null,
): string {
  const counts =
    agentSteps === null || agentSteps === steps
      ? counted(steps, 'step')
      : `${counted(agentSteps, 'step')} of agents and ${steps - agentSteps} of the world`;
  return `${counted(turns, 'turn')}, ${counts}`;
}
