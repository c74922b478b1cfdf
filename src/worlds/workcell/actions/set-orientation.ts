/** SET_ORIENTATION: goes to another side of the car. */
import { problem } from '../../../base/problem.js';
import { choice, word } from '../../../environment/grammar.js';
import { setRobot } from '../change.js';
import type { Angle } from '../definition.js';
import { ANGLES } from '../definition.js';
import { alsoSeenBy, happened, tileOf } from '../events.js';
import { learn } from '../knowledge.js';
import type { Workcell } from '../world.js';
import { robotOf, robotsAt } from '../world.js';
import { joinList, theSide } from '../wording.js';
import type { WorkcellAction } from './workcell-action.js';
import { textArg } from './workcell-action.js';

export function setOrientationAction(world: Workcell): WorkcellAction {
  return {
    name: 'SET_ORIENTATION',
    aliases: ['TURN'],
    description: `Go to a side of the car: ${ANGLES.map(sideEntry).join(', ')}.`,
    grammar: choice(...ANGLES.map((angle) => word(String(angle), 'angle'))),
    examples: ['90'],
    cost: 'turn',
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
      const turned = happened(world, state, { kind: 'turned', actor: agent, data: { from, to } });
      return {
        state,
        message: `You went to ${theSide(to)}.`,
        events: [alsoSeenBy(turned, robotsAt(before, from))],
        path: [tileOf(world, before, agent), tileOf(world, state, agent)],
      };
    },
  };
}

function sideEntry(angle: Angle): string {
  return `${angle} ${theSide(angle).replace(/ \(.*/, '')}`;
}

function angleOf(written: string): Angle | undefined {
  return ANGLES.find((angle) => String(angle) === written);
}
