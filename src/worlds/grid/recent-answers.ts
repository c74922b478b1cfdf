/**
 * Caches results per agent for the last few states, by the identity of the state: several parts of a step
 * need the same result. State is never changed in place, so the same state gives the same result.
 * `base/recent.ts` explains why this is not a weak map.
 */
import { RecentCache } from '../../base/recent.js';
import type { GridState } from './state.js';
import type { GridWorld } from './world.js';

type AnswerFunction<V> = (world: GridWorld, state: GridState, agent: string) => V;

/** A step uses the states before and after it, and those in between. */
const CACHED_STATES = 4;

/** `compute`, called only once for the same agent in the same state of a world. */
export function memoised<V extends object>(compute: AnswerFunction<V>): AnswerFunction<V> {
  const worlds = new WeakMap<GridWorld, RecentCache<GridState, Map<string, V>>>();
  return (world, state, agent) => {
    const answers = answersFor(worlds, world, state);
    const cached = answers.get(agent);
    if (cached !== undefined) return cached;
    const answer = compute(world, state, agent);
    answers.set(agent, answer);
    return answer;
  };
}

function answersFor<V>(
  worlds: WeakMap<GridWorld, RecentCache<GridState, Map<string, V>>>,
  world: GridWorld,
  state: GridState,
): Map<string, V> {
  const states = worlds.get(world) ?? new RecentCache<GridState, Map<string, V>>(CACHED_STATES);
  const cached = states.get(state);
  if (cached !== undefined) return cached;
  worlds.set(world, states);
  const answers = new Map<string, V>();
  states.add(state, answers);
  return answers;
}
