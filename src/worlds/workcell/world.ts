/**
 * An opened definition with its look-up tables, and queries on a state (which car, which part, which robot is
 * where). They are independent of what an agent perceives; that is `view.ts`.
 */
import { at, known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import { WAIT } from '../../environment/action.js';
import type {
  Angle,
  CarDefinition,
  PartDefinition,
  RobotDefinition,
  WorkcellDefinition,
} from './definition.js';
import type { ItemState, WorkcellMindState, RobotState, WorkcellState } from './state.js';
import { nameText } from './wording.js';

export interface Workcell {
  readonly definition: WorkcellDefinition;
  readonly robots: ReadonlyMap<string, RobotDefinition>;
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
