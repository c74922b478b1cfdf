/** DROP: put down a held thing on one's own tile, or an amount of a held stack. */
import { known } from '../../../base/assert.js';
import { problem } from '../../../base/problem.js';
import { integer, name, optional, sequence } from '../../../environment/grammar.js';
import { happened } from '../events.js';
import { standingOf } from '../footing.js';
import { transfer } from '../stacks.js';
import type { GridWorld } from '../world.js';
import type { GridAction } from './grid-action.js';
import { textArg } from './grid-action.js';
import { AMOUNT_MAX, amountArg, amountName, notInHand, thingArg } from './things.js';

export function dropAction(world: GridWorld): GridAction {
  return {
    name: 'DROP',
    aliases: [],
    description:
      'Put down a thing that you hold, on your own tile. Of a heap you put down 1, or the amount you say.',
    grammar: sequence(
      optional(integer('amount', { min: 1, max: AMOUNT_MAX }, 'how many of a heap; 1 if left out')),
      name('thing', ['held'], 'what to put down'),
    ),
    examples: ['brass key', '2 gold coin'],
    cost: 'turn',
    check: (state, agent, args) => {
      const target = thingArg(world, state, agent, args);
      const refusal = notInHand(state, agent, target, textArg(args, 'thing'));
      if (refusal !== undefined || target === null) return refusal;
      const amount = amountArg(args);
      if (amount > target.item.amount) {
        return problem('illegal/amount', `You hold ${target.item.amount} of ${target.name}, not ${amount}.`);
      }
      return target.definition.blocking
        ? problem('illegal/no-room', `There is no room for ${target.name} where you stand.`)
        : undefined;
    },
    apply: (state, agent, args) => {
      const target = known(thingArg(world, state, agent, args), 'thing to drop');
      const amount = amountArg(args);
      const here = standingOf(state, agent);
      const to = { at: 'tile', ...here } as const;
      const after = transfer(world, state, { id: target.id, amount, to, by: agent });
      const event = happened('dropped', agent, here, { id: target.id, name: target.name, amount });
      return { state: after.state, message: `You put down ${amountName(target, amount)}.`, events: [event] };
    },
  };
}
