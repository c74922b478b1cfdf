/** The actions of a robot's hands: REMOVE_PART, ATTACH_PART, GET_SPARE, HAND_OVER, INCINERATE. */
import { known } from '../../../base/assert.js';
import { problem } from '../../../base/problem.js';
import { name } from '../../../environment/grammar.js';
import type { ActionSpec } from '../../../environment/own-action.js';
import { textArg } from '../../../environment/standard-actions.js';
import { capitalised, joinList, nameText, theName } from '../../../environment/wording.js';
import { theSide } from '../definition.js';
import { happened } from '../events.js';
import type { WorkcellState } from '../state.js';
import type { RobotView } from '../view.js';
import { viewOf } from '../view.js';
import type { Workcell } from '../world.js';
import {
  inPlace,
  itemName,
  itemOf,
  learnShelf,
  mindOf,
  partDefinition,
  robotName,
  robotOf,
  setPlace,
  setRobot,
} from '../world.js';
import {
  handsEmptyProblem,
  handsFullProblem,
  partProblem,
  suggestActions,
  wrongSideProblem,
} from './refusals.js';

function heldItem(state: WorkcellState, agent: string): string {
  return known(robotOf(state, agent).holds, `what ${agent} holds`);
}

export function removePart(world: Workcell): ActionSpec<WorkcellState> {
  return {
    name: 'REMOVE_PART',
    description: 'Take a part off your side of the car. Your hands must be empty.',
    grammar: name('name', ['part'], 'the part to remove'),
    examples: ['windscreen'],
    check: (state, agent, args) => {
      const view = viewOf(world, state, agent);
      return partProblem(world, view, textArg(args, 'name')) ?? handsFullProblem(world, view);
    },
    apply: (before, agent, args) => {
      const part = textArg(args, 'name');
      const item = known(inPlace(before, part), `item in the place of ${part}`);
      const state = setRobot(setPlace(before, part, null), agent, { holds: item });
      return {
        state,
        message: `You removed ${theName(nameText(partDefinition(world, state, part).name))} and hold it.`,
        events: [happened(world, state, agent, 'removed', { part, item })],
      };
    },
  };
}

/** The place must be empty, on the robot's side and in its sight. */
export function attachPart(world: Workcell): ActionSpec<WorkcellState> {
  return {
    name: 'ATTACH_PART',
    description: 'Put the part that you hold into its empty place on your side of the car.',
    examples: [''],
    check: (state, agent) => {
      const view = viewOf(world, state, agent);
      const { held, seesOwnSide, self } = view;
      if (held === null) return handsEmptyProblem(world, view);
      const place = view.places.find(({ part }) => part.id === held.part.id);
      const elsewhere = place && wrongSideProblem(world, view, place);
      if (elsewhere !== undefined) return elsewhere;
      if (place?.isVisible === true && place.item !== null)
        return problem(
          'illegal/place-taken',
          `The ${held.name} does not go on: there is a ${nameText(held.part.name)} in its place.`,
        );
      if (!seesOwnSide)
        return problem(
          'illegal/not-scanned',
          `You have not scanned ${theSide(self.orientation)}, so you see no empty place there.`,
        );
      return place === undefined ? noPlaceProblem(view, held.name) : undefined;
    },
    apply: (before, agent) => {
      const item = heldItem(before, agent);
      const { part } = itemOf(before, item);
      const state = setRobot(setPlace(before, part, item), agent, { holds: null });
      return {
        state,
        message: `You attached the ${itemName(world, state, item)}. Your hands are empty.`,
        events: [happened(world, state, agent, 'attached', { part, item })],
      };
    },
  };
}

function noPlaceProblem({ places, self }: RobotView, held: string) {
  const emptyPlaces = places
    .filter((place) => place.isVisible && place.item === null)
    .map(({ part }) => nameText(part.name));
  const side = theSide(self.orientation);
  if (emptyPlaces.length === 0)
    return problem('illegal/no-place', `There is no empty place for the ${held} at ${side}.`);
  return problem(
    'illegal/wrong-part',
    `The ${held} does not fit at ${side}: the empty place there takes a ${joinList(emptyPlaces, 'or a')}.`,
  );
}

/** Only the attempt shows whether the spare is still on the shelf; the robot then sees what is. */
export function getSpare(world: Workcell): ActionSpec<WorkcellState> {
  return {
    name: 'GET_SPARE',
    description: 'Take a spare that you know of from the shelf. Your hands must be empty.',
    grammar: name('name', ['spare'], 'the spare to take'),
    examples: ['spare windscreen'],
    check: (state, agent, args) => {
      const { shelf } = mindOf(state, agent);
      if (shelf === null) {
        const suggestion = suggestActions(world, agent, ['LIST_SPARES']);
        return problem('bad-argument', `You have not looked at the shelf yet.${suggestion}`);
      }
      if (!shelf.includes(textArg(args, 'name')))
        return problem('bad-argument', 'You know of no such spare.');
      return handsFullProblem(world, viewOf(world, state, agent));
    },
    apply: (before, agent, args) => {
      const item = textArg(args, 'name');
      const itemText = itemName(world, before, item);
      if (!before.shelf.includes(item)) {
        const failure = problem('illegal/nothing-there', `The ${itemText} is not on the shelf any more.`);
        return { state: learnShelf(before, agent), failure };
      }
      const taken = { ...before, shelf: before.shelf.filter((id) => id !== item) };
      const state = learnShelf(setRobot(taken, agent, { holds: item }), agent);
      return {
        state,
        message: `You took the ${itemText} and hold it.`,
        events: [happened(world, state, agent, 'fetched', { item })],
      };
    },
  };
}

export function handOver(world: Workcell): ActionSpec<WorkcellState> {
  return {
    name: 'HAND_OVER',
    aliases: ['GIVE'],
    description: 'Give the part that you hold to a robot on your side of the car whose hands are empty.',
    grammar: name('to', ['robot'], 'who gets it'),
    examples: ['rivet'],
    check: (state, agent, args) => {
      const view = viewOf(world, state, agent);
      const to = textArg(args, 'to');
      if (!view.mind.met.includes(to))
        return problem('bad-argument', 'You know no other robot of that name.');
      const other = view.others.find(({ id }) => id === to);
      const otherName = capitalised(theName(robotName(world, to)));
      if (other === undefined)
        return problem(
          'illegal/out-of-reach',
          `${otherName} is not at ${theSide(view.self.orientation)}, where you are.`,
        );
      if (other.state.holds !== null)
        return problem('illegal/hands-full', `${otherName} has its hands full.`);
      return handsEmptyProblem(world, view);
    },
    apply: (before, agent, args) => {
      const to = textArg(args, 'to');
      const item = heldItem(before, agent);
      const state = setRobot(setRobot(before, agent, { holds: null }), to, { holds: item });
      return {
        state,
        message: `You gave the ${itemName(world, state, item)} to ${theName(robotName(world, to))}.`,
        events: [happened(world, state, agent, 'handed-over', { item, to })],
      };
    },
  };
}

export function incinerate(world: Workcell): ActionSpec<WorkcellState> {
  return {
    name: 'INCINERATE',
    aliases: ['BURN'],
    description: 'Burn the part that you hold. It is gone for ever.',
    examples: [''],
    check: (state, agent) => handsEmptyProblem(world, viewOf(world, state, agent)),
    apply: (before, agent) => {
      const item = heldItem(before, agent);
      const burnt = { ...before, burnt: [...before.burnt, item] };
      const state = setRobot(burnt, agent, { holds: null });
      return {
        state,
        message: `You burnt the ${itemName(world, state, item)}. Your hands are empty.`,
        events: [happened(world, state, agent, 'burnt', { item })],
      };
    },
  };
}
