/** GIVE: hands a held thing to a body within reach. Only the attempt shows whether it has a hand free. */
import { known } from '../../../base/assert.js';
import { problem } from '../../../base/problem.js';
import { integer, name, sequence, situational, word } from '../../../environment/grammar.js';
import { happened } from '../events.js';
import { transfer } from '../stacks.js';
import { notPerceived, outOfReach } from '../targets.js';
import { capitalised } from '../../../environment/wording.js';
import type { GridWorld } from '../world.js';
import type { GridAction } from './grid-action.js';
import { textArg } from './grid-action.js';
import {
  AMOUNT_MAX,
  amountArg,
  amountName,
  hasRoomFor,
  checkAmount,
  checkInHand,
  PERCEIVED_KINDS,
  targetArg,
  thingArg,
} from './things.js';

export function giveAction(world: GridWorld): GridAction {
  return {
    name: 'GIVE',
    aliases: ['HAND'],
    description: 'Hand a held thing to somebody beside you.',
    grammar: sequence(
      situational(integer('amount', { min: 1, max: AMOUNT_MAX }, 'how many of a heap; 1 if left out')),
      name('thing', ['held'], 'what to give', PERCEIVED_KINDS),
      word('TO'),
      name('receiver', ['person', 'creature'], 'who gets it', PERCEIVED_KINDS),
    ),
    examples: ['brass key TO Mira'],
    cost: 'turn',
    check: (state, agent, args) => {
      const target = targetArg(world, state, agent, { args, slot: 'thing' });
      const refusal = checkInHand(world, state, agent, { target, id: textArg(args, 'thing') });
      if (refusal !== undefined || target?.kind !== 'thing') return refusal;
      const fewer = checkAmount(target, amountArg(args));
      if (fewer !== undefined) return fewer;
      const receiver = targetArg(world, state, agent, { args, slot: 'receiver' });
      if (receiver === null) return notPerceived(state, agent, textArg(args, 'receiver'));
      if (receiver.id === agent) {
        return problem('illegal/no-receiver', 'You can only give something to somebody else.');
      }
      if (receiver.kind !== 'body') {
        const what = `${capitalised(receiver.name)} can't take what you give: only somebody can.`;
        return problem('illegal/no-receiver', what);
      }
      return outOfReach(state, agent, receiver);
    },
    attempt: (state, agent, args) => {
      const target = known(thingArg(world, state, agent, args), 'thing to give');
      const receiver = known(targetArg(world, state, agent, { args, slot: 'receiver' }), 'receiver');
      if (hasRoomFor(world, state, { agent: receiver.id, target })) return undefined;
      return problem('illegal/full-hands', `${capitalised(receiver.name)} has no hand free.`);
    },
    apply: (state, agent, args) => {
      const target = known(thingArg(world, state, agent, args), 'thing to give');
      const receiver = known(targetArg(world, state, agent, { args, slot: 'receiver' }), 'receiver');
      const amount = amountArg(args);
      const to = { at: 'held', by: receiver.id } as const;
      const after = transfer(world, state, { id: target.id, amount, to, by: agent });
      const data = { id: target.id, name: target.name, amount, to: receiver.id };
      const message = `You gave ${amountName(target, amount)} to ${receiver.name}.`;
      return { state: after.state, message, events: [happened('gave', agent, receiver.at, data)] };
    },
  };
}
