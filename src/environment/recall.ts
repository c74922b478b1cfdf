/**
 * RECALL, a free action of agents whose memory allows it, in any world: shows the picture of a past turn
 * again, together with the current one. The orchestrator's loop adds the picture to the next request.
 */
import { problem } from '../base/problem.js';
import { withAgentAction } from './agent-action.js';
import type { Environment } from './environment.js';
import { integer } from './grammar.js';

export const RECALL = 'RECALL';
const TURNS_MAX = 1_000_000;

/** The environment with RECALL for these agents. */
export function withRecall<S>(environment: Environment<S>, agents: readonly string[]): Environment<S> {
  return withAgentAction(environment, {
    action: {
      name: RECALL,
      aliases: [],
      description: 'Look again at what you saw in an earlier turn. You are shown that picture once more.',
      grammar: integer('turn', { min: 1, max: TURNS_MAX }, 'the turn to look back at'),
      examples: ['3'],
      cost: 'free',
      check: () => undefined,
      apply: (state) => ({ state, message: 'You think back.', events: [] }),
    },
    agents,
    refusal: 'You have no pictures to look back at.',
    // There is nothing to look back at in the first turn.
    offer: (turn) =>
      turn === 1 ? null : { action: RECALL, slots: { turn: [] }, ways: [{ turn: [1, turn - 1] }] },
    check: ({ args: { turn } }, currentTurn) => {
      if (Number(turn) < currentTurn) return undefined;
      if (currentTurn === 1) return problem('not-offered', 'There is no earlier turn to look back at.');
      return problem(
        'not-offered',
        `You can look back at turns 1 to ${currentTurn - 1}, not at turn ${String(turn)}.`,
      );
    },
  });
}
