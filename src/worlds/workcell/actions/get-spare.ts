/**
 * GET_SPARE: takes a spare from the shelf into empty hands. Only the attempt shows whether it is still there.
 */
import { problem } from '../../../base/problem.js';
import { name } from '../../../environment/grammar.js';
import { takeOffShelf, learnShelf, setRobot } from '../change.js';
import { happened } from '../events.js';
import { handsFullProblem, suggestActions } from '../refusals.js';
import { viewOf } from '../view.js';
import type { Workcell } from '../world.js';
import { itemName, mindOf } from '../world.js';
import type { WorkcellAction } from './workcell-action.js';
import { textArg } from './workcell-action.js';

export function getSpareAction(world: Workcell): WorkcellAction {
  return {
    name: 'GET_SPARE',
    aliases: [],
    description: 'Take a spare that you know of from the shelf. Your hands must be empty.',
    grammar: name('name', ['spare'], 'the spare to take'),
    examples: ['spare windscreen'],
    cost: 'turn',
    check: (state, agent, args) => {
      const { shelf } = mindOf(state, agent);
      if (shelf?.includes(textArg(args, 'name')) === true)
        return handsFullProblem(world, viewOf(world, state, agent));
      const message =
        shelf === null
          ? `You have not looked at the shelf yet.${suggestActions(world, agent, ['LIST_SPARES'])}`
          : 'You know of no such spare.';
      return problem('bad-argument', message);
    },
    attempt: (state, _agent, args) => {
      const item = textArg(args, 'name');
      if (state.shelf.includes(item)) return undefined;
      const message = `The ${itemName(world, state, item)} is not on the shelf any more.`;
      return problem('illegal/nothing-there', message);
    },
    afterAttempt: learnShelf,
    apply: (before, agent, args) => {
      const item = textArg(args, 'name');
      const state = learnShelf(setRobot(takeOffShelf(before, item), agent, { holds: item }), agent);
      return {
        state,
        message: `You took the ${itemName(world, state, item)} and hold it.`,
        events: [happened(world, state, { kind: 'fetched', actor: agent, data: { item } })],
      };
    },
  };
}
