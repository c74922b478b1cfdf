/** LIST_SPARES: shows the contents of the shelf. */
import { learnShelf } from '../change.js';
import { happened } from '../events.js';
import { shelfText } from '../text.js';
import { viewOf } from '../view.js';
import type { Workcell } from '../world.js';
import type { WorkcellAction } from './workcell-action.js';

export function listSparesAction(world: Workcell): WorkcellAction {
  return {
    name: 'LIST_SPARES',
    aliases: [],
    description: 'Learn which spares lie on the shelf.',
    grammar: null,
    examples: [''],
    cost: 'turn',
    check: () => undefined,
    apply: (before, agent) => {
      const state = learnShelf(before, agent);
      return {
        state,
        message: `On the shelf: ${shelfText(viewOf(world, state, agent))}.`,
        events: [happened(world, state, { kind: 'listed', actor: agent })],
      };
    },
  };
}
