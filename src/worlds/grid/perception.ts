/**
 * What an agent perceives, computed in one pass: its view, the known map, the tiles that it believes it can
 * walk on, the exits and the nouns, each from the previous ones. Text, facts, offers and plans use this one
 * value instead of computing its parts again. In: a state and an agent; out: nothing that the agent could not
 * know.
 */
import { RecentCache } from '../../base/recent.js';
import type { Noun } from '../../environment/observation.js';
import type { BelievedWalkability } from './believed-walkability.js';
import { believedWalkability } from './believed-walkability.js';
import type { KnownExit } from './exits.js';
import { knownExits } from './exits.js';
import type { KnownMap } from './known-map.js';
import { knownMapOf } from './known-map.js';
import { nounsOf } from './nouns.js';
import type { GridState } from './state.js';
import type { AgentView } from './view.js';
import { viewOf } from './view.js';
import type { NameLabel } from './wording.js';
import { labeller } from './wording.js';
import type { GridWorld } from './world.js';

export interface Perception {
  readonly view: AgentView;
  readonly map: KnownMap;
  readonly walkability: BelievedWalkability;
  /** The exits that it knows. */
  readonly exits: readonly KnownExit[];
  /** What the agent may name. */
  readonly nouns: readonly Noun[];
  /** Their names in the text. */
  readonly label: NameLabel;
}

/** Number of cached perceptions, because several agents may perceive the same state in turn. */
const CACHED_VIEWS = 4;
/**
 * Cached by view, of which there is one per state and agent, because plans and checks need the same
 * perception dozens of times.
 */
const perceptions = new RecentCache<AgentView, Perception>(CACHED_VIEWS);

/** What `agent` perceives in `state`. */
export function perceptionOf(world: GridWorld, state: GridState, agent: string): Perception {
  const view = viewOf(world, state, agent);
  const cached = perceptions.get(view);
  if (cached !== undefined) return cached;
  const perception = computePerception(world, state, view);
  perceptions.add(view, perception);
  return perception;
}

function computePerception(world: GridWorld, state: GridState, view: AgentView): Perception {
  const map = knownMapOf(world, state, view);
  const walkability = believedWalkability(world, view, map);
  const exits = knownExits(world, state, view);
  const nouns = nounsOf(world, state, view);
  return { view, map, walkability, exits, nouns, label: labeller(nouns) };
}
