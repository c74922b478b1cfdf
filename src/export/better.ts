/**
 * Decides which of two answers to the same request is better. An exact cost of the step decides first.
 * Outcomes of runs are used only if enough runs ended with each answer.
 */
import { lookUp } from '../base/look-up.js';
import type { RunOutcome } from './run-outcome.js';
import type { ExportSample } from './sample.js';

/** Why one answer is the better one. */
export type PairReason = 'regret' | 'outcome' | 'turns' | 'result';

/** Finished runs that gave the same answer to the same request. */
export interface Rollouts {
  count: number;
  succeeded: number;
  /**
   * Sums over these runs: of the ranks of their outcomes (3 for a success, down to 1 for a failure), and of
   * their turns.
   */
  ranks: number;
  turns: number;
}

const NONE: Rollouts = { count: 0, succeeded: 0, ranks: 0, turns: 0 };

/** For answers that no fork played further. */
export const NO_ROLLOUTS = { chosen: NONE, rejected: NONE } as const;

/** An interrupted run has no rank, because it says nothing about the answer. */
const RANKS: Readonly<Record<string, number>> = { succeeded: 3, ended: 2, failed: 1 };

export function rolloutsOf(outcomes: readonly RunOutcome[]): Rollouts {
  return outcomes.reduce((sum, { status, turns }) => {
    const rank = lookUp(RANKS, status);
    if (rank === undefined) return sum;
    return {
      count: sum.count + 1,
      succeeded: sum.succeeded + Number(status === 'succeeded'),
      ranks: sum.ranks + rank,
      turns: sum.turns + turns,
    };
  }, NONE);
}

type SampleRollouts = readonly [ExportSample, Rollouts];

/**
 * Compares by regret alone if it is exact for both; otherwise by the outcomes of enough runs, and then by the
 * results of the answers themselves. Null if neither is better.
 */
export function compareAnswers(
  [a, rolloutsA]: SampleRollouts,
  [b, rolloutsB]: SampleRollouts,
  rolloutsMin: number,
): { reason: PairReason; isFirst: boolean } | null {
  const decide = (reason: PairReason, difference: number) =>
    difference === 0 ? null : { reason, isFirst: difference > 0 };
  const [costA, costB] = [exactCost(a), exactCost(b)];
  if (costA !== null && costB !== null)
    return costA === costB ? null : decide('regret', costB > costA ? 1 : -1);
  const result = decide('result', Number(a.result?.ok === true) - Number(b.result?.ok === true));
  if (rolloutsA.count === 0 || rolloutsB.count === 0) return null;
  if (Math.min(rolloutsA.count, rolloutsB.count) < rolloutsMin) return result;
  // The means, compared without division.
  const allSucceeded = rolloutsA.succeeded === rolloutsA.count && rolloutsB.succeeded === rolloutsB.count;
  const turnAdvantage = allSucceeded
    ? rolloutsB.turns * rolloutsA.count - rolloutsA.turns * rolloutsB.count
    : 0;
  return (
    decide('outcome', rolloutsA.ranks * rolloutsB.count - rolloutsB.ranks * rolloutsA.count) ??
    decide('turns', turnAdvantage) ??
    result
  );
}

/** The exact cost in turns, infinite if success became impossible; null if the cost is not exact. */
function exactCost({ cost }: ExportSample): number | null {
  if (cost?.regretKind === 'fatal') return Infinity;
  return cost?.regretKind === 'exact' ? cost.regret : null;
}
