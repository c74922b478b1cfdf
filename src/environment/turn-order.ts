/**
 * Priority among agents that act at once and conflict: by id, or drawn in each tick from a random stream of
 * its own, so that no agent has an advantage by its name. The whole order is drawn even without conflicts, so
 * that the next draw reveals nothing about this tick.
 */
import { compareText } from '../base/ids.js';
import type { RngState } from '../base/rng.js';
import { shuffled } from '../base/rng.js';

/** The label of the random stream. */
export const TIES = 'ties';

export interface Precedence {
  /** Every agent that acts, the first one first. */
  order: readonly string[];
  /** The stream for the next tick; undefined if there is none, and the same if nothing was drawn. */
  ties: RngState | undefined;
}

/** Without a stream, agents are ordered by their ids. */
export function precedence(ties: RngState | undefined, agents: readonly string[]): Precedence {
  const byId = agents.toSorted(compareText);
  if (ties === undefined || byId.length < 2) return { order: byId, ties };
  const drawn = shuffled(ties, byId);
  return { order: drawn.value, ties: drawn.state };
}
