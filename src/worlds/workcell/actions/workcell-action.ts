/**
 * What an action of the workcell has beyond the contract. `check` uses only what the robot knows before it
 * acts. `attempt` checks what only trying shows; it is called when the turn is spent. `afterAttempt` is the
 * state after a failed attempt, from which the robot may learn something.
 */
import { lookUp } from '../../../base/look-up.js';
import type { Problem } from '../../../base/problem.js';
import type { Action, Args } from '../../../environment/action.js';
import type { WorkcellState } from '../state.js';

export interface WorkcellAction extends Action<WorkcellState> {
  attempt?(state: WorkcellState, agent: string, args: Args): Problem | undefined;
  afterAttempt?(state: WorkcellState, agent: string): WorkcellState;
}

/** An argument that the grammar makes a text, a word or a name; '' if it was left out. */
export function textArg(args: Args, slot: string): string {
  const value = lookUp(args, slot);
  return value === undefined ? '' : String(value);
}
