/**
 * What an action of the grid world has beyond the contract. `check` uses only what the actor could know
 * before it acts; what only trying shows is `attempt`, called when the turn is spent, so that neither an
 * offer nor a refusal reveals anything hidden. Actions that walk give their destination in `plan`, because
 * all walks of a tick are resolved together.
 */
import { lookUp } from '../../../base/look-up.js';
import type { Action, Args } from '../../../environment/action.js';
import type { Problem } from '../../../base/problem.js';
import type { Point } from '../../../environment/space.js';
import type { GridState } from '../state.js';

/** The tiles to walk, the actor's own first; or why it can't go. */
export type RoutePlan =
  { readonly ok: true; readonly path: readonly Point[] } | { readonly ok: false; readonly problem: Problem };

export interface GridAction extends Action<GridState> {
  /**
   * True if it may reach farther than hands: then it is offered for everything in sight. Custom actions may.
   */
  readonly reachesFar?: boolean;
  /**
   * Reasons that only a try would show: called after `check` found nothing, before `apply`; the turn is spent
   * either way.
   */
  attempt?(state: GridState, agent: string, args: Args): Problem | undefined;
  /** For actions that only walk: performed by the movement phase instead of `apply`. */
  plan?(state: GridState, agent: string, args: Args): RoutePlan;
}

/** An argument that the grammar makes a text or a name; '' if it was left out. */
export function textArg(args: Args, slot: string): string {
  const value = lookUp(args, slot);
  return typeof value === 'string' ? value : '';
}

/** An argument that the grammar makes an integer; `otherwise` if it was left out. */
export function integerArg(args: Args, slot: string, otherwise: number): number {
  const value = lookUp(args, slot);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : otherwise;
}
