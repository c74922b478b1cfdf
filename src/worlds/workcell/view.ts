/**
 * What one robot perceives and remembers, the only source of its text, facts, nouns, offers and picture. Its
 * own side is shown as it is, if the robot sees it; other sides as last seen; the shelf as last listed; other
 * robots only at the same side.
 */
import { lookUp } from '../../base/look-up.js';
import { known } from '../../base/assert.js';
import type { FaultDefinition, PartDefinition, RobotDefinition } from './definition.js';
import type { WorkcellMindState, RobotState, WorkcellState } from './state.js';
import type { Workcell } from './world.js';
import {
  carOf,
  inPlace,
  itemName,
  itemOf,
  meet,
  mindOf,
  partDefinition,
  partsOn,
  robotName,
  robotOf,
  robotsAt,
  setMind,
} from './world.js';

/** The result of this robot's inspection of an item. */
export interface ScanResult {
  /** Null: sound. */
  fault: FaultDefinition | null;
}

export interface KnownPlace {
  part: PartDefinition;
  /** Whether it is seen now; otherwise, the values are as last seen. */
  isVisible: boolean;
  /** Id of the item there; null: empty. */
  item: string | null;
  /** Null: not inspected by this robot. */
  finding: ScanResult | null;
  /** The turn in which it was last seen. */
  turn: number;
}

export interface SeenRobot {
  id: string;
  name: string;
  state: RobotState;
}

export interface KnownItem {
  id: string;
  name: string;
  part: PartDefinition;
  finding: ScanResult | null;
}

export interface RobotView {
  turn: number;
  robot: RobotDefinition;
  self: RobotState;
  mind: WorkcellMindState;
  carName: string;
  /** Whether it sees its own side. */
  seesOwnSide: boolean;
  /** In the car's order. */
  places: readonly KnownPlace[];
  /** In its hands; null: nothing. */
  held: KnownItem | null;
  /** The shelf as last seen; null: never. */
  shelf: readonly KnownItem[] | null;
  /** At the same side, sorted by id. */
  others: readonly SeenRobot[];
}

export function viewOf(world: Workcell, state: WorkcellState, agent: string): RobotView {
  const self = robotOf(state, agent);
  const mind = mindOf(state, agent);
  const car = carOf(world, state);
  const seesSide = seesOwnSide(world, state, agent);
  return {
    turn: state.turn,
    robot: known(world.robots.get(agent), `definition of ${agent}`),
    self,
    mind,
    carName: car.name,
    seesOwnSide: seesSide,
    places: car.parts.flatMap((part) =>
      knownPlace(state, mind, part, seesSide && part.side === self.orientation),
    ),
    held: self.holds === null ? null : knownItem(world, state, mind, self.holds),
    shelf: mind.shelf === null ? null : mind.shelf.map((id) => knownItem(world, state, mind, id)),
    others: robotsAt(state, self.orientation)
      .filter((id) => id !== agent)
      .map((id) => ({ id, name: robotName(world, id), state: robotOf(state, id) })),
  };
}

function knownPlace(
  state: WorkcellState,
  mind: WorkcellMindState,
  part: PartDefinition,
  isVisible: boolean,
): readonly KnownPlace[] {
  const memory = lookUp(mind.places, part.id);
  if (memory === undefined && !isVisible) return [];
  const item = isVisible ? inPlace(state, part.id) : (memory?.item ?? null);
  const turn = isVisible ? state.turn : (memory?.turn ?? 0);
  return [{ part, isVisible, item, finding: item === null ? null : findingOf(mind, item, part), turn }];
}

function findingOf(mind: WorkcellMindState, item: string, part: PartDefinition): ScanResult | null {
  const fault = lookUp(mind.findings, item);
  if (fault === undefined) return null;
  return { fault: part.faults.find(({ id }) => id === fault) ?? null };
}

function knownItem(world: Workcell, state: WorkcellState, mind: WorkcellMindState, id: string): KnownItem {
  const part = partDefinition(world, state, itemOf(state, id).part);
  return { id, name: itemName(world, state, id), part, finding: findingOf(mind, id, part) };
}

/** Whether a robot sees its own side. */
function seesOwnSide({ definition }: Workcell, state: WorkcellState, robot: string): boolean {
  if (definition.rules.sight === 'eyes') return true;
  return mindOf(state, robot).scanned.includes(robotOf(state, robot).orientation);
}

/**
 * The state in which every robot knows the robots at its side and, if it sees it, the side. It remembers other
 * sides as last seen, possibly outdated.
 */
export function learn(world: Workcell, before: WorkcellState): WorkcellState {
  return world.definition.robots.reduce((now, { id }) => {
    const { orientation } = robotOf(now, id);
    const state = meet(now, id, robotsAt(now, orientation));
    if (!seesOwnSide(world, state, id)) return state;
    const mind = mindOf(state, id);
    const seen = partsOn(world, state, orientation).map(
      (part) => [part.id, { item: inPlace(state, part.id), turn: state.turn }] as const,
    );
    const scanned = [...new Set([...mind.scanned, orientation])].toSorted((a, b) => a - b);
    return setMind(state, id, { places: { ...mind.places, ...Object.fromEntries(seen) }, scanned });
  }, before);
}
