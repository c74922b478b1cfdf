/**
 * Results computed for an agent in the last few states, by identity: several parts of a step need the same,
 * and later ones don't. State is never changed in place, so the same state gives the same result.
 * `base/recent.ts` explains why this is not a weak map.
 */
import { Recent } from '../../base/recent.js';
import type { GridState } from './state.js';
import type { GridWorld } from './world.js';

type AnswerFunction<V> = (world: GridWorld, state: GridState, agent: string) => V;

/** A step sees the states before and after it, and those in between. */
const STATES_KEPT = 4;

/** `work`, done once for the same agent in the same state of a world. */
export function remembered<V extends object>(work: AnswerFunction<V>): AnswerFunction<V> {
  const worlds = new WeakMap<GridWorld, Recent<GridState, Map<string, V>>>();
  return (world, state, agent) => {
    const answers = answersOf(worlds, world, state);
    const before = answers.get(agent);
    if (before !== undefined) return before;
    const answer = work(world, state, agent);
    answers.set(agent, answer);
    return answer;
  };
}

function answersOf<V>(
  worlds: WeakMap<GridWorld, Recent<GridState, Map<string, V>>>,
  world: GridWorld,
  state: GridState,
): Map<string, V> {
  const states = worlds.get(world) ?? new Recent<GridState, Map<string, V>>(STATES_KEPT);
  const before = states.get(state);
  if (before !== undefined) return before;
  worlds.set(world, states);
  const answers = new Map<string, V>();
  states.add(state, answers);
  return answers;
}
