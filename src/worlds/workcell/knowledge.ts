/**
 * Updates the robots' knowledge: each robot sees the robots at its side, and the side itself if it has
 * scanned it or the rules let it see without scanning. It remembers other sides as last seen, possibly
 * outdated.
 */
import { addMet, setMind } from './change.js';
import type { WorkcellMindState, WorkcellState } from './state.js';
import type { Workcell } from './world.js';
import { inPlace, mindOf, partsOn, robotOf, robotsAt } from './world.js';

/** The state in which every robot's knowledge includes what it sees now. */
export function learn(world: Workcell, state: WorkcellState): WorkcellState {
  return world.definition.robots.reduce((now, { id }) => learnOfRobot(world, now, id), state);
}

/** Whether a robot sees its own side. */
export function seesOwnSide(world: Workcell, state: WorkcellState, robot: string): boolean {
  if (world.definition.rules.sight === 'eyes') return true;
  return mindOf(state, robot).scanned.includes(robotOf(state, robot).orientation);
}

function learnOfRobot(world: Workcell, before: WorkcellState, robot: string): WorkcellState {
  const { orientation } = robotOf(before, robot);
  const state = addMet(before, robot, robotsAt(before, orientation));
  if (!seesOwnSide(world, state, robot)) return state;
  const mind = mindOf(state, robot);
  const places: Record<string, WorkcellMindState['places'][string]> = { ...mind.places };
  for (const { id } of partsOn(world, state, orientation))
    places[id] = { item: inPlace(state, id), turn: state.turn };
  const scanned = [...new Set([...mind.scanned, orientation])].toSorted((a, b) => a - b);
  return setMind(state, robot, { places, scanned });
}
