/**
 * Priority among agents that act at once and conflict: by id, or drawn in each tick from a random stream of
 * its own, so that no agent has an advantage by its name. The whole order is drawn even without conflicts, so
 * that the next draw reveals nothing about this tick.
 */
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import { shuffled } from '../../base/rng.js';
import type { GridState } from './state.js';

/** The label of the random stream. */
export const TIES = 'ties';

export interface Precedence {
  /** Every agent that acts, the first one first. */
  readonly order: readonly string[];
  readonly state: GridState;
}

export function precedence(state: GridState, agents: readonly string[]): Precedence {
  const byId = agents.toSorted(compareText);
  const stream = lookUp(state.rng, TIES);
  if (stream === undefined || byId.length < 2) return { order: byId, state };
  const drawn = shuffled(stream, byId);
  return { order: drawn.value, state: { ...state, rng: { ...state.rng, [TIES]: drawn.state } } };
}
