/**
 * The workcell's state: what changes during a run, as plain JSON that is never changed in place. A place of
 * the car is named by the part that belongs there; an item is one physical part: the original one or a spare.
 * Each item is in exactly one place: on the car, on the shelf, in a robot's hands, or burnt.
 */
import type { Angle } from './definition.js';

export interface ItemState {
  /** `front-left-tyre` came with the car, `spare-front-left-tyre` from the shelf. */
  readonly id: string;
  /** Id of the part that it is, and so of the place that it fits. */
  readonly part: string;
  readonly isSpare: boolean;
  /** Id of what is wrong with it; null: sound. */
  readonly fault: string | null;
}

export interface RobotState {
  readonly id: string;
  readonly orientation: Angle;
  /** Id of the item in its hands; null: empty. */
  readonly holds: string | null;
  readonly status: 'awake' | 'done';
}

/** What a robot knows. */
export interface WorkcellMindState {
  /** Sides that it has scanned (with the rule `eyes`: visited), ascending. */
  readonly scanned: readonly Angle[];
  /**
   * Each place that it has seen: the id of the item that was there (null if none), and the turn in which it
   * last saw the place.
   */
  readonly places: Readonly<Record<string, { readonly item: string | null; readonly turn: number }>>;
  /** What its inspections found, by item: id of the fault, null for none. */
  readonly findings: Readonly<Record<string, string | null>>;
  /** Ids of the robots that it has seen or heard, sorted. */
  readonly met: readonly string[];
  /** Ids of the spares when it last saw the shelf, sorted; null: never. */
  readonly shelf: readonly string[] | null;
}

export interface WorkcellState {
  /** The current turn, from 1. */
  readonly turn: number;
  /** Index of the car among the definition's. */
  readonly car: number;
  readonly items: Readonly<Record<string, ItemState>>;
  /** By part: id of the item in its place; null: the place is empty. */
  readonly places: Readonly<Record<string, string | null>>;
  /** Ids of the items on the shelf, sorted. */
  readonly shelf: readonly string[];
  /** Ids of the burnt items, in the order in which they went. */
  readonly burnt: readonly string[];
  readonly robots: Readonly<Record<string, RobotState>>;
  readonly minds: Readonly<Record<string, WorkcellMindState>>;
}
