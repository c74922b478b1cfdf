/** INCINERATE: burns the held part, which is then gone for good. */
import { known } from '../../../base/assert.js';
import { addBurnt, setRobot } from '../change.js';
import { happened } from '../events.js';
import { handsEmptyProblem } from '../refusals.js';
import { viewOf } from '../view.js';
import type { Workcell } from '../world.js';
import { itemName, robotOf } from '../world.js';
import type { WorkcellAction } from './workcell-action.js';

export function incinerateAction(world: Workcell): WorkcellAction {
  return {
    name: 'INCINERATE',
    aliases: ['BURN'],
    description: 'Burn the part that you hold. It is gone for ever.',
    grammar: null,
    examples: [''],
    cost: 'turn',
    check: (state, agent) => handsEmptyProblem(world, viewOf(world, state, agent)),
    apply: (before, agent) => {
      const item = known(robotOf(before, agent).holds, `what ${agent} holds`);
      const state = addBurnt(setRobot(before, agent, { holds: null }), item);
      return {
        state,
        message: `You burnt the ${itemName(world, state, item)}. Your hands are empty.`,
        events: [happened(world, state, { kind: 'burnt', actor: agent, data: { item } })],
      };
    },
  };
}
