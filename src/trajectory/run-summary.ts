/** A run at a glance: what its rows in the log say of it, for lists of runs. */
import type { RunStatus } from './records.js';

/** A run at a glance. `status` is its newest session's, `running` where that has no end: under way, or killed. */
export interface RunSummary {
  readonly runId: string;
  /** For a fork: the run whose steps before `step` it shares; null for a run of its own. */
  readonly parent: { readonly runId: string; readonly step: number } | null;
  /** The scenario's name. */
  readonly name: string;
  readonly seed: string;
  readonly status: RunStatus;
  /** The last step in the log; 0 before the first. */
  readonly steps: number;
  /** When its first session began, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** What an agent's calls came to. */
export interface AgentTokens {
  readonly agent: string;
  /** Replies that were stored, failures among them. */
  readonly calls: number;
  readonly prompt: number;
  readonly reply: number;
}
