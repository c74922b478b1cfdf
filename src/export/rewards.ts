/**
 * The rewards of agents, as columns of their steps. What an agent is paid between one of its steps and its
 * next counts as the reward of the first.
 */
import { WORLD_ID } from '../base/ids.js';
import { rounded6 } from '../base/rounded.js';
import type { LogReader } from '../log/reader.js';
import type { StepOutline } from '../trajectory/records.js';
import type { PickedRun } from './picked-runs.js';

export interface StepReturn {
  reward: number;
  /** The rewards from this step to the end of the run, not discounted. */
  return: number;
}

interface OwnStep {
  step: number;
  agent: string;
  reward: number;
}

/** By step, for a run up to the last step that is exported. */
export function returnsIn(
  reader: LogReader,
  { runId, lastStep }: Pick<PickedRun, 'runId' | 'lastStep'>,
): ReadonlyMap<number, StepReturn> {
  return returnsOf(stepsIn(reader, runId, lastStep));
}

/** The steps of a run up to `to`, in order. */
function* stepsIn(reader: LogReader, runId: string, to: number): Generator<StepOutline> {
  for (const { step } of reader.played(runId, { to })) yield step;
}

/** Rewards and returns by step. */
export function returnsOf(
  steps: Iterable<Pick<StepOutline, 'step' | 'agent' | 'rewards'>>,
): ReadonlyMap<number, StepReturn> {
  const agentSteps: OwnStep[] = [];
  const newest = new Map<string, OwnStep>();
  for (const { step, agent, rewards } of steps) {
    if (agent !== WORLD_ID) {
      const entry = { step, agent, reward: 0 };
      agentSteps.push(entry);
      newest.set(agent, entry);
    }
    for (const [payee, amount] of Object.entries(rewards?.paid ?? {})) {
      const last = newest.get(payee);
      // Payments before an agent's first step were not caused by it.
      if (last !== undefined) last.reward += amount;
    }
  }
  const sums = new Map<string, number>();
  const returns = agentSteps.toReversed().map(({ step, agent, reward }) => {
    const sum = (sums.get(agent) ?? 0) + reward;
    sums.set(agent, sum);
    return [step, { reward: rounded6(reward), return: rounded6(sum) }] as const;
  });
  return new Map(returns);
}
