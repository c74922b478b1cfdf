/**
 * LOOK: describes the room, or a thing, door or body in sight more closely. Free. It changes the state only
 * with `rules.observe: ask`, where LOOK adds to what the agent knows.
 */
import { name, optional, sequence, word } from '../../../environment/grammar.js';
import { known } from '../../../base/assert.js';
import { happened } from '../events.js';
import type { GridState } from '../state.js';
import type { BodyTarget, ActionTarget, ThingTarget } from '../targets.js';
import { notPerceived, perceivedTarget } from '../targets.js';
import { nameText, capitalised, joinList, theName, proseText } from '../../../environment/wording.js';
import { countedName } from '../wording.js';
import type { GridWorld } from '../world.js';
import { appearanceOf, isPlain, roomAt, thingOf, thingDefinition, positionOf } from '../world.js';
import type { GridAction } from './grid-action.js';
import { showAll } from '../revealed.js';
import { textArg } from './grid-action.js';
import { PERCEIVED_KINDS } from './things.js';
import { groundLines } from '../known-ground.js';
import { perceptionOf } from '../perception.js';
import { seeLines } from '../text.js';

const LOOK_AT: Pick<GridAction, 'description' | 'grammar' | 'examples'> = {
  description: 'Look around, or more closely at something in sight.',
  grammar: optional(sequence(word('AT'), name('target', PERCEIVED_KINDS, 'what to look at'))),
  examples: ['', 'AT oak chest'],
};

/** Where only the picture tells what is seen, a closer look has no words. */
const LOOK_AROUND: typeof LOOK_AT = { description: 'Look around.', grammar: null, examples: [''] };

export function lookAction(world: GridWorld): GridAction {
  return {
    name: 'LOOK',
    aliases: ['EXAMINE', 'INSPECT'],
    ...(isPlain(world) ? LOOK_AROUND : LOOK_AT),
    cost: 'free',
    check: (state, agent, args) => {
      const id = textArg(args, 'target');
      if (id === '' || perceivedTarget(world, state, agent, id) !== null) return undefined;
      return notPerceived(state, agent, id);
    },
    apply: (state, agent, args) => {
      const target = perceivedTarget(world, state, agent, textArg(args, 'target'));
      const at = target?.at ?? positionOf(state, agent);
      const data = target === null ? {} : { id: target.id, name: target.name };
      const lookedState = target === null ? showAll(world, state, agent) : state;
      const message =
        target === null ? lookAround(world, lookedState, agent) : describeTarget(world, state, target);
      return { state: lookedState, message, events: [happened('looked', agent, at, data)] };
    },
  };
}

function lookAround(world: GridWorld, state: GridState, agent: string): string {
  if (isPlain(world)) return 'You look around.';
  const survey = surveyText(world, state, agent);
  return `${describeRoom(world, state, agent)}${survey === '' ? '' : `\n${survey}`}`;
}

function describeRoom(world: GridWorld, state: GridState, agent: string): string {
  const { x, y } = positionOf(state, agent);
  const room = roomAt(world, x, y);
  if (room === null) return 'You look around. You are in no room.';
  return `You look around ${theName(nameText(room.name))}.${room.description === '' ? '' : ` ${room.description}`}`;
}

function describeTarget(world: GridWorld, state: GridState, target: ActionTarget): string {
  if (target.kind === 'door') return `${capitalised(target.name)} is ${target.state.state}.`;
  return target.kind === 'body' ? describeBody(world, state, target) : describeThing(world, state, target);
}

function describeBody(world: GridWorld, state: GridState, { id, name: bodyName, body }: BodyTarget): string {
  const { description } = known(world.bodies.get(id), id);
  const holds = body.holds.map((held) => thingName(world, state, held));
  const holdsText =
    holds.length > 0
      ? `${capitalised(bodyName)} holds ${joinList(holds)}.`
      : `${capitalised(bodyName)} holds nothing.`;
  return description === '' ? holdsText : `${capitalised(bodyName)}: ${description} ${holdsText}`;
}

function thingName(world: GridWorld, state: GridState, id: string): string {
  const item = known(thingOf(state, id), `thing ${id}`);
  return theName(countedName(nameText(appearanceOf(world, item).name), item.amount));
}

function describeThing(world: GridWorld, state: GridState, target: ThingTarget): string {
  const { item, definition, name: thingLabel } = target;
  const description = definition.description === '' ? 'nothing special.' : definition.description;
  const parts = [`${capitalised(thingLabel)}: ${description}`];
  if (item.amount > 1) parts.push(`There are ${item.amount}.`);
  if (item.lid !== null && item.lid !== 'open') parts.push(`It is ${item.lid}.`);
  if (item.lid === 'open') parts.push(describeContents(world, state, target));
  if (item.work !== null && item.work > 0) parts.push(`There is work left on it: ${item.work}.`);
  if (definition.text !== null) parts.push('Something is written on it.');
  return parts.join(' ');
}

function describeContents(world: GridWorld, state: GridState, { item }: ThingTarget): string {
  const inside = item.contents.map((id) => thingName(world, state, id));
  return inside.length > 0 ? `It is open and holds ${joinList(inside)}.` : 'It is open and empty.';
}

/**
 * With `rules.observe: ask`, everything that is otherwise in every turn's text, with a description of each
 * thing; '' without it.
 */
function surveyText(world: GridWorld, state: GridState, agent: string): string {
  const { rules } = world.definition;
  if (rules.observe !== 'ask') return '';
  const { view, label } = perceptionOf(world, state, agent);
  const describe = (id: string): string => proseText(descriptionOf(world, state, id));
  return seeLines(view, label, { rules, ground: groundLines(world, state, view), describe })
    .map((line) => line.replace(/^- /, ''))
    .join('\n');
}

function descriptionOf(world: GridWorld, state: GridState, id: string): string {
  const item = thingOf(state, id);
  return item === undefined
    ? (world.bodies.get(id)?.description ?? '')
    : thingDefinition(world, item).description;
}
