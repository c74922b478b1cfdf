/**
 * USE: a key on a lock, a tool or bare hands on work, or something that is used up. Only the attempt shows
 * what fits; before that, refusals use only what the actor sees and holds. Each USE decreases the remaining
 * work by one; at 0, its effect happens.
 */
import { known } from '../../../base/assert.js';
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import type { Args } from '../../../environment/action.js';
import type { Grammar } from '../../../environment/grammar.js';
import {
  choice,
  integer,
  name,
  optional,
  sequence,
  situational,
  word,
} from '../../../environment/grammar.js';
import { happened } from '../events.js';
import { lessen } from '../stacks.js';
import type { GridState } from '../state.js';
import type { ActionTarget, ThingTarget } from '../targets.js';
import { notPerceived, outOfReach } from '../targets.js';
import { capitalised } from '../../../environment/wording.js';
import type { GridWorld } from '../world.js';
import { bodyOf } from '../world.js';
import type { GridAction, GridOutcome } from './grid-action.js';
import { textArg } from './grid-action.js';
import { lidEvent, lidOf, withLid } from './locks.js';
import {
  AMOUNT_MAX,
  amountArg,
  amountName,
  isInHand,
  wrongTargetProblem,
  checkInHand,
  PERCEIVED_KINDS,
  targetArg,
  thingArg,
  hintToHold,
} from './things.js';
import { doWork, checkFinishable } from './work.js';

export function useAction(world: GridWorld): GridAction {
  return {
    name: 'USE',
    aliases: ['APPLY'],
    description:
      'Lock or unlock a door or container with a held key, or work on a thing with a held tool. Without a target: use up food and the like, or work with bare hands on a thing beside you.',
    grammar: useGrammar(world),
    examples: world.definition.rules.usesAmounts === true ? [...EXAMPLES, '2 pie'] : EXAMPLES,
    cost: 'turn',
    check: (state, agent, args) => checkUse(world, state, agent, withHeld(state, agent, args)),
    attempt: (state, agent, args) =>
      attemptUse(world, state, { agent, use: useOf(world, state, agent, withHeld(state, agent, args)) }),
    apply: (state, agent, args) =>
      applyUse(world, state, { agent, use: useOf(world, state, agent, withHeld(state, agent, args)) }),
  };
}

const EXAMPLES = ['brass key ON oak door', 'bread'];

const ON = sequence(
  word('ON'),
  name('target', ['thing', 'container', 'door', 'person', 'creature'], 'on what'),
);
const THING = name('thing', ['held', 'thing', 'container'], 'what to use', PERCEIVED_KINDS);
const USE = sequence(THING, optional(ON));
const USE_ON = sequence(THING, ON);
const USE_SOME = sequence(
  situational(integer('amount', { min: 1, max: AMOUNT_MAX }, 'how many of a stack; 1 if left out')),
  THING,
);

/** A form with an amount is only for things that are used up, not for using one thing on another. */
function useGrammar({ definition: { rules } }: GridWorld): Grammar {
  const toolless = rules.usesHeld === true ? [ON] : [];
  if (rules.usesAmounts === true) return choice(USE_ON, USE_SOME, ...toolless);
  return toolless.length === 0 ? USE : choice(USE, ...toolless);
}

/** Completes `USE ON door` with the held thing, if the agent holds exactly one. */
function withHeld(state: GridState, agent: string, args: Args): Args {
  const [held, second] = bodyOf(state, agent)?.holds ?? [];
  if (textArg(args, 'thing') !== '' || held === undefined || second !== undefined) return args;
  return { ...args, thing: held };
}

/** The used thing, and its target; null: none. */
interface ToolUse {
  tool: ThingTarget;
  on: ActionTarget | null;
  /** How many of a stack at once. */
  amount: number;
}

function useOf(world: GridWorld, state: GridState, agent: string, args: Args): ToolUse {
  const tool = known(thingArg(world, state, agent, args), 'thing to use');
  return { tool, on: targetArg(world, state, agent, { args, slot: 'target' }), amount: amountArg(args) };
}

function isWork(target: ActionTarget): boolean {
  return target.kind === 'thing' && target.item.work !== null && target.item.work > 0;
}

/** Whether a trigger waits for the tool to be used on this target; unfinished work takes precedence. */
function triggersOnPair({ uses }: GridWorld, { definition }: ThingTarget, on: ActionTarget): boolean {
  return !isWork(on) && uses.has(`${definition.id} ${on.kind === 'thing' ? on.definition.id : on.id}`);
}

/** Refuses only for reasons that the actor perceives; the attempt shows whether using it has an effect. */
function checkUse(world: GridWorld, state: GridState, agent: string, args: Args): Problem | undefined {
  const id = textArg(args, 'thing');
  if (id === '') {
    const isEmpty = (bodyOf(state, agent)?.holds ?? []).length === 0;
    return isEmpty
      ? problem('illegal/not-held', 'You hold nothing that you could use on something.')
      : problem('illegal/several', 'You hold several things: say which you use.');
  }
  const tool = thingArg(world, state, agent, args);
  if (tool === null) return wrongTargetProblem(world, state, agent, { id, done: 'used', can: 'a thing' });
  const onId = textArg(args, 'target');
  const amount = amountArg(args);
  if (amount > 1) return checkAmount(world, state, agent, { tool, amount });
  if (onId === '') return outOfReach(state, agent, tool);
  const refusal = checkInHand(world, state, agent, { target: tool, id });
  if (refusal !== undefined) return refusal;
  const on = targetArg(world, state, agent, { args, slot: 'target' });
  if (on === null) return notPerceived(state, agent, onId);
  if (on.id === tool.id) return problem('illegal/no-use', `Using ${tool.name} on itself does nothing.`);
  return outOfReach(state, agent, on);
}

/** Several at once can be used only if they are held. */
function checkAmount(
  world: GridWorld,
  state: GridState,
  agent: string,
  { tool, amount }: { tool: ThingTarget; amount: number },
): Problem | undefined {
  const refusal = checkInHand(world, state, agent, { target: tool, id: tool.id });
  if (refusal !== undefined || amount <= tool.item.amount) return refusal;
  return problem('illegal/amount', `You hold ${tool.item.amount} of ${tool.name}, not ${amount}.`);
}

/** A hint on how to use a thing on something, for which it must be held. */
function hintToUseOn(world: GridWorld, agent: string, tool: ThingTarget): string {
  if (isInHand(agent, tool)) return 'Say on what: USE … ON ….';
  const hint = hintToHold(world, agent, tool);
  return hint === null
    ? "It can't be held to be used on something either."
    : `You don't hold it to use it on something. ${hint}`;
}

function attemptUse(
  world: GridWorld,
  state: GridState,
  { agent, use: { tool, on, amount } }: { agent: string; use: ToolUse },
): Problem | undefined {
  if (amount > 1 && tool.definition.consumable === null)
    return problem('illegal/no-use', `Using ${amount} of ${tool.name} at once does nothing.`);
  if (on === null) {
    if (isWork(tool) && tool.definition.work?.tool !== null) {
      const message = `Bare hands do nothing to ${tool.name}; it takes a tool: USE … ON ….`;
      return problem('illegal/needs-tool', message);
    }
    if (isWork(tool)) return checkFinishable(state, tool);
    if (tool.definition.consumable !== null)
      return checkInHand(world, state, agent, { target: tool, id: tool.id });
    if (world.uses.has(tool.definition.id)) return undefined;
    return problem(
      'illegal/no-use',
      `Using ${tool.name} by itself does nothing. ${hintToUseOn(world, agent, tool)}`,
    );
  }
  const lid = lidOf(on);
  if (lid !== null && lid.key === tool.id)
    return lid.state === 'open'
      ? problem('illegal/open', `${capitalised(on.name)} is open. CLOSE it before you lock it.`)
      : undefined;
  if (triggersOnPair(world, tool, on)) return undefined;
  if (on.kind === 'thing' && isWork(on)) return checkTool(tool, on) ?? checkFinishable(state, on);
  if (lid !== null) {
    const what = `${capitalised(tool.name)} does not fit ${on.name}.`;
    return problem('illegal/no-fit', what);
  }
  return problem('illegal/no-use', `Using ${tool.name} on ${on.name} does nothing.`);
}

function checkTool(tool: ThingTarget, { definition, name: what }: ThingTarget): Problem | undefined {
  if (definition.work?.tool === tool.definition.id) return undefined;
  const hint = definition.work?.tool === null ? ' Bare hands will do: USE it without ON.' : '';
  return problem('illegal/no-use', `Using ${tool.name} on ${what} does nothing.${hint}`);
}

function applyUse(
  world: GridWorld,
  state: GridState,
  { agent, use: { tool, on, amount } }: { agent: string; use: ToolUse },
): GridOutcome {
  if (on === null) {
    if (isWork(tool)) return doWork(world, state, agent, tool);
    if (tool.definition.consumable !== null)
      return world.definition.rules.usesAmounts === true
        ? consumeSome(state, agent, tool, amount)
        : consume(state, agent, tool);
    const data = { id: tool.definition.id, name: tool.name };
    return {
      state,
      message: `You used ${tool.name}.`,
      events: [happened('used', agent, tool.at, data)],
    };
  }
  const lid = lidOf(on);
  if (lid !== null && lid.key === tool.id) {
    const isLocked = lid.state === 'locked';
    const [kind, to] = isLocked ? (['unlocked', 'closed'] as const) : (['locked', 'locked'] as const);
    return {
      state: withLid(state, lid, to),
      message: `You ${kind} ${on.name} with ${tool.name}.`,
      events: [lidEvent(kind, agent, lid)],
    };
  }
  if (triggersOnPair(world, tool, on)) {
    const onId = on.kind === 'thing' ? on.definition.id : on.id;
    const data = { id: tool.definition.id, name: tool.name, on: on.name, onId };
    return {
      state,
      message: `You used ${tool.name} on ${on.name}.`,
      events: [happened('used', agent, on.at, data)],
    };
  }
  return doWork(world, state, agent, known(on.kind === 'thing' ? on : null, 'thing to work on'));
}

/** Uses up one of the stack. */
function consume(state: GridState, agent: string, tool: ThingTarget): GridOutcome {
  const consumableText = known(tool.definition.consumable, 'the text shown when it is used up');
  const data = { id: tool.id, name: tool.name };
  return {
    state: lessen(state, tool.id, 1),
    message: consumableText === '' ? `You used ${tool.name}.` : consumableText,
    ...(consumableText === '' ? {} : { told: consumableText }),
    events: [happened('used', agent, tool.at, data)],
  };
}

/**
 * Uses up this many of the stack. The event names the original thing, so that triggers also recognise a part
 * that was split off.
 */
function consumeSome(state: GridState, agent: string, tool: ThingTarget, amount: number): GridOutcome {
  const consumableText = known(tool.definition.consumable, 'the text shown when it is used up');
  const usedText = `You used ${amountName(tool, amount)}.`;
  const data = { id: tool.definition.id, name: tool.name, amount };
  return {
    state: lessen(state, tool.id, amount),
    message: consumableText === '' ? usedText : `${usedText} ${consumableText}`,
    ...(consumableText === '' ? {} : { told: consumableText }),
    events: [happened('used', agent, tool.at, data)],
  };
}
