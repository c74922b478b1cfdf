/**
 * Adds a free action to an environment for some of its agents, such as NOTE or RECALL. The action changes
 * nothing in the world, which does not know about it; the orchestrator's loop gives it its effect.
 */
import { problem } from '../base/problem.js';
import type { Problem } from '../base/problem.js';
import { compareText } from '../base/ids.js';
import type { Action, Intent } from './action.js';
import { actionRegistry } from './action.js';
import type { Environment } from './environment.js';
import { passingToEnvironment } from './passing-environment.js';
import type { Observation, OfferedAction } from './observation.js';

export interface AgentAction<S> {
  action: Action<S>;
  agents: readonly string[];
  /** The message to other agents, which don't have it. */
  refusal: string;
  /** The offer of a turn; null if it can't be used now. */
  offer: (turn: number) => OfferedAction | null;
  /** The reason why the rules refuse it in a turn, for an agent that has it. */
  check: (intent: Intent, turn: number) => Problem | undefined;
}

/** The environment with the action; unchanged if no agent has it, or if the world has one of this name. */
export function withAgentAction<S>(environment: Environment<S>, agentAction: AgentAction<S>): Environment<S> {
  const { action, agents, refusal } = agentAction;
  const { name } = action;
  if (agents.length === 0 || environment.actions.get(name) !== undefined) return environment;
  const hasAction = (agent: string): boolean => agents.includes(agent);
  const isAgentAction = (intent: Intent): boolean => intent.action === name;
  const observe = (state: S, agent: string): Observation => {
    const observation = environment.observe(state, agent);
    if (!hasAction(agent)) return observation;
    const { offered, scope, turn } = observation;
    // An agent that no longer acts gets no offers.
    const offer = offered.length === 0 ? null : agentAction.offer(turn);
    return {
      ...observation,
      scope: withName(scope, name),
      offered: offer === null ? offered : [...offered, offer].sort((a, b) => compareText(a.action, b.action)),
    };
  };
  return {
    ...passingToEnvironment(environment),
    actions: actionRegistry<S>([...environment.actions.list(), action]),
    scope: (agent) =>
      hasAction(agent) ? withName(environment.scope(agent), name) : environment.scope(agent),
    legalActions: (state, agent) =>
      hasAction(agent) ? observe(state, agent).offered : environment.legalActions(state, agent),
    observe,
    check: (state, intent) => {
      if (!isAgentAction(intent)) return environment.check(state, intent);
      if (!hasAction(intent.agent)) return problem('not-offered', refusal);
      return agentAction.check(intent, environment.observe(state, intent.agent).turn);
    },
    advance: (state, intents) => {
      const [only] = intents;
      if (only === undefined || intents.length > 1 || !isAgentAction(only))
        return environment.advance(state, intents);
      const { message } = action.apply(state, only.agent, only.args);
      return { state, results: [{ ok: true, message, path: null }], events: [] };
    },
  };
}

function withName(scope: readonly string[], name: string): readonly string[] {
  return [...scope, name].sort(compareText);
}
