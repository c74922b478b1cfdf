/** Shared by the actions that handle things: their arguments, amounts, and full or empty hands. */
import { known } from '../../../base/assert.js';
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import type { Args } from '../../../environment/action.js';
import { LIMITS } from '../../../base/limits.js';
import type { GridState } from '../state.js';
import type { ActionTarget, ThingTarget } from '../targets.js';
import { notPerceived, perceivedTarget } from '../targets.js';
import { capitalised, joinList, nameText, theName } from '../../../environment/wording.js';
import type { GridWorld } from '../world.js';
import { bodyOf, appearanceOf, thingDefinition, thingOf } from '../world.js';
import { integerArg, textArg } from './grid-action.js';

/** The largest amount that an action may name. */
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
  arg: { args: Args; slot: string },
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

/** The refusal unless the agent holds the thing directly, not inside another held thing. */
export function checkInHand(
  world: GridWorld,
  state: GridState,
  agent: string,
  { target, id }: { target: ActionTarget | null; id: string },
): Problem | undefined {
  if (target === null) return notPerceived(state, agent, id);
  if (isInHand(agent, target)) return undefined;
  const hint = hintToHold(world, agent, target) ?? describeHeld(world, state, agent);
  return problem('illegal/not-held', `You don't hold ${target.name}. ${hint}`);
}

/** The refusal if the heap in the agent's hand has fewer. */
export function checkAmount({ name, item }: ThingTarget, amount: number): Problem | undefined {
  if (amount <= item.amount) return undefined;
  return problem('illegal/amount', `You hold ${item.amount} of ${name}, not ${amount}.`);
}

/** Whether the agent holds it directly, not inside another held thing. */
export function isInHand(agent: string, target: ActionTarget): boolean {
  return target.kind === 'thing' && target.item.place.at === 'held' && target.holder === agent;
}

/** A hint on how the agent could come to hold it; null if it can't be held. */
export function hintToHold(world: GridWorld, agent: string, target: ActionTarget): string | null {
  if (target.kind !== 'thing' || !target.definition.portable) return null;
  if (target.holder === null || target.holder === agent) return 'TAKE it first.';
  return `${holderName(world, target.holder)} does: ask for it.`;
}

/** Who holds a thing, at the beginning of a sentence: "The rat". */
export function holderName({ bodies }: GridWorld, holder: string): string {
  return capitalised(theName(nameText(known(bodies.get(holder), `body ${holder}`).name)));
}

/** "You hold the brass key." */
function describeHeld(world: GridWorld, state: GridState, agent: string): string {
  const { holds } = known(bodyOf(state, agent), `body ${agent}`);
  if (holds.length === 0) return 'You hold nothing.';
  const names = holds.map((id) => theName(nameText(appearanceOf(world, known(thingOf(state, id), id)).name)));
  return `You hold ${joinList(names)}.`;
}

/** The refusal if the agent has no hand free; a thing that joins a held stack needs none. */
export function checkFreeHand(
  world: GridWorld,
  state: GridState,
  { agent, target }: { agent: string; target: ThingTarget },
): Problem | undefined {
  if (hasRoomFor(world, state, { agent, target })) return undefined;
  const { carryMax } = known(world.agents.get(agent), `agent ${agent}`);
  const limitText = carryMax === 1 ? 'one thing' : `${carryMax} things`;
  return problem(
    'illegal/full-hands',
    `Your hands are full: you can carry ${limitText}. DROP something first.`,
  );
}

/** Whether a body can hold one more thing, or has a stack that the thing joins; NPCs always can. */
export function hasRoomFor(
  world: GridWorld,
  state: GridState,
  { agent, target }: { agent: string; target: ThingTarget },
): boolean {
  const { holds } = known(bodyOf(state, agent), `body ${agent}`);
  const carryMax = world.agents.get(agent)?.carryMax ?? LIMITS.things;
  const kind = target.definition.stack?.kind;
  const joinsStack = holds
    .map((id) => thingDefinition(world, known(thingOf(state, id), id)))
    .some((held) => kind !== undefined && held.stack?.kind === kind);
  return joinsStack || holds.length < carryMax;
}

/** "The anvil can't be opened: only a door or a container can." */
export function wrongKindProblem(target: ActionTarget, done: string, can: string): Problem {
  return problem('illegal/no-use', `${capitalised(target.name)} can't be ${done}: only ${can} can.`);
}

/** The refusal of a target of the wrong kind, or of one that the agent does not perceive. */
export function wrongTargetProblem(
  world: GridWorld,
  state: GridState,
  agent: string,
  { id, done, can }: { id: string; done: string; can: string },
): Problem {
  const target = perceivedTarget(world, state, agent, id);
  return target === null ? notPerceived(state, agent, id) : wrongKindProblem(target, done, can);
}

/**
 * All kinds of nouns that can be perceived; a slot accepts them so that `check` can refuse some with a
 * reason.
 */
export const PERCEIVED_KINDS = ['thing', 'held', 'container', 'door', 'person', 'creature'];
