/**
 * LOOK: describes the room, or a thing, door or body in sight more closely. Free; it changes only the
 * knowledge of an agent that has to look to know what is there.
 */
import type { Problem } from '../../../base/problem.js';
import type { Args } from '../../../environment/action.js';
import { name, optional, sequence, word } from '../../../environment/grammar.js';
import { known } from '../../../base/assert.js';
import { happened } from '../events.js';
import type { GridState } from '../state.js';
import type { BodyTarget, ActionTarget, ThingTarget } from '../targets.js';
import { notPerceived, perceivedTarget } from '../targets.js';
import { nameText, capitalised, countedName, listed, theName, proseText } from '../wording.js';
import type { GridWorld } from '../world.js';
import { looks, roomAt, thingOf, thingDefinition, standingOf } from '../world.js';
import type { GridAction } from './grid-action.js';
import { showAll } from '../revealed.js';
import { textArg } from './grid-action.js';
import { perceptionOf } from '../perception.js';
import { seeLines } from '../text.js';

export function lookAction(world: GridWorld): GridAction {
  return {
    name: 'LOOK',
    aliases: ['EXAMINE', 'INSPECT'],
    description: 'Look around, or more closely at something in sight.',
    grammar: optional(
      sequence(
        word('AT'),
        name('target', ['thing', 'held', 'container', 'door', 'person', 'creature'], 'what to look at'),
      ),
    ),
    examples: ['', 'AT oak chest'],
    cost: 'free',
    check: (state, agent, args) => checkLook(world, state, agent, args),
    apply: (state, agent, args) => {
      const target = perceivedTarget(world, state, agent, textArg(args, 'target'));
      const at = target?.at ?? standingOf(state, agent);
      const data = target === null ? {} : { id: target.id, name: target.name };
      const shown = target === null ? showAll(world, state, agent) : state;
      const message = target === null ? lookAround(world, shown, agent) : closer(world, state, target);
      return { state: shown, message, events: [happened('looked', agent, at, data)] };
    },
  };
}

function checkLook(world: GridWorld, state: GridState, agent: string, args: Args): Problem | undefined {
  const id = textArg(args, 'target');
  if (id === '' || perceivedTarget(world, state, agent, id) !== null) return undefined;
  return notPerceived(state, agent, id);
}

function lookAround(world: GridWorld, state: GridState, agent: string): string {
  const seen = surveyed(world, state, agent);
  return `${around(world, state, agent)}${seen === '' ? '' : `\n${seen}`}`;
}

function around(world: GridWorld, state: GridState, agent: string): string {
  const { x, y } = standingOf(state, agent);
  const room = roomAt(world, x, y);
  if (room === null) return 'You look around. You are in no room.';
  return `You look around ${theName(nameText(room.name))}.${room.description === '' ? '' : ` ${room.description}`}`;
}

function closer(world: GridWorld, state: GridState, target: ActionTarget): string {
  if (target.kind === 'door') return `${capitalised(target.name)} is ${target.state.state}.`;
  return target.kind === 'body' ? bodyWords(world, state, target) : thingWords(world, state, target);
}

function bodyWords(world: GridWorld, state: GridState, { id, name: who, body }: BodyTarget): string {
  const { description } = known(world.bodies.get(id), id);
  const holds = body.holds.map((held) => thingName(world, state, held));
  const words =
    holds.length > 0 ? `${capitalised(who)} holds ${listed(holds)}.` : `${capitalised(who)} holds nothing.`;
  return description === '' ? words : `${capitalised(who)}: ${description} ${words}`;
}

function thingName(world: GridWorld, state: GridState, id: string): string {
  const item = known(thingOf(state, id), `thing ${id}`);
  return theName(countedName(nameText(looks(world, item).name), item.amount));
}

function thingWords(world: GridWorld, state: GridState, target: ThingTarget): string {
  const { item, definition, name: what } = target;
  const description = definition.description === '' ? 'nothing special.' : definition.description;
  const parts = [`${capitalised(what)}: ${description}`];
  if (item.amount > 1) parts.push(`There are ${item.amount}.`);
  if (item.lid !== null && item.lid !== 'open') parts.push(`It is ${item.lid}.`);
  if (item.lid === 'open') parts.push(contents(world, state, target));
  if (item.work !== null && item.work > 0) parts.push(`There is work left on it: ${item.work}.`);
  if (definition.text !== null) parts.push('Something is written on it.');
  return parts.join(' ');
}

function contents(world: GridWorld, state: GridState, { item }: ThingTarget): string {
  const inside = item.contents.map((id) => thingName(world, state, id));
  return inside.length > 0 ? `It is open and holds ${listed(inside)}.` : 'It is open and empty.';
}

// The text of LOOK if agents have to ask for what is in sight: everything that is otherwise in every turn's
// text, and a closer description of each thing.

/** In one line, such as an action's message; '' if it is shown automatically. */
function surveyed(world: GridWorld, state: GridState, agent: string): string {
  const { rules } = world.definition;
  if (rules.observe !== 'ask') return '';
  const { view, label } = perceptionOf(world, state, agent);
  const describe = (id: string): string => proseText(descriptionOf(world, state, id));
  return seeLines(view, label, { rules, describe })
    .map((line) => line.replace(/^- /, ''))
    .join('\n');
}

function descriptionOf(world: GridWorld, state: GridState, id: string): string {
  const item = thingOf(state, id);
  return item === undefined
    ? (world.bodies.get(id)?.description ?? '')
    : thingDefinition(world, item).description;
}
