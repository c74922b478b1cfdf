/**
 * What a run and a success cost, in tokens and money: the same definition for a cell and for a row of several
 * scenarios. A run that did not finish was paid for too, so it counts in the price of a success, but it says
 * nothing of what a whole run takes.
 */
import { isEnded, isWon } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';

export interface SpendingPer {
  /** Over runs that finished; null if there are none. */
  tokensPerRun: number | null;
  costPerRun: number | null;
  /** What all runs spent, including unfinished ones, by success; null if there are none. */
  tokensPerSuccess: number | null;
  costPerSuccess: number | null;
}

/** Of distinct runs: a repeated run counts neither as a success nor as spending. */
export function spendingPer(runs: readonly RunMetrics[]): SpendingPer {
  const finished = runs.filter(isEnded);
  const successes = runs.filter(isWon).length;
  const tokensOf = (list: readonly RunMetrics[]): number =>
    list.reduce((sum, run) => sum + run.promptTokens + run.replyTokens, 0);
  const costOf = (list: readonly RunMetrics[]): number => list.reduce((sum, run) => sum + run.cost, 0);
  const per = (total: number, number: number): number | null => (number === 0 ? null : total / number);
  return {
    tokensPerRun: per(tokensOf(finished), finished.length),
    costPerRun: per(costOf(finished), finished.length),
    tokensPerSuccess: per(tokensOf(runs), successes),
    costPerSuccess: per(costOf(runs), successes),
  };
}
