/** The cost of a run's calls in tokens and money, during the run and later from its log. */
import { lookUp } from '../base/look-up.js';
import { costOfTokens, NO_COST, priceOf, addCosts, withCall } from './cost.js';
import type { Cost } from './cost.js';
import { passThroughSink } from './passing-sink.js';
import type { CallRequest } from './records.js';
import type { AgentTokens } from './run-summary.js';
import type { RunSink } from './sink.js';
import { isWithoutAnswer } from '../model/lost-request.js';
import type { Scenario } from '../scenario/scenario.js';

/** Tokens and money, and by agent the requests to its model. */
export interface Spending extends Cost {
  requests: Readonly<Record<string, Requests>>;
}

export interface Requests {
  answered: number;
  /** To the model's server. */
  lost: number;
}

export const NO_SPENDING: Spending = { requests: {}, ...NO_COST };
const NO_REQUESTS: Requests = { answered: 0, lost: 0 };

export function addSpending(one: Spending, other: Spending): Spending {
  return { requests: addRequests(one.requests, other.requests, 1), ...addCosts(one, other) };
}

/** What was spent after `part` of it; no amount is negative. */
export function subtractSpending(total: Spending, part: Spending): Spending {
  return {
    requests: addRequests(total.requests, part.requests, -1),
    promptTokens: Math.max(0, total.promptTokens - part.promptTokens),
    replyTokens: Math.max(0, total.replyTokens - part.replyTokens),
    cost: Math.max(0, total.cost - part.cost),
  };
}

/** Those that models answered. */
export function answeredCalls({ requests }: Spending): number {
  return Object.values(requests).reduce((sum, { answered }) => sum + answered, 0);
}

/** All, which only grows while a run is played. */
export function requestsMade(spending: Spending): number {
  return Object.values(spending.requests).reduce((sum, { lost }) => sum + lost, answeredCalls(spending));
}

/** Agents whose models were asked and never answered. */
export function unansweredAgents({ requests }: Spending): readonly string[] {
  return Object.entries(requests).flatMap(([agent, { answered, lost }]) =>
    answered === 0 && lost > 0 ? [agent] : [],
  );
}

function addRequests(
  requests: Spending['requests'],
  added: Spending['requests'],
  sign: 1 | -1,
): Spending['requests'] {
  const sums = Object.entries(added).map(([agent, { answered, lost }]) => {
    const sum = lookUp(requests, agent) ?? NO_REQUESTS;
    return [
      agent,
      { answered: Math.max(0, sum.answered + sign * answered), lost: Math.max(0, sum.lost + sign * lost) },
    ] as const;
  });
  return { ...requests, ...Object.fromEntries(sums) };
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
      if (price === null) return;
      const requests = { [spec.id]: requestsEndedBy(end.reply, 1) };
      report({ ...withCall(NO_COST, request, end.reply, price), requests });
    },
  };
}

/** The cost of a logged run's calls so far, as counted by its servers. */
export function spendingOf(tokens: readonly AgentTokens[], scenario: Scenario): Spending {
  return tokens.reduce((sum, { agent, calls, finishReason, prompt, reply }) => {
    const spec = scenario.agents.find(({ id }) => id === agent);
    const price = spec === undefined ? null : priceOf(scenario, spec);
    if (price === null) return sum;
    const requests = { [agent]: requestsEndedBy({ finishReason }, calls) };
    return addSpending(sum, { requests, ...costOfTokens(prompt, reply, price) });
  }, NO_SPENDING);
}

function requestsEndedBy(reply: Parameters<typeof isWithoutAnswer>[0], calls: number): Requests {
  return isWithoutAnswer(reply) ? { answered: 0, lost: calls } : { answered: calls, lost: 0 };
}
