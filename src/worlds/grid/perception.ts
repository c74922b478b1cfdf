/**
 * What an agent perceives, computed in one pass: its view, the known map, the tiles that it believes it can
 * walk on, the exits and the nouns, each from the previous ones. Text, facts, offers and plans use this one
 * value instead of computing its parts again. It contains nothing that the agent could not know.
 */
import type { Noun } from '../../environment/observation.js';
import type { BelievedWalkability } from './believed-walkability.js';
import { believedWalkability } from './believed-walkability.js';
import type { KnownExit } from './exits.js';
import { knownExits } from './exits.js';
import type { KnownMap } from './known-map.js';
import { knownMapOf } from './known-map.js';
import { nounsOf } from './nouns.js';
import { memoised } from './recent-answers.js';
import type { AgentView } from './view.js';
import { viewOf } from './view.js';
import type { NameLabel } from './wording.js';
import { labeller } from './wording.js';

export interface Perception {
  view: AgentView;
  map: KnownMap;
  walkability: BelievedWalkability;
  /** The exits that it knows. */
  exits: readonly KnownExit[];
  /** What the agent may name. */
  nouns: readonly Noun[];
  /** Their names in the text. */
  label: NameLabel;
}

/** What `agent` perceives in `state`: computed once, because plans and checks need it dozens of times. */
export const perceptionOf = memoised((world, state, agent): Perception => {
  const view = viewOf(world, state, agent);
  const map = knownMapOf(world, state, view);
  const walkability = believedWalkability(world, view, map);
  const exits = knownExits(world, state, view);
  const nouns = nounsOf(world, state, view);
  return { view, map, walkability, exits, nouns, label: labeller(nouns) };
});
