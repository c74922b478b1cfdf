/** The actions with which a robot goes around the car and learns: SET_ORIENTATION, SCAN_AREA, INSPECT, LIST_SPARES. */
import { known } from '../../../base/assert.js';
import { problem } from '../../../base/problem.js';
import { choice, name, word } from '../../../environment/grammar.js';
import type { ActionSpec } from '../../../environment/own-action.js';
import { textArg } from '../../../environment/standard-actions.js';
import { capitalised, joinList, nameText, proseText, theName } from '../../../environment/wording.js';
import type { Angle } from '../definition.js';
import { ANGLES, theSide } from '../definition.js';
import { alsoSeenBy, happened } from '../events.js';
import type { WorkcellState } from '../state.js';
import { shelfText, sideText } from '../text.js';
import { learn, viewOf } from '../view.js';
import type { Workcell } from '../world.js';
import {
  inPlace,
  itemOf,
  learnShelf,
  mindOf,
  partDefinition,
  robotOf,
  robotsAt,
  setMind,
  setRobot,
  tileOf,
} from '../world.js';
import { partProblem } from './refusals.js';

export function setOrientation(world: Workcell): ActionSpec<WorkcellState> {
  const sides = ANGLES.map((angle) => `${angle} ${theSide(angle).replace(/ \(.*/, '')}`);
  const angleOf = (written: string): Angle | undefined => ANGLES.find((angle) => String(angle) === written);
  return {
    name: 'SET_ORIENTATION',
    aliases: ['TURN'],
    description: `Go to a side of the car: ${sides.join(', ')}.`,
    grammar: choice(...ANGLES.map((angle) => word(String(angle), 'angle'))),
    examples: ['90'],
    check: (state, agent, args) => {
      const angle = angleOf(textArg(args, 'angle'));
      if (angle === undefined)
        return problem('bad-argument', `SET_ORIENTATION takes ${joinList(ANGLES.map(String), 'or')}.`);
      if (angle !== robotOf(state, agent).orientation) return undefined;
      return problem('illegal/already-there', `You are at ${theSide(angle)} already.`);
    },
    apply: (before, agent, args) => {
      const from = robotOf(before, agent).orientation;
      const to = angleOf(textArg(args, 'angle')) ?? from;
      const state = learn(world, setRobot(before, agent, { orientation: to }));
      const turned = happened(world, state, agent, 'turned', { from, to });
      return {
        state,
        message: `You went to ${theSide(to)}.`,
        events: [alsoSeenBy(turned, robotsAt(before, from))],
        path: [tileOf(world, before, agent), tileOf(world, state, agent)],
      };
    },
  };
}

export function scanArea(world: Workcell): ActionSpec<WorkcellState> {
  return {
    name: 'SCAN_AREA',
    aliases: ['SCAN'],
    description: 'Learn which parts are on your side of the car.',
    examples: [''],
    apply: (before, agent) => {
      const { orientation } = robotOf(before, agent);
      const scanned = [...mindOf(before, agent).scanned, orientation];
      const state = learn(world, setMind(before, agent, { scanned }));
      return {
        state,
        message: `${capitalised(theSide(orientation))}: ${sideText(viewOf(world, state, agent))}.`,
        events: [happened(world, state, agent, 'scanned', { side: orientation })],
      };
    },
  };
}

export function inspect(world: Workcell): ActionSpec<WorkcellState> {
  return {
    name: 'INSPECT',
    aliases: ['EXAMINE'],
    description: 'Learn whether a part on your side of the car is faulty.',
    grammar: name('name', ['part'], 'the part to inspect'),
    examples: ['windscreen'],
    check: (state, agent, args) => partProblem(world, viewOf(world, state, agent), textArg(args, 'name')),
    apply: (before, agent, args) => {
      const id = textArg(args, 'name');
      const item = itemOf(before, known(inPlace(before, id), `item in the place of ${id}`));
      const findings = { ...mindOf(before, agent).findings, [item.id]: item.fault };
      const state = setMind(before, agent, { findings });
      const part = partDefinition(world, state, item.part);
      const partName = capitalised(theName(nameText(part.name)));
      const fault = part.faults.find((one) => one.id === item.fault);
      const looks = part.description === '' ? '' : ` ${proseText(part.description)}`;
      return {
        state,
        message:
          fault === undefined
            ? `${partName} is sound.${looks}`
            : `${partName} is faulty: ${proseText(fault.finding)}`,
        events: [happened(world, state, agent, 'inspected', { part: id })],
      };
    },
  };
}

export function listSpares(world: Workcell): ActionSpec<WorkcellState> {
  return {
    name: 'LIST_SPARES',
    description: 'Learn which spares lie on the shelf.',
    examples: [''],
    apply: (before, agent) => {
      const state = learnShelf(before, agent);
      return {
        state,
        message: `On the shelf: ${shelfText(viewOf(world, state, agent))}.`,
        events: [happened(world, state, agent, 'listed', {})],
      };
    },
  };
}
