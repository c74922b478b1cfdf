/** SCAN_AREA: shows the parts on the robot's side of the car. */
import { setMind } from '../change.js';
import { happened } from '../events.js';
import { learn } from '../knowledge.js';
import { sideText } from '../text.js';
import { viewOf } from '../view.js';
import type { Workcell } from '../world.js';
import { mindOf, robotOf } from '../world.js';
import { capitalised, theSide } from '../wording.js';
import type { WorkcellAction } from './workcell-action.js';

export function scanAreaAction(world: Workcell): WorkcellAction {
  return {
    name: 'SCAN_AREA',
    aliases: ['SCAN'],
    description: 'Learn which parts are on your side of the car.',
    grammar: null,
    examples: [''],
    cost: 'turn',
    check: () => undefined,
    apply: (before, agent) => {
      const { orientation } = robotOf(before, agent);
      const scanned = [...mindOf(before, agent).scanned, orientation];
      const state = learn(world, setMind(before, agent, { scanned }));
      const seen = sideText(viewOf(world, state, agent));
      return {
        state,
        message: `${capitalised(theSide(orientation))}: ${seen}.`,
        events: [happened(world, state, { kind: 'scanned', actor: agent, data: { side: orientation } })],
      };
    },
  };
}
