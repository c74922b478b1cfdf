/** HAND_OVER: gives the held part to another robot at the same side, whose hands are empty. */
import { known } from '../../../base/assert.js';
import { problem } from '../../../base/problem.js';
import { name } from '../../../environment/grammar.js';
import { setRobot } from '../change.js';
import { happened } from '../events.js';
import { handsEmptyProblem } from '../refusals.js';
import { viewOf } from '../view.js';
import type { Workcell } from '../world.js';
import { itemName, robotName, robotOf } from '../world.js';
import { capitalised, theName, theSide } from '../wording.js';
import type { WorkcellAction } from './workcell-action.js';
import { textArg } from './workcell-action.js';

export function handOverAction(world: Workcell): WorkcellAction {
  return {
    name: 'HAND_OVER',
    aliases: ['GIVE'],
    description: 'Give the part that you hold to a robot on your side of the car whose hands are empty.',
    grammar: name('to', ['robot'], 'who gets it'),
    examples: ['rivet'],
    cost: 'turn',
    check: (state, agent, args) => {
      const view = viewOf(world, state, agent);
      const to = textArg(args, 'to');
      if (!view.mind.met.includes(to))
        return problem('bad-argument', 'You know no other robot of that name.');
      const other = view.others.find(({ id }) => id === to);
      const otherName = capitalised(theName(robotName(world, to)));
      if (other === undefined)
        return problem(
          'illegal/out-of-reach',
          `${otherName} is not at ${theSide(view.self.orientation)}, where you are.`,
        );
      if (other.state.holds !== null)
        return problem('illegal/hands-full', `${otherName} has its hands full.`);
      return handsEmptyProblem(world, view);
    },
    apply: (before, agent, args) => {
      const to = textArg(args, 'to');
      const item = known(robotOf(before, agent).holds, `what ${agent} holds`);
      const state = setRobot(setRobot(before, agent, { holds: null }), to, { holds: item });
      return {
        state,
        message: `You gave the ${itemName(world, state, item)} to ${theName(robotName(world, to))}.`,
        events: [happened(world, state, { kind: 'handed-over', actor: agent, data: { item, to } })],
      };
    },
  };
}
