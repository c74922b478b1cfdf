/**
 * DROP: puts down a held thing, or an amount of a held stack, on the actor's tile or in an open container
 * within reach.
 */
import { known } from '../../../base/assert.js';
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import type { Args } from '../../../environment/action.js';
import { choice, integer, name, sequence, situational, word } from '../../../environment/grammar.js';
import { happened } from '../events.js';
import { transfer } from '../stacks.js';
import type { GridState } from '../state.js';
import type { ActionTarget, ThingTarget } from '../targets.js';
import { notPerceived, outOfReach } from '../targets.js';
import { capitalised } from '../../../environment/wording.js';
import type { GridWorld } from '../world.js';
import { thingOf, positionOf } from '../world.js';
import type { GridAction } from './grid-action.js';
import { textArg } from './grid-action.js';
import {
  AMOUNT_MAX,
  amountArg,
  amountName,
  checkAmount,
  checkInHand,
  PERCEIVED_KINDS,
  targetArg,
  thingArg,
} from './things.js';

export function dropAction(world: GridWorld): GridAction {
  return {
    name: 'DROP',
    aliases: ['PUT'],
    description: 'Put down a held thing on your tile, or in an open container beside you.',
    grammar: sequence(
      situational(integer('amount', { min: 1, max: AMOUNT_MAX }, 'how many of a heap; 1 if left out')),
      name('thing', ['held'], 'what to put down', PERCEIVED_KINDS),
      situational(
        sequence(
          choice(word('IN'), word('INTO')),
          name('container', ['container'], 'in what', PERCEIVED_KINDS),
        ),
      ),
    ),
    examples: ['brass key', '2 gold coin', 'brass key IN oak chest'],
    cost: 'turn',
    check: (state, agent, args) => {
      const target = targetArg(world, state, agent, { args, slot: 'thing' });
      const refusal = checkInHand(world, state, agent, { target, id: textArg(args, 'thing') });
      if (refusal !== undefined || target?.kind !== 'thing') return refusal;
      const fewer = checkAmount(target, amountArg(args));
      if (fewer !== undefined) return fewer;
      const id = textArg(args, 'container');
      if (id === '') {
        if (!target.definition.blocking) return undefined;
        return problem('illegal/no-room', `There is no room for ${target.name} where you stand.`);
      }
      const container = containerArg(world, state, agent, args);
      return container === null
        ? notPerceived(state, agent, id)
        : checkContainer(state, agent, { target, container });
    },
    apply: (state, agent, args) => {
      const target = known(thingArg(world, state, agent, args), 'thing to drop');
      const container = containerArg(world, state, agent, args);
      const amount = amountArg(args);
      const here = positionOf(state, agent);
      const to = container
        ? ({ at: 'inside', container: container.id } as const)
        : ({ at: 'tile', ...here } as const);
      const after = transfer(world, state, { id: target.id, amount, to, by: agent });
      const data = {
        id: target.id,
        name: target.name,
        amount,
        on: container?.name ?? null,
        onId: container?.id ?? null,
      };
      const amountText = amountName(target, amount);
      return {
        state: after.state,
        message: container ? `You put ${amountText} in ${container.name}.` : `You put down ${amountText}.`,
        events: [happened('dropped', agent, container?.at ?? here, data)],
      };
    },
  };
}

function containerArg(world: GridWorld, state: GridState, agent: string, args: Args): ActionTarget | null {
  return targetArg(world, state, agent, { args, slot: 'container' });
}

function checkContainer(
  state: GridState,
  agent: string,
  { target, container }: { target: ThingTarget; container: ActionTarget },
): Problem | undefined {
  const lid = container.kind === 'thing' ? container.item.lid : null;
  if (lid === null) return problem('illegal/no-container', `Nothing can be put in ${container.name}.`);
  const refusal = outOfReach(state, agent, container);
  if (refusal !== undefined) return refusal;
  if (lid !== 'open') {
    return problem('illegal/closed', `${capitalised(container.name)} is ${lid}. OPEN it first.`);
  }
  if (!isWithin(state, container.id, target.id)) return undefined;
  return problem('illegal/no-container', `${capitalised(target.name)} can't be put in itself.`);
}

/** Whether a thing is `outer` or inside it, however deep. */
function isWithin(state: GridState, id: string, outer: string): boolean {
  if (id === outer) return true;
  const place = thingOf(state, id)?.place;
  return place?.at === 'inside' && isWithin(state, place.container, outer);
}
