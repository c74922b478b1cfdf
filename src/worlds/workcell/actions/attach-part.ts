/** ATTACH_PART: puts the held part into its place, which must be empty and on the robot's side. */
import { known } from '../../../base/assert.js';
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import { setPlace, setRobot } from '../change.js';
import { happened } from '../events.js';
import { handsEmptyProblem, wrongSideProblem } from '../refusals.js';
import type { WorkcellState } from '../state.js';
import type { KnownItem, RobotView } from '../view.js';
import { viewOf } from '../view.js';
import type { Workcell } from '../world.js';
import { itemName, itemOf, robotOf } from '../world.js';
import { joinList, nameText, theSide } from '../wording.js';
import type { WorkcellAction } from './workcell-action.js';

export function attachPartAction(world: Workcell): WorkcellAction {
  return {
    name: 'ATTACH_PART',
    aliases: [],
    description: 'Put the part that you hold into its empty place on your side of the car.',
    grammar: null,
    examples: [''],
    cost: 'turn',
    check: (state, agent) => checkAttach(world, state, agent),
    apply: (before, agent) => {
      const item = known(robotOf(before, agent).holds, `what ${agent} holds`);
      const { part } = itemOf(before, item);
      const state = setRobot(setPlace(before, part, item), agent, { holds: null });
      return {
        state,
        message: `You attached the ${itemName(world, state, item)}. Your hands are empty.`,
        events: [happened(world, state, { kind: 'attached', actor: agent, data: { part, item } })],
      };
    },
  };
}

function checkAttach(world: Workcell, state: WorkcellState, agent: string): Problem | undefined {
  const view = viewOf(world, state, agent);
  const { held } = view;
  if (held === null) return handsEmptyProblem(world, view);
  const place = view.places.find(({ part }) => part.id === held.part.id);
  if (place !== undefined) {
    const isOccupied = place.isVisible && place.item !== null;
    return (
      wrongSideProblem(world, view, place) ?? (isOccupied ? occupiedProblem(held) : notScannedProblem(view))
    );
  }
  return notScannedProblem(view) ?? noPlaceProblem(view, held);
}

/** A robot can't put a part into a place that it does not see. */
function notScannedProblem({ seesOwnSide, self }: RobotView): Problem | undefined {
  if (seesOwnSide) return undefined;
  return problem(
    'illegal/not-scanned',
    `You have not scanned ${theSide(self.orientation)}, so you see no empty place there.`,
  );
}

function occupiedProblem({ name, part }: KnownItem): Problem {
  return problem(
    'illegal/place-taken',
    `The ${name} does not go on: there is a ${nameText(part.name)} in its place.`,
  );
}

/** The refusal if no place on this side takes the part. */
function noPlaceProblem({ places, self }: RobotView, { name }: KnownItem): Problem {
  const emptyPlaces = places
    .filter((place) => place.isVisible && place.item === null)
    .map(({ part }) => nameText(part.name));
  const side = theSide(self.orientation);
  if (emptyPlaces.length === 0)
    return problem('illegal/no-place', `There is no empty place for the ${name} at ${side}.`);
  return problem(
    'illegal/wrong-part',
    `The ${name} does not fit at ${side}: the empty place there takes a ${joinList(emptyPlaces, 'or a')}.`,
  );
}
