/**
 * The cost of a run's calls, during the run and later from its log. In: calls and replies, or the tokens of a
 * log; out: tokens and money.
 */
import { costOfTokens, NO_COST, priceOf, addCosts, withCall } from './cost.js';
import type { Cost } from './cost.js';
import { passThroughSink } from './passing-sink.js';
import type { CallRequest } from './records.js';
import type { AgentTokens } from './run-summary.js';
import type { RunSink } from './sink.js';
import { isWithoutAnswer } from '../model/lost-request.js';
import type { Scenario } from '../scenario/scenario.js';

/** Tokens and money; `calls` counts those that a model answered, not the requests at which its server failed. */
export interface Spending extends Cost {
  readonly calls: number;
}

export const NO_SPENDING: Spending = { calls: 0, ...NO_COST };

export function addSpending(one: Spending, other: Spending): Spending {
  return { calls: one.calls + other.calls, ...addCosts(one, other) };
}

/**
 * A sink that passes everything on and reports the cost of each answer of a model. Tokens are estimated if a
 * server reports none.
 */
export function withSpendingReports(
  sink: RunSink,
  scenario: Scenario,
  report: (spent: Spending) => void,
): RunSink {
  const pending = new Map<number, CallRequest>();
  return {
    ...passThroughSink(sink),
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
      const calls = isWithoutAnswer(end.reply) ? 0 : 1;
      if (price !== null) report({ ...withCall(NO_COST, request, end.reply, price), calls });
    },
  };
}

/** The cost of a logged run's calls so far, as counted by its servers. */
export function spendingOf(tokens: readonly AgentTokens[], scenario: Scenario): Spending {
  return tokens.reduce((sum, { agent, calls, prompt, reply }) => {
    const spec = scenario.agents.find(({ id }) => id === agent);
    const price = spec === undefined ? null : priceOf(scenario, spec);
    return price === null ? sum : addSpending(sum, { calls, ...costOfTokens(prompt, reply, price) });
  }, NO_SPENDING);
}
