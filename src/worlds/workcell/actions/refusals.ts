/**
 * The refusals that several actions share. They use only what the robot perceives, and suggest only actions
 * that it may use.
 */
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import { capitalised, joinList, nameText, theName } from '../../../environment/wording.js';
import { theSide } from '../definition.js';
import type { KnownPlace, RobotView } from '../view.js';
import type { Workcell } from '../world.js';
import { isAllowed } from '../world.js';

/** " A or B first." with those of the actions that the robot may use; '' for none. */
export function suggestActions(world: Workcell, robot: string, ways: readonly string[]): string {
  const allowed = ways.filter((way) => isAllowed(world, robot, way.split(' ', 1)[0] ?? ''));
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

/** The refusal unless the part is known, present, and on the robot's side. */
export function partProblem(world: Workcell, view: RobotView, part: string): Problem | undefined {
  const place = view.places.find((one) => one.part.id === part);
  if (place === undefined) {
    const suggestion = view.seesOwnSide ? '' : suggestActions(world, view.robot.id, ['SCAN_AREA']);
    return problem('bad-argument', `You know no such part of the car.${suggestion}`);
  }
  const elsewhere = wrongSideProblem(world, view, place);
  if (elsewhere !== undefined || place.item !== null) return elsewhere;
  const name = nameText(place.part.name);
  return problem('illegal/nothing-there', `There is no ${name} there: its place is empty.`);
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
