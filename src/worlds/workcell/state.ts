/**
 * The workcell's state: what changes during a run, as plain JSON that is never changed in place. A place of
 * the car is named by the part that belongs there; an item is one physical part: the original one or a spare.
 * Each item is in exactly one place: on the car, on the shelf, in a robot's hands, or burnt.
 */
import type { Angle } from './definition.js';

export interface ItemState {
  /** `front-left-tyre` came with the car, `spare-front-left-tyre` from the shelf. */
  id: string;
  /** Id of the part that it is, and so of the place that it fits. */
  part: string;
  isSpare: boolean;
  /** Id of what is wrong with it; null: sound. */
  fault: string | null;
}

export interface RobotState {
  id: string;
  orientation: Angle;
  /** Id of the item in its hands; null: empty. */
  holds: string | null;
  status: 'awake' | 'done';
}

/** What a robot knows. */
export interface WorkcellMindState {
  /** Sides that it has scanned (with the rule `eyes`: visited), ascending. */
  scanned: readonly Angle[];
  /**
   * Each place that it has seen: the id of the item that was there (null if none), and the turn in which it
   * last saw the place.
   */
  places: Readonly<Record<string, { item: string | null; turn: number }>>;
  /** What its inspections found, by item: id of the fault, null for none. */
  findings: Readonly<Record<string, string | null>>;
  /** Ids of the robots that it has seen or heard, sorted. */
  met: readonly string[];
  /** Ids of the spares when it last saw the shelf, sorted; null: never. */
  shelf: readonly string[] | null;
}

export interface WorkcellState {
  /** The current turn, from 1. */
  turn: number;
  /** Index of the car among the definition's. */
  car: number;
  items: Readonly<Record<string, ItemState>>;
  /** By part: id of the item in its place; null: the place is empty. */
  places: Readonly<Record<string, string | null>>;
  /** Ids of the items on the shelf, sorted. */
  shelf: readonly string[];
  /** Ids of the burnt items, in the order in which they went. */
  burnt: readonly string[];
  robots: Readonly<Record<string, RobotState>>;
  minds: Readonly<Record<string, WorkcellMindState>>;
}
