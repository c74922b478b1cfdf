/** CLOSE: closes a door or a container within reach; a door only while its doorway is empty. */
import { known } from '../../../base/assert.js';
import { problem } from '../../../base/problem.js';
import { name } from '../../../environment/grammar.js';
import { notPerceived, outOfReach } from '../targets.js';
import { capitalised } from '../../../environment/wording.js';
import type { GridWorld } from '../world.js';
import { isDoorwayFree } from '../world.js';
import type { GridAction } from './grid-action.js';
import { textArg } from './grid-action.js';
import { lidEvent, lidOf, withLid } from './locks.js';
import { wrongKindProblem, PERCEIVED_KINDS, targetArg } from './things.js';

export function closeAction(world: GridWorld): GridAction {
  return {
    name: 'CLOSE',
    aliases: ['SHUT'],
    description: 'Close a door or container beside you.',
    grammar: name('target', ['door', 'container'], 'what to close', PERCEIVED_KINDS),
    examples: ['oak door'],
    cost: 'turn',
    check: (state, agent, args) => {
      const target = targetArg(world, state, agent, { args, slot: 'target' });
      if (target === null) return notPerceived(state, agent, textArg(args, 'target'));
      const lid = lidOf(target);
      if (lid === null) return wrongKindProblem(target, 'closed', 'a door or a container');
      if (lid.state !== 'open') {
        return problem('illegal/already-closed', `${capitalised(target.name)} is not open.`);
      }
      const refusal = outOfReach(state, agent, target);
      if (refusal !== undefined || target.kind !== 'door' || isDoorwayFree(state, target.at)) return refusal;
      const message = `${capitalised(target.name)} can't be closed while something is in the doorway.`;
      return problem('illegal/blocked', message);
    },
    apply: (state, agent, args) => {
      const lid = known(lidOf(targetArg(world, state, agent, { args, slot: 'target' })), 'what to close');
      return {
        state: withLid(state, lid, 'closed'),
        message: `You closed ${lid.target.name}.`,
        events: [lidEvent('closed', agent, lid)],
      };
    },
  };
}
