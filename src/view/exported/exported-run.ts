/**
 * A run as a folder of tables contains it, by tick and by step. `read-tables.ts` makes it; the page's data is
 * made from it.
 */
import type { Point } from '../../environment/space.js';
import type { StepActs } from '../../trajectory/records.js';

export interface ExportedRun {
  runId: string;
  title: string;
  seed: string;
  parent: { run: string; step: number } | null;
  order: 'sequential' | 'simultaneous';
  agents: readonly { id: string; name: string }[];
  skin: number;
  /** Id of its tileset. */
  tileset: string;
  /** Null for a world without a map. */
  map: ExportedMap | null;
  /** In order, tick 0 first. */
  ticks: readonly ExportedTick[];
  /** Null while the run is in progress. */
  end: { status: string; reason: string } | null;
}

export interface ExportedMap extends Point {
  width: number;
  height: number;
  /** The initial appearance of each tile, row by row; null if unknown. */
  looks: readonly (string | null)[];
}

/** The state after a tick, and what happened in it. */
export interface ExportedTick {
  tick: number;
  /** The log's number of the tick's last step. */
  lastStep: number;
  bodies: readonly ExportedBody[];
  deltas: readonly ExportedDelta[];
  /** What agents did, by step, in order; the tables don't contain their calls and who perceived an event. */
  acts: ReadonlyMap<number, StepActs>;
  said: ReadonlyMap<number, readonly { speaker: string; text: string }[]>;
}

/** A body on the map. */
export interface ExportedBody extends Point {
  id: string;
  name: string;
  look: string;
}

export interface ExportedDelta {
  object: string;
  field: string;
  value: unknown;
}
