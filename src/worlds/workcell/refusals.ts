/**
 * The refusals of the workcell's actions, which use only what the robot perceives, and what would work
 * instead. Only actions that the robot may use are suggested.
 */
import type { Problem } from '../../base/problem.js';
import { problem } from '../../base/problem.js';
import type { WorkcellState } from './state.js';
import type { KnownPlace, RobotView } from './view.js';
import { capitalised, joinList, nameText, theName, theSide } from './wording.js';
import { viewOf } from './view.js';
import type { Workcell } from './world.js';
import { isAllowed } from './world.js';

/** " A or B first." with those of the actions that the robot may use; '' for none. */
export function suggestActions(
  { definition, robots }: Workcell,
  robot: string,
  ways: readonly string[],
): string {
  const allowed = ways.filter((way) => isAllowed({ definition, robots }, robot, way.split(' ', 1)[0] ?? ''));
  return allowed.length === 0 ? '' : ` ${joinList(allowed, 'or')} first.`;
}

export function handsFullProblem(world: Workcell, { robot, held }: RobotView): Problem | undefined {
  if (held === null) return undefined;
  const suggestion = suggestActions(world, robot.id, ['ATTACH_PART', 'INCINERATE', 'HAND_OVER']);
  return problem('illegal/hands-full', `Your hands are full: you hold the ${held.name}.${suggestion}`);
}

export function handsEmptyProblem(world: Workcell, { robot, held }: RobotView): Problem | undefined {
  if (held !== null) return undefined;
  const suggestion = suggestActions(world, robot.id, ['REMOVE_PART', 'GET_SPARE']);
  return problem('illegal/hands-empty', `Your hands are empty.${suggestion}`);
}

export interface PlaceQuestion {
  readonly world: Workcell;
  readonly state: WorkcellState;
  readonly agent: string;
  /** The part that was asked for. */
  readonly part: string;
}

/** The refusal unless the part is known, present, and on the robot's side. */
export function partProblem({ world, state, agent, part }: PlaceQuestion): Problem | undefined {
  const view = viewOf(world, state, agent);
  const place = view.places.find((one) => one.part.id === part);
  if (place === undefined) return unknownPartProblem(world, view);
  return wrongSideProblem(world, view, place) ?? missingPartProblem(place);
}

function unknownPartProblem(world: Workcell, view: RobotView): Problem {
  const suggestion = view.seesOwnSide ? '' : suggestActions(world, view.robot.id, ['SCAN_AREA']);
  return problem('bad-argument', `You know no such part of the car.${suggestion}`);
}

export function wrongSideProblem(
  world: Workcell,
  { robot, self }: RobotView,
  { part }: KnownPlace,
): Problem | undefined {
  if (part.side === self.orientation) return undefined;
  const suggestion = suggestActions(world, robot.id, [`SET_ORIENTATION ${part.side}`]);
  const name = capitalised(theName(nameText(part.name)));
  const where = `is on ${theSide(part.side)}, and you are at ${theSide(self.orientation)}`;
  return problem('illegal/wrong-orientation', `${name} ${where}.${suggestion}`);
}

function missingPartProblem({ part, item }: KnownPlace): Problem | undefined {
  if (item !== null) return undefined;
  return problem('illegal/nothing-there', `There is no ${nameText(part.name)} there: its place is empty.`);
}
