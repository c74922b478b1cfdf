/**
 * The outcome of an agent: by its own conditions if they have decided it, otherwise by the run's.
 */
import type { Environment, Outcome } from './environment.js';

/** An agent's own outcome once it has one, otherwise the run's. */
export function agentOutcome<S>(environment: Environment<S>, state: S, agent: string): Outcome['status'] {
  const ownOutcome = environment.outcomeOf?.(state, agent) ?? 'running';
  return ownOutcome === 'running' ? runOutcome(environment, state) : ownOutcome;
}

/**
 * The world's own outcome, which also covers the case that no agent is left to act, but not limits of the
 * run, such as its turns.
 */
export function runOutcome<S>(environment: Environment<S>, state: S): Outcome['status'] {
  const { status } = environment.outcome(state);
  if (status !== 'running' || environment.active(state).length > 0) return status;
  return environment.hasGoal ? 'failed' : 'ended';
}
