/**
 * Why a run ends: the world's outcome, the turn limit, no agent left to act, an agent that gave up, or the
 * user. Checked after every step.
 */
import { counted } from '../base/counted.js';
import { overBudget } from './budget.js';
import type { RunContext, StopSignals, RunVerdict } from './run-context.js';
import type { RunState } from './run-state.js';

export function verdict<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  stop: StopSignals,
): RunVerdict | null {
  const { environment, scenario } = parts;
  const outcome = environment.outcome(progress.state);
  if (outcome.status !== 'running') return { status: outcome.status, reason: outcome.reason };
  const missed = environment.hasGoal ? 'failed' : 'ended';
  if (environment.active(progress.state).length === 0) {
    return { status: missed, reason: 'no agent is left to act' };
  }
  if (progress.turn > scenario.turns.max) {
    return {
      status: missed,
      reason: `the ${counted(scenario.turns.max, 'turn')} ${scenario.turns.max === 1 ? 'is' : 'are'} over`,
    };
  }
  const over = overBudget(scenario.budget, progress.spent, progress.elapsedMs);
  if (over !== null) return { status: missed, reason: over };
  if (scenario.turns.givenUp === 'stop' && progress.gaveUp !== null) {
    return { status: missed, reason: `${nameOf(parts, progress.gaveUp)} gave no usable answer` };
  }
  const circling = goesInCircles(parts, progress);
  if (circling !== null) return { status: missed, reason: circling };
  if (stop.soft.aborted) return { status: 'interrupted', reason: 'stopped by the user' };
  return null;
}

function nameOf<S>({ scenario }: RunContext<S>, agent: string): string {
  return scenario.agents.find(({ id }) => id === agent)?.name ?? agent;
}

/** Which agent repeats itself so often that the run is to end. */
function goesInCircles<S>({ scenario }: RunContext<S>, progress: RunState<S>): string | null {
  const { repeats } = scenario.turns;
  if (repeats?.then !== 'stop') return null;
  const who = scenario.agents.find(({ id }) => (progress.repeats(id)?.times ?? 0) >= repeats.times);
  return who === undefined
    ? null
    : `${who.name} did the same thing ${repeats.times} times in the same situation`;
}
