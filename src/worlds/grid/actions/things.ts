/** Shared by the actions that handle things: their arguments, amounts, and full or empty hands. */
import { known } from '../../../base/assert.js';
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import type { Args } from '../../../environment/action.js';
import { LIMITS } from '../../../base/limits.js';
import type { GridState } from '../state.js';
import type { ActionTarget, ThingTarget } from '../targets.js';
import { notPerceived, perceivedTarget } from '../targets.js';
import { capitalised, listed, nameText, theName } from '../wording.js';
import type { GridWorld } from '../world.js';
import { bodyOf, looks, thingDefinition, thingOf } from '../world.js';
import { integerArg, textArg } from './grid-action.js';

/** The most that can be asked for at once. */
export const AMOUNT_MAX = LIMITS.things;

/** The amount of a stack: 1 if none is given. */
export function amountArg(args: Args): number {
  return Math.max(1, integerArg(args, 'amount', 1));
}

/** The target of the slot, if the agent perceives it. */
export function targetArg(
  world: GridWorld,
  state: GridState,
  agent: string,
  arg: { readonly args: Args; readonly slot: string },
): ActionTarget | null {
  return perceivedTarget(world, state, agent, textArg(arg.args, arg.slot));
}

/** The thing that the slot `thing` names, if the agent perceives it. */
export function thingArg(world: GridWorld, state: GridState, agent: string, args: Args): ThingTarget | null {
  const target = targetArg(world, state, agent, { args, slot: 'thing' });
  return target?.kind === 'thing' ? target : null;
}

/** "the gold coin", "3 of the gold coin". */
export function amountName({ name, item }: ThingTarget, amount: number): string {
  return item.amount === 1 ? name : `${amount} of ${name}`;
}

/** Refused unless the thing is in the agent's own hands, itself and not in something held. */
export function notInHand(
  world: GridWorld,
  state: GridState,
  agent: string,
  { target, id }: { readonly target: ActionTarget | null; readonly id: string },
): Problem | undefined {
  if (target === null) return notPerceived(state, agent, id);
  if (isInHand(agent, target)) return undefined;
  const hint = wayToHold(world, agent, target) ?? heldNow(world, state, agent);
  return problem('illegal/not-held', `You don't hold ${target.name}. ${hint}`);
}

/** Whether the agent has it in its own hands, itself and not in something held. */
export function isInHand(agent: string, target: ActionTarget): boolean {
  return target.kind === 'thing' && target.item.place.at === 'held' && target.holder === agent;
}

/** How it could come to be held; null if it can't. */
export function wayToHold({ bodies }: GridWorld, agent: string, target: ActionTarget): string | null {
  if (target.kind !== 'thing' || !target.definition.portable) return null;
  if (target.holder === null || target.holder === agent) return 'TAKE it first.';
  const who = nameText(bodies.get(target.holder)?.name ?? 'somebody else');
  return `${capitalised(theName(who))} does: ask for it.`;
}

/** "You hold the brass key." */
function heldNow(world: GridWorld, state: GridState, agent: string): string {
  const { holds } = known(bodyOf(state, agent), `body ${agent}`);
  if (holds.length === 0) return 'You hold nothing.';
  const names = holds.map((id) => theName(nameText(looks(world, known(thingOf(state, id), id)).name)));
  return `You hold ${listed(names)}.`;
}

/** Refused if the agent has no hand free for the thing; a stack of its kind in hand can grow. */
export function fullHands(
  world: GridWorld,
  state: GridState,
  { agent, target }: { readonly agent: string; readonly target: ThingTarget },
): Problem | undefined {
  if (hasRoomFor(world, state, { agent, target })) return undefined;
  const { carryMax } = known(world.agents.get(agent), `agent ${agent}`);
  const things = carryMax === 1 ? 'one thing' : `${carryMax} things`;
  return problem('illegal/full-hands', `Your hands are full: you can carry ${things}. DROP something first.`);
}

/** Whether a body can hold one more thing, or has a stack that the thing joins; NPCs always can. */
export function hasRoomFor(
  world: GridWorld,
  state: GridState,
  { agent, target }: { readonly agent: string; readonly target: ThingTarget },
): boolean {
  const { holds } = known(bodyOf(state, agent), `body ${agent}`);
  const carryMax = world.agents.get(agent)?.carryMax ?? LIMITS.things;
  const kind = target.definition.stack?.kind;
  const joins = holds
    .map((id) => thingDefinition(world, known(thingOf(state, id), id)))
    .some((held) => kind !== undefined && held.stack?.kind === kind);
  return joins || holds.length < carryMax;
}

/** "The anvil can't be opened: only a door or a container can." */
export function cannot(target: ActionTarget, done: string, can: string): Problem {
  return problem('illegal/no-use', `${capitalised(target.name)} can't be ${done}: only ${can} can.`);
}

/** `check` gives the reason for nouns of other kinds, and for nouns that are not perceived. */
export function noThing(
  world: GridWorld,
  state: GridState,
  agent: string,
  { id, done, can }: { readonly id: string; readonly done: string; readonly can: string },
): Problem {
  const target = perceivedTarget(world, state, agent, id);
  return target === null ? notPerceived(state, agent, id) : cannot(target, done, can);
}

/** All perceivable kinds: an action's `check` refuses those that its slot does not take. */
export const PERCEIVED_KINDS = ['thing', 'held', 'container', 'door', 'person', 'creature'];
