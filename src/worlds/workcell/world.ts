/**
 * An opened definition with its look-up tables, queries on a state (which car, which part, which robot is
 * where) and the setters of the rules, which change a copy. They are independent of what an agent perceives;
 * that is `view.ts`.
 */
import { at, known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import { WAIT } from '../../environment/action.js';
import type { Point } from '../../environment/space.js';
import { nameText } from '../../environment/wording.js';
import type {
  Angle,
  CarDefinition,
  PartDefinition,
  RobotDefinition,
  WorkcellDefinition,
} from './definition.js';
import { stationOf } from './layout.js';
import type { ItemState, WorkcellMindState, RobotState, WorkcellState } from './state.js';

export interface Workcell {
  definition: WorkcellDefinition;
  robots: ReadonlyMap<string, RobotDefinition>;
}

export function openWorld(definition: WorkcellDefinition): Workcell {
  return { definition, robots: new Map(definition.robots.map((robot) => [robot.id, robot])) };
}

export function carOf({ definition }: Workcell, state: WorkcellState): CarDefinition {
  return at(definition.cars, state.car);
}

/** Undefined if the car has no such part. */
export function partOf(world: Workcell, state: WorkcellState, id: string): PartDefinition | undefined {
  return carOf(world, state).parts.find((part) => part.id === id);
}

/** The definition of a part of any car, because a spare may be for another car. */
export function partDefinition(world: Workcell, state: WorkcellState, id: string): PartDefinition {
  const partsOfAllCars = world.definition.cars.flatMap(({ parts }) => parts);
  return known(partOf(world, state, id) ?? partsOfAllCars.find((part) => part.id === id), `part ${id}`);
}

export function partsOn(world: Workcell, state: WorkcellState, side: Angle): readonly PartDefinition[] {
  return carOf(world, state).parts.filter((part) => part.side === side);
}

export function itemOf(state: WorkcellState, id: string): ItemState {
  return known(lookUp(state.items, id), `item ${id}`);
}

/** The item in a part's place; null: empty. */
export function inPlace(state: WorkcellState, part: string): string | null {
  return lookUp(state.places, part) ?? null;
}

/** "front left tyre", "spare front left tyre". */
export function itemName(world: Workcell, state: WorkcellState, id: string): string {
  const item = itemOf(state, id);
  const name = nameText(partDefinition(world, state, item.part).name);
  return item.isSpare ? `spare ${name}` : name;
}

export function robotOf(state: WorkcellState, id: string): RobotState {
  return known(lookUp(state.robots, id), `robot ${id}`);
}

export function mindOf(state: WorkcellState, id: string): WorkcellMindState {
  return known(lookUp(state.minds, id), `mind of ${id}`);
}

export function robotName(world: Workcell, id: string): string {
  return nameText(known(world.robots.get(id), `definition of ${id}`).name);
}

/** Ids of the robots at a side, sorted. */
export function robotsAt(state: WorkcellState, side: Angle): readonly string[] {
  return Object.values(state.robots)
    .filter((robot) => robot.orientation === side)
    .map(({ id }) => id)
    .toSorted(compareText);
}

/** Ids of the robots that still act, in turn order. */
export function activeRobots({ definition }: Workcell, state: WorkcellState): readonly string[] {
  return definition.robots.map(({ id }) => id).filter((id) => robotOf(state, id).status === 'awake');
}

/**
 * Whether the scenario allows a robot an action; WAIT always. A part can be handed over only if some robot
 * can take it.
 */
export function isAllowed({ definition, robots }: Workcell, robot: string, action: string): boolean {
  if (action === 'HAND_OVER' && definition.robots.length < 2) return false;
  const allowed = robots.get(robot)?.actions ?? null;
  return allowed === null || action === WAIT || allowed.includes(action);
}

/** The tile on which a robot stands. */
export function tileOf({ definition }: Workcell, state: WorkcellState, id: string): Point {
  const index = definition.robots.findIndex((robot) => robot.id === id);
  return stationOf(robotOf(state, id).orientation, index).robot;
}

export function setRobot(state: WorkcellState, id: string, change: Partial<RobotState>): WorkcellState {
  return { ...state, robots: { ...state.robots, [id]: { ...robotOf(state, id), ...change } } };
}

export function setMind(state: WorkcellState, id: string, change: Partial<WorkcellMindState>): WorkcellState {
  return { ...state, minds: { ...state.minds, [id]: { ...mindOf(state, id), ...change } } };
}

/** `item` null: the place is empty afterwards. */
export function setPlace(state: WorkcellState, part: string, item: string | null): WorkcellState {
  return { ...state, places: { ...state.places, [part]: item } };
}

/** A robot learns the current contents of the shelf. */
export function learnShelf(state: WorkcellState, robot: string): WorkcellState {
  return setMind(state, robot, { shelf: state.shelf });
}

/** Adds robots to those that this robot knows of. */
export function meet(state: WorkcellState, robot: string, others: readonly string[]): WorkcellState {
  const { met } = mindOf(state, robot);
  const added = others.filter((id) => id !== robot && !met.includes(id));
  return added.length === 0
    ? state
    : setMind(state, robot, { met: [...met, ...added].toSorted(compareText) });
}
