/**
 * What a run has used up, and the limit that it reached: steps, tokens, seconds, money (`budget` of the scenario). Tokens are those
 * that the server counted; where it tells none, four characters count as one, so that a limit holds on every server.
 */
import { counted } from '../base/counted.js';
import { lookUp } from '../base/look-up.js';
import type { CallRequest } from '../log/records.js';
import type { Reply } from '../model/chat.js';
import type { BudgetSpec, ModelSpec, Scenario } from '../scenario/scenario.js';
import type { Seat } from './run-context.js';

export interface BudgetSpent {
  /** Agents' steps. */
  readonly steps: number;
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** In the currency of the models' prices. */
  readonly cost: number;
}

export const NOTHING_SPENT: BudgetSpent = { steps: 0, promptTokens: 0, replyTokens: 0, cost: 0 };

const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_PRICE = 1_000_000;

/** What an agent's calls cost; null where no model decides for it. */
export function priceOf(
  { models }: Pick<Scenario, 'models'>,
  { controller }: Pick<Seat['spec'], 'controller'>,
): ModelSpec['price'] | null {
  return controller.kind === 'model' ? (lookUp(models, controller.model)?.price ?? null) : null;
}

/** `price` is that of the model that answered; null for an embedded controller, whose words cost nothing and count nothing. */
export function withCall(
  spent: BudgetSpent,
  request: Pick<CallRequest, 'messages'>,
  reply: Reply,
  price: ModelSpec['price'] | null,
): BudgetSpent {
  if (price === null) return spent;
  const prompt = reply.usage.promptTokens ?? estimated(promptCharacters(request));
  const answer =
    reply.usage.completionTokens ?? estimated(reply.content.length + (reply.reasoning ?? '').length);
  return {
    steps: spent.steps,
    promptTokens: spent.promptTokens + prompt,
    replyTokens: spent.replyTokens + answer,
    cost: spent.cost + (prompt * Number(price.prompt) + answer * Number(price.reply)) / TOKENS_PER_PRICE,
  };
}

function estimated(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function promptCharacters({ messages }: Pick<CallRequest, 'messages'>): number {
  const texts = messages.flatMap(({ parts }) => parts.map((part) => (part.kind === 'text' ? part.text : '')));
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** Whether nothing more may be asked of a model, whatever else is left. */
export function isSpent(budget: BudgetSpec, spent: BudgetSpent): boolean {
  return overBudget({ ...budget, steps: null, seconds: null }, spent, 0) !== null;
}

/** Why the run must end, in one sentence; null where nothing is used up. */
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
