/**
 * What text, facts and offers are made from: an agent's view (`view.ts`) and what follows from it for all three, worked
 * out once for one observation.
 */
import type { Noun } from '../../environment/observation.js';
import type { KnownExit } from './exits.js';
import { knownExits } from './exits.js';
import type { GroundMap } from './known-map.js';
import { knownGround } from './known-map.js';
import { labeller, nounsOf } from './nouns.js';
import type { GridState } from './state.js';
import type { NameLabel } from './text.js';
import type { AgentView } from './view.js';
import { viewOf } from './view.js';
import type { GridWorld } from './world.js';

export interface Perception {
  readonly view: AgentView;
  readonly ground: GroundMap;
  /** What the agent may name. */
  readonly nouns: readonly Noun[];
  /** How the text calls each of them. */
  readonly label: NameLabel;
  /** The exits that it knows. */
  readonly exits: readonly KnownExit[];
}

export function outlookOf(world: GridWorld, state: GridState, agent: string): Perception {
  const view = viewOf(world, state, agent);
  const nouns = nounsOf(world, state, agent);
  return {
    view,
    ground: knownGround(world, state, view),
    nouns,
    label: labeller(nouns),
    exits: knownExits(world, state, view),
  };
}
