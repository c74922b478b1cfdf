/** An outline of a run, from its rows in the log, for lists of runs. */
import type { RunStatus } from './records.js';

/**
 * A summary of a run. `status` is that of its newest session: `running` if the session has no end, because it
 * is in progress or was killed.
 */
export interface RunSummary {
  runId: string;
  /** For a fork: the run whose steps before `step` it shares; null for a run that is not a fork. */
  parent: { runId: string; step: number } | null;
  /** The scenario's name. */
  name: string;
  seed: string;
  status: RunStatus;
  /** The last step in the log; 0 before the first. */
  steps: number;
  /**
   * The hash over everything that was played: that of its end, otherwise of its last step, otherwise the one
   * with which it begins. 64 hexadecimal digits.
   */
  chain: string;
  /** When its first session began, in milliseconds since 1970. */
  startedAt: number;
}

/** The usage of an agent's calls whose replies ended for the same reason. */
export interface AgentTokens {
  agent: string;
  /** Null also for a call that failed. */
  finishReason: string | null;
  calls: number;
  prompt: number;
  reply: number;
}
