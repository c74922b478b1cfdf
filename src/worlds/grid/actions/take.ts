/**
 * TAKE: picks up a thing within reach, from a tile or out of an open container; a stack only from the actor's
 * own tile.
 */
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import type { Args } from '../../../environment/action.js';
import { choice, integer, name, sequence, situational } from '../../../environment/grammar.js';
import { samePoint } from '../../../environment/space.js';
import { happened } from '../events.js';
import { transfer } from '../stacks.js';
import type { GridState } from '../state.js';
import type { ThingTarget } from '../targets.js';
import { outOfReach } from '../targets.js';
import { viewOf } from '../view.js';
import { capitalised, joinList } from '../../../environment/wording.js';
import { tileText } from '../wording.js';
import type { GridWorld } from '../world.js';
import { thingOf, positionOf } from '../world.js';
import type { GridAction } from './grid-action.js';
import { textArg } from './grid-action.js';
import {
  AMOUNT_MAX,
  amountArg,
  amountName,
  checkFreeHand,
  holderName,
  wrongTargetProblem,
  PERCEIVED_KINDS,
  thingArg,
} from './things.js';
import { tileArg, tileForms } from './tiles.js';
import { known } from '../../../base/assert.js';

export function takeAction(world: GridWorld): GridAction {
  const named = sequence(
    situational(integer('amount', { min: 1, max: AMOUNT_MAX }, 'how many of a heap; 1 if left out')),
    name('thing', ['thing'], 'what to pick up', PERCEIVED_KINDS),
  );
  const forms = tileForms(world, 'AT');
  return {
    name: 'TAKE',
    aliases: ['GET', 'GRAB', 'PICKUP'],
    description: 'Pick up a thing on your tile, beside you, or in an open container there.',
    grammar: forms.length === 0 ? named : choice(...forms, named),
    examples: ['brass key', '3 gold coin'],
    cost: 'turn',
    check: (state, agent, args) => {
      const found = requestedThings(world, state, agent, args);
      const [target] = found;
      if (target === undefined || found.length > 1) {
        const tile = tileArg(args);
        if (tile === null) {
          const id = textArg(args, 'thing');
          return wrongTargetProblem(world, state, agent, { id, done: 'picked up', can: 'a thing' });
        }
        if (found.length === 0) {
          return problem('illegal/nothing-there', `You see nothing to pick up at ${tileText(tile)}.`);
        }
        const names = joinList(found.map((each) => each.name));
        return problem('illegal/several', `At ${tileText(tile)} lie ${names}. TAKE one by its name.`);
      }
      const { holder, item, definition } = target;
      if (item.place.at === 'held') return alreadyHeldProblem(world, agent, target);
      if (holder !== null && holder !== agent) return alreadyHeldProblem(world, agent, target);
      if (!definition.portable) {
        return problem('illegal/not-portable', `${capitalised(target.name)} can't be picked up.`);
      }
      return (
        outOfReach(state, agent, target) ??
        checkStackTile(state, agent, target) ??
        checkHeap(target, amountArg(args)) ??
        checkFreeHand(world, state, { agent, target })
      );
    },
    apply: (state, agent, args) => {
      const target = known(requestedThings(world, state, agent, args)[0], 'thing to take');
      const amount = amountArg(args);
      const { place } = target.item;
      const after = transfer(world, state, {
        id: target.id,
        amount,
        to: { at: 'held', by: agent },
        by: agent,
      });
      const amountText = amountName(target, amount);
      const remaining =
        thingOf(after.state, target.id)?.place.at === 'held' ? 0 : target.item.amount - amount;
      const message = `You took ${amountText}.${remaining > 0 ? ` ${remaining} more ${remaining === 1 ? 'remains' : 'remain'} there.` : ''}`;
      const from = place.at === 'inside' ? place.container : null;
      const data = { id: target.id, name: target.name, amount, from };
      return { state: after.state, message, events: [happened('took', agent, target.at, data)] };
    },
  };
}

/** The requested thing, or everything that can be picked up from the requested tile. */
function requestedThings(
  world: GridWorld,
  state: GridState,
  agent: string,
  args: Args,
): readonly ThingTarget[] {
  const tile = tileArg(args);
  if (tile === null) {
    const target = thingArg(world, state, agent, args);
    return target === null ? [] : [target];
  }
  const thingsOnTile = viewOf(world, state, agent).things.filter((thing) => samePoint(thing, tile));
  return thingsOnTile
    .filter(({ definition }) => definition.portable)
    .flatMap(({ id }) => thingArg(world, state, agent, { thing: id }) ?? []);
}

function alreadyHeldProblem(world: GridWorld, agent: string, { holder, name: what }: ThingTarget): Problem {
  if (holder === agent) return problem('illegal/already-held', `You hold ${what} already.`);
  const message = `${holderName(world, known(holder, 'a holder'))} holds ${what}; ask for it to be given to you.`;
  return problem('illegal/held-by-other', message);
}

/** A stack on the ground can be picked up only from its own tile. */
function checkStackTile(state: GridState, agent: string, target: ThingTarget): Problem | undefined {
  const isLying = target.item.place.at === 'tile';
  if (target.definition.stack === null || !isLying || samePoint(positionOf(state, agent), target.at)) {
    return undefined;
  }
  const message = `You must stand on the tile of ${target.name} to pick it up. Use GO TO first.`;
  return problem('illegal/out-of-reach', message);
}

/** The refusal if the heap has fewer. */
function checkHeap({ item, name: what }: ThingTarget, amount: number): Problem | undefined {
  if (amount <= item.amount) return undefined;
  return problem('illegal/amount', `There are not ${amount} of ${what}, only ${item.amount}.`);
}
