/** REMOVE_PART: takes a part off the robot's side, into empty hands. */
import { known } from '../../../base/assert.js';
import { name } from '../../../environment/grammar.js';
import { setPlace, setRobot } from '../change.js';
import { happened } from '../events.js';
import { handsFullProblem, partProblem } from '../refusals.js';
import { viewOf } from '../view.js';
import type { Workcell } from '../world.js';
import { partDefinition, inPlace } from '../world.js';
import { nameText, theName } from '../wording.js';
import type { WorkcellAction } from './workcell-action.js';
import { textArg } from './workcell-action.js';

export function removePartAction(world: Workcell): WorkcellAction {
  return {
    name: 'REMOVE_PART',
    aliases: [],
    description: 'Take a part off your side of the car. Your hands must be empty.',
    grammar: name('name', ['part'], 'the part to remove'),
    examples: ['windscreen'],
    cost: 'turn',
    check: (state, agent, args) =>
      partProblem({ world, state, agent, part: textArg(args, 'name') }) ??
      handsFullProblem(world, viewOf(world, state, agent)),
    apply: (before, agent, args) => {
      const part = textArg(args, 'name');
      const item = known(inPlace(before, part), `item in the place of ${part}`);
      const state = setRobot(setPlace(before, part, null), agent, { holds: item });
      return {
        state,
        message: `You removed ${theName(nameText(partDefinition(world, state, part).name))} and hold it.`,
        events: [happened(world, state, { kind: 'removed', actor: agent, data: { part, item } })],
      };
    },
  };
}
