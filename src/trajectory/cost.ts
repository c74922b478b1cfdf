/**
 * The cost of calls: tokens and money, counted only here, both during a run and from its log. Tokens are the
 * server's count; without one, four characters count as one, so that a limit works with every server.
 */
import { lookUp } from '../base/look-up.js';
import type { Reply } from '../model/chat.js';
import type { AgentSpec, ModelSpec, Scenario } from '../scenario/scenario.js';
import type { CallRequest } from './records.js';

export interface Tokens {
  promptTokens: number;
  replyTokens: number;
}

export interface Cost extends Tokens {
  /** In the currency of the models' prices. */
  cost: number;
}

export const NO_COST: Cost = { promptTokens: 0, replyTokens: 0, cost: 0 };

const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_PRICE = 1_000_000;

/** Adds up two costs. */
export function addCosts(one: Cost, other: Cost): Cost {
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    replyTokens: one.replyTokens + other.replyTokens,
    cost: one.cost + other.cost,
  };
}

/** The cost of an agent's calls; null if no model decides for it. */
export function priceOf({ models }: Scenario, { controller }: AgentSpec): ModelSpec['price'] | null {
  return controller.kind === 'model' ? (lookUp(models, controller.model)?.price ?? null) : null;
}

/** Counted tokens at a model's price. */
export function costOfTokens(promptTokens: number, replyTokens: number, price: ModelSpec['price']): Cost {
  const money = promptTokens * Number(price.prompt) + replyTokens * Number(price.reply);
  return { promptTokens, replyTokens, cost: money / TOKENS_PER_PRICE };
}

/**
 * `price` is that of the model that answered; null for a built-in player, whose text costs nothing and is not
 * counted.
 */
export function withCall<Spent extends Cost>(
  spent: Spent,
  request: Pick<CallRequest, 'messages'>,
  reply: Reply,
  price: ModelSpec['price'] | null,
): Spent {
  if (price === null) return spent;
  const { promptTokens, replyTokens } = tokensOf(reply, () => request.messages);
  return { ...spent, ...addCosts(spent, costOfTokens(promptTokens, replyTokens, price)) };
}

/** `messages` are read only if the server did not count. */
export function tokensOf(reply: Reply, messages: () => CallRequest['messages']): Tokens {
  const { usage, content, reasoning } = reply;
  return {
    promptTokens: usage.promptTokens ?? estimateTokens(promptCharacters(messages())),
    replyTokens: usage.completionTokens ?? estimateTokens(content.length + (reasoning ?? '').length),
  };
}

function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function promptCharacters(messages: CallRequest['messages']): number {
  const texts = messages.flatMap(({ parts }) => parts.map((part) => (part.kind === 'text' ? part.text : '')));
  return texts.reduce((sum, text) => sum + text.length, 0);
}
