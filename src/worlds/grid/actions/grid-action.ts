/**
 * What an action of the grid world has beyond the contract. `check` uses only what the actor can know before
 * it acts. `attempt` checks what only trying shows; it is called when the turn is spent, so that neither an
 * offer nor a refusal reveals anything hidden. Actions that walk return their path from `plan`, because all
 * walks of a tick are resolved together.
 */
import { lookUp } from '../../../base/look-up.js';
import type { Json } from '../../../base/json.js';
import type { Action, ActionOutcome, Args } from '../../../environment/action.js';
import type { Problem } from '../../../base/problem.js';
import type { Point } from '../../../environment/space.js';
import type { GridState } from '../state.js';

/** The tiles to walk, the actor's own first; or why it can't go. */
export type RoutePlan = { ok: true; path: readonly Point[] } | { ok: false; problem: Problem };

/** What an action did. */
export interface GridOutcome extends ActionOutcome<GridState> {
  /**
   * The part of the message that is words and no sight: what was read, or what the scenario's author wrote of
   * it. All that is told where only the picture tells what is seen.
   */
  told?: string;
}

export interface GridAction extends Action<GridState> {
  apply(state: GridState, agent: string, args: Args, outside?: Json): GridOutcome;
  /**
   * True if it works on things beyond the reach of hands: it is then offered for everything in sight. True
   * for all custom actions.
   */
  reachesFar?: boolean;
  /**
   * The reason for a failure that only the attempt shows. Called after `check` found no problem, before
   * `apply`; the turn is spent either way.
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

/** An argument that the grammar makes an integer; `fallback` if it was left out. */
export function integerArg(args: Args, slot: string, fallback: number): number {
  const value = lookUp(args, slot);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : fallback;
}
