/**
 * The rules for turns, as a search needs them. Agents that are part of the world are chance that the search
 * knows, not helpers: each does what its controller would do, whose random stream is replayed.
 */
import { withMarks } from '../agent/aids.js';
import { WAIT } from '../environment/action.js';
import { interpret } from '../binding/interpret.js';
import { FREE_FORM } from '../model/chat.js';
import type { Seat } from './run-context.js';
import type { Scenario } from '../scenario/scenario.js';
import { isPartOfWorld } from '../scenario/world-part.js';
import { attemptsLeft, NOTHING_FAILED, withFailed } from '../trajectory/attempts.js';
import type { TurnRules, WorldAgent } from '../solve/position.js';

/**
 * `seats` are those of the agents, or of some of them. A search lets all other agents help, and those for
 * which a model, a person or a program decides, because nobody can predict them.
 */
export function turnRulesOf(scenario: Scenario, seats: readonly Seat[]): TurnRules {
  const { order, max, freeActs } = scenario.turns;
  const isWorldOnly = scenario.agents.every(isPartOfWorld);
  const world = isWorldOnly ? [] : seats.filter(({ spec }) => isPartOfWorld(spec));
  return { order, turnsMax: max, freeActs, world: predictedAgents(scenario, world) };
}

/** Agents that act as their controllers do, of those whose controllers can be predicted. */
export function predictedAgents(
  { turns, render }: Pick<Scenario, 'turns' | 'render'>,
  seats: readonly Seat[],
): ReadonlyMap<string, WorldAgent> {
  const { freeActs } = turns;
  const predicted = new Map<string, WorldAgent>();
  for (const { spec, protocol, controller } of seats) {
    const { predict } = controller;
    if (predict === undefined) continue;
    const agent = spec.id;
    predicted.set(agent, (environment, state, { turn, free, memory }) => {
      const { actions } = environment;
      const observation = withMarks(environment.observe(state, agent), render);
      let remembered = memory;
      let failed = NOTHING_FAILED;
      while (attemptsLeft(turns, failed) > 0) {
        const call = { agent, turn, attempt: free + failed.unread + failed.refused + 1, memory: remembered };
        const decision = predict({ ...call, observation, messages: [], form: FREE_FORM });
        remembered = decision.memory;
        const { reading, intent } = interpret(decision.reply, protocol, actions.list(), actions, observation);
        const isPossible = intent !== null && environment.check(state, intent) === undefined;
        const isFree = intent !== null && actions.get(intent.action)?.cost === 'free';
        if (isPossible && (!isFree || free < freeActs)) return { intent, memory: remembered };
        failed = withFailed(failed, reading.ok);
      }
      return { intent: { agent, action: WAIT, args: {} }, memory: remembered };
    });
  }
  return predicted;
}
