/**
 * RECALL, an action that any world may offer: the agent looks at the picture of a past turn again, beside the present one. It changes nothing in the
 * world, so it is laid over an environment from outside, for those agents whose memory allows it; the loop adds the picture to the next request.
 */
import { problem } from '../base/problem.js';
import { compareText } from '../base/ids.js';
import type { Action, Intent } from './action.js';
import { actionRegistry } from './action.js';
import type { Environment } from './environment.js';
import { passingToEnvironment } from './passing-environment.js';
import { integer } from './grammar.js';
import type { Observation, OfferedAction } from './observation.js';

export const RECALL = 'RECALL';
const TURNS_MAX = 1_000_000;

export function recallAction<S>(): Action<S> {
  return {
    name: RECALL,
    aliases: [],
    description: 'Look again at what you saw in an earlier turn. You are shown that picture once more.',
    grammar: integer('turn', { min: 1, max: TURNS_MAX }, 'the turn to look back at'),
    examples: ['3'],
    cost: 'free',
    check: () => undefined,
    apply: (state) => ({ state, message: 'You think back.', events: [] }),
  };
}

/** The environment with RECALL for these agents. Unchanged if there are none or the world has such an action itself. */
export function withRecall<S>(environment: Environment<S>, agents: readonly string[]): Environment<S> {
  const recall = recallAction<S>();
  if (agents.length === 0 || environment.actions.get(RECALL) !== undefined) return environment;
  const recalls = (agent: string): boolean => agents.includes(agent);
  const isRecall = ({ action }: Intent): boolean => action === RECALL;
  return {
    ...passingToEnvironment(environment),
    actions: actionRegistry<S>([...environment.actions.list(), recall]),
    scope: (agent) => (recalls(agent) ? named(environment.scope(agent)) : environment.scope(agent)),
    legalActions: (state, agent) =>
      recalls(agent)
        ? observing(environment.observe(state, agent)).offered
        : environment.legalActions(state, agent),
    observe: (state, agent) => {
      const observation = environment.observe(state, agent);
      return recalls(agent) ? observing(observation) : observation;
    },
    check: (state, intent) => {
      if (!isRecall(intent)) return environment.check(state, intent);
      if (!recalls(intent.agent)) return problem('not-offered', 'You have no pictures to look back at.');
      return tooLate(intent, environment.observe(state, intent.agent).turn);
    },
    advance: (state, intents) => {
      const [only] = intents;
      if (only === undefined || intents.length > 1 || !isRecall(only))
        return environment.advance(state, intents);
      const { message } = recall.apply(state, only.agent, only.args);
      return { state, results: [{ ok: true, message, path: null }], events: [] };
    },
  };
}

function tooLate({ args: { turn } }: Intent, present: number) {
  if (Number(turn) < present) return undefined;
  if (present === 1) return problem('not-offered', 'There is no earlier turn to look back at.');
  return problem(
    'not-offered',
    `You can look back at turns 1 to ${present - 1}, not at turn ${String(turn)}.`,
  );
}

function named(scope: readonly string[]): readonly string[] {
  return [...scope, RECALL].sort(compareText);
}

function observing(observation: Observation): Observation {
  return { ...observation, scope: named(observation.scope), offered: offering(observation) };
}

/** Nothing is offered to an agent that acts no more, and there is nothing to look back at in the first turn. */
function offering({ offered, turn }: Observation): readonly OfferedAction[] {
  if (offered.length === 0 || turn === 1) return offered;
  const recall: OfferedAction = { action: RECALL, slots: { turn: [] }, ways: [{ turn: [1, turn - 1] }] };
  return [...offered, recall].sort((a, b) => compareText(a.action, b.action));
}
