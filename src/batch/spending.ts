/** What a run's calls cost, while it is played and as its log tells it later. In: calls and replies, or a log; out: tokens and money. */
import { NOTHING_SPENT, priceOf, withCall } from '../orchestrator/budget.js';
import type { BudgetSpent } from '../orchestrator/budget.js';
import { passingTo } from '../log/passing-sink.js';
import type { LogReader } from '../log/reader.js';
import type { CallRequest } from '../log/records.js';
import type { RunSink } from '../log/sink.js';
import type { Scenario } from '../scenario/scenario.js';

/** Tokens and money; `calls` counts those that a model answered. */
export interface Spending {
  readonly calls: number;
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** In the currency of the models' prices. */
  readonly cost: number;
}

export const NOTHING: Spending = { calls: 0, promptTokens: 0, replyTokens: 0, cost: 0 };

export function together(one: Spending, other: Spending): Spending {
  return {
    calls: one.calls + other.calls,
    promptTokens: one.promptTokens + other.promptTokens,
    replyTokens: one.replyTokens + other.replyTokens,
    cost: one.cost + other.cost,
  };
}

/** The same sink; after each answer of a model it tells what that took. Where a server counts no tokens they are estimated. */
export function telling(sink: RunSink, scenario: Scenario, tell: (spent: Spending) => void): RunSink {
  const pending = new Map<number, CallRequest>();
  return {
    ...passingTo(sink),
    request: (call, durable) => {
      pending.set(call.call, call);
      sink.request(call, durable);
    },
    reply: (runId, number, end, durable) => {
      sink.reply(runId, number, end, durable);
      const request = pending.get(number);
      pending.delete(number);
      const spec = scenario.agents.find(({ id }) => id === request?.agent);
      if (request === undefined || spec === undefined || end.kind !== 'replied') return;
      const price = priceOf(scenario, spec);
      if (price !== null) tell({ ...tokensOf(withCall(NOTHING_SPENT, request, end.reply, price)), calls: 1 });
    },
  };
}

function tokensOf({ promptTokens, replyTokens, cost }: BudgetSpent): Omit<Spending, 'calls'> {
  return { promptTokens, replyTokens, cost };
}

const TOKENS_PER_PRICE = 1_000_000;

/** What a logged run has cost so far, as its servers counted it. */
export function spentIn(reader: LogReader, runId: string): Spending {
  const { scenario } = reader.run(runId);
  return reader.tokens(runId).reduce((sum, { agent, calls, prompt, reply }) => {
    const spec = scenario.agents.find(({ id }) => id === agent);
    const price = spec === undefined ? null : priceOf(scenario, spec);
    if (price === null) return sum;
    const cost = (prompt * Number(price.prompt) + reply * Number(price.reply)) / TOKENS_PER_PRICE;
    return together(sum, { calls, promptTokens: prompt, replyTokens: reply, cost });
  }, NOTHING);
}
