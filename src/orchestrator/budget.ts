/** The limit that a run has reached: steps, tokens, seconds, cost (`budget` of the scenario). */
import { counted } from '../base/counted.js';
import type { BudgetSpec } from '../scenario/scenario.js';
import { NO_COST } from '../trajectory/cost.js';
import type { Cost } from '../trajectory/cost.js';

export interface BudgetSpent extends Cost {
  /** Agents' steps. */
  steps: number;
}

export const NOTHING_SPENT: BudgetSpent = { steps: 0, ...NO_COST };

/** Whether no further model calls are allowed, whatever is left of the other limits. */
export function isSpent(budget: BudgetSpec, spent: BudgetSpent): boolean {
  return overBudget({ ...budget, steps: null, seconds: null }, spent, 0) !== null;
}

/** The reason why the run must end, in one sentence; null if no limit was reached. */
export function overBudget(budget: BudgetSpec, spent: BudgetSpent, elapsedMs: number): string | null {
  const tokens = spent.promptTokens + spent.replyTokens;
  if (budget.steps !== null && spent.steps >= budget.steps)
    return `the budget of ${counted(budget.steps, 'step')} is used up`;
  if (budget.tokens !== null && tokens >= budget.tokens)
    return `the budget of ${counted(budget.tokens, 'token')} is used up (${tokens})`;
  if (budget.seconds !== null && elapsedMs >= budget.seconds * 1000)
    return `the budget of ${counted(budget.seconds, 'second')} is used up`;
  if (budget.cost !== null && spent.cost >= Number(budget.cost))
    return `the budget of ${budget.cost} in money is used up (${spent.cost.toFixed(4)})`;
  return null;
}
