/** How an agent stands: by conditions of its own, where it has some, then by the run's. In: a state; out: a word. */
import type { Environment, Outcome } from './environment.js';

/** An agent's own outcome once it has one, else the run's. */
export function standingOf<S>(environment: Environment<S>, state: S, agent: string): Outcome['status'] {
  const own = environment.outcomeOf?.(state, agent) ?? 'running';
  return own === 'running' ? runOutcome(environment, state) : own;
}

/** The world's own outcome; that nobody is left to act is one too. Limits of the run, such as its turns, are none. */
export function runOutcome<S>(environment: Environment<S>, state: S): Outcome['status'] {
  const { status } = environment.outcome(state);
  if (status !== 'running' || environment.active(state).length > 0) return status;
  return environment.hasGoal ? 'failed' : 'ended';
}
