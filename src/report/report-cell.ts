/** A cell of the report: the figures of all runs of one scenario by the same players with the same settings. */
import type { NamedCounts } from '../trajectory/named-counts.js';
import { forEachCount } from '../trajectory/run-figures.js';
import type { RunMetrics } from './run-metrics.js';
import type { SpendingPer } from './spending-per.js';
import type { Interval } from './statistics.js';

/** A mean and its uncertainty. */
export interface Estimate {
  mean: number;
  /** The number of values. */
  of: number;
  /** All of the values are equal. */
  isOneValue: boolean;
  /** Null for too few values, and if all are equal: then nothing is known about their spread. */
  interval: Interval | null;
}

/** A cell has an estimate of the turns. */
const { turns: _turns, ...SUMMED } = forEachCount('sum' as const);

/**
 * The figures of a run that a cell has over all of its runs, including open ones, in the order of the JSON
 * document. The CSV has those that are numbers for each run.
 */
export const OVER_RUNS = {
  ticks: 'sum',
  ticksLate: 'sum',
  overrunMs: 'most',
  settleMs: 'most',
  ...SUMMED,
  unread: 'sum by name',
  unanswered: 'sum by name',
  refused: 'sum by name',
  waits: 'sum by name',
  untimely: 'sum by name',
  promptTokens: 'sum',
  replyTokens: 'sum',
  cachedTokens: 'sum',
  cacheToldTokens: 'sum',
  seconds: 'sum',
  probes: 'sum',
  probesRight: 'sum',
  agents: 'sum by agent',
  cost: 'sum',
} as const satisfies Partial<Record<keyof RunMetrics, string>>;

/** Null counts as 0. */
export type OverRuns = { readonly [Name in keyof typeof OVER_RUNS]: NonNullable<RunMetrics[Name]> };

/** All runs of one scenario by the same players with the same settings; `players` names both. */
export interface ReportCell extends OverRuns, SpendingPer {
  scenario: string;
  players: string;
  /** By agent, the player of its seat in a lineup; empty for other players. */
  seats: RunMetrics['names']['seats'];
  temperature: string;
  /** '' if the players' runs have no different settings. */
  settings: string;
  /**
   * The number of runs that finished normally; those that were interrupted, stopped by an error or are in
   * progress are `open`.
   */
  runs: number;
  /** Those of them in which agents lost turns to a model's server. */
  harmed: number;
  open: number;
  /** Finished runs that succeeded or failed, and those of them that succeeded. */
  decided: number;
  successes: number;
  /**
   * Finished runs that are identical to another one but still count, because other seeds gave different runs.
   */
  alike: number;
  /** Runs that are identical to another one, and count nowhere else. */
  repeats: number;
  /** Seeds of runs that are in no log: planned by the batch, or played by other players of the scenario. */
  missing: readonly string[];
  /** Seeds of runs that were won or lost before anybody acted, which say nothing of the players. */
  decidedAtStart: readonly string[];
  /** Several seeds were played, and all gave the same run, so a success rate can't be estimated. */
  ignoresSeed: boolean;
  /**
   * Over runs with a success condition; null if there are none. Without an interval if the seed has no
   * effect.
   */
  success: { share: number; interval: Interval | null } | null;
  /** How often runs ended in each way, in words: `failed: the rat caught Ann`. */
  endings: NamedCounts;
  /** The same for unfinished runs: `error: the model server at … can't be reached`. */
  unfinished: NamedCounts;
  /** Whether there is no interval, or one so wide that the share says little. */
  isTooSmall: boolean;
  /** Over successful runs; null if there are none. */
  turns: Estimate | null;
  /** Over finished runs; null if the scenario has no rewards. */
  return: Estimate | null;
  /** Turns lost per step, over finished runs; null if it is known for none. */
  regret: Estimate | null;
}
