/**
 * Which of two answers to one request is the better one. In: both, and how the runs ended that gave them; out: which, and why. What a step cost for certain counts more than how a
 * run happened to end, and outcomes say something only where enough runs ended with each of the answers.
 */
import { lookUp } from '../base/look-up.js';
import type { RunOutcome } from './run-outcome.js';
import type { ExportSample } from './sample.js';

/** Why one answer is the better one. */
export type PairReason = 'regret' | 'outcome' | 'turns' | 'result';

/** Of runs that gave the same answer to the same request and came to an end. */
export interface Rollouts {
  readonly count: number;
  readonly succeeded: number;
  /** Sums over them: of how well they ended, 3 for a success down to 1 for a failure; of their turns. */
  readonly ranks: number;
  readonly turns: number;
}

const NONE: Rollouts = { count: 0, succeeded: 0, ranks: 0, turns: 0 };

/** Where nothing was played. */
export const NO_ROLLOUTS = { chosen: NONE, rejected: NONE } as const;

/** An interrupted run shows nothing. */
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

type Side = readonly [ExportSample, Rollouts];

/** By regret where it is certain of both, and then by nothing else; else by outcomes of enough runs, and by what the answers themselves came to. Null: neither is better. */
export function better(
  [a, ofA]: Side,
  [b, ofB]: Side,
  rolloutsMin: number,
): { readonly reason: PairReason; readonly isFirst: boolean } | null {
  const by = (reason: PairReason, difference: number) =>
    difference === 0 ? null : { reason, isFirst: difference > 0 };
  const [costA, costB] = [certainCost(a), certainCost(b)];
  if (costA !== null && costB !== null) return costA === costB ? null : by('regret', costB > costA ? 1 : -1);
  const result = by('result', Number(a.result?.ok === true) - Number(b.result?.ok === true));
  if (ofA.count === 0 || ofB.count === 0) return null;
  if (Math.min(ofA.count, ofB.count) < rolloutsMin) return result;
  // Means, compared without dividing.
  const areWon = ofA.succeeded === ofA.count && ofB.succeeded === ofB.count;
  const sooner = areWon ? ofB.turns * ofA.count - ofA.turns * ofB.count : 0;
  return by('outcome', ofA.ranks * ofB.count - ofB.ranks * ofA.count) ?? by('turns', sooner) ?? result;
}

/** In turns; more than any where success was lost. */
function certainCost({ cost }: ExportSample): number | null {
  if (cost?.regretKind === 'fatal') return Infinity;
  return cost?.regretKind === 'exact' ? cost.regret : null;
}
