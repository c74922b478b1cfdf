/**
 * How a run ended, and how it ended for each of its agents.
 */
import type { LogReader } from '../log/reader.js';
import type { PickedRun } from './picked-runs.js';

/** How the run ended; `running` if no end was written. */
export interface RunOutcome {
  status: string;
  reason: string;
  turns: number;
  steps: number;
}

/** How a run ended. */
export function outcomeOf(reader: LogReader, runId: string): RunOutcome {
  const end = reader.ending(runId);
  if (end === null) return RUNNING;
  const { status, reason, turns, steps } = end;
  return { status, reason, turns, steps };
}

const RUNNING: RunOutcome = { status: 'running', reason: '', turns: 0, steps: 0 };

/** For a run that was in progress: its end is not among the exported steps. */
export function outcomeWhenPicked(reader: LogReader, { runId, summary }: PickedRun): RunOutcome {
  return summary.status === RUNNING.status ? RUNNING : outcomeOf(reader, runId);
}

/**
 * How the run ended for each agent, up to the last exported step; without agents whose end the log does not
 * name.
 */
export function agentOutcomesIn(
  reader: LogReader,
  { runId, lastStep }: PickedRun,
): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  for (const { step } of reader.played(runId, { to: lastStep }))
    for (const [agent, status] of Object.entries(step.rewards?.outcomes ?? {})) ends.set(agent, status);
  return ends;
}
