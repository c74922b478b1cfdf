/**
 * A run as a folder of tables contains it, by tick and by step. `read-tables.ts` makes it; the page's data is
 * made from it.
 */
import type { Point } from '../../environment/space.js';
import type { StepActs } from '../../trajectory/records.js';

export interface ExportedRun {
  readonly runId: string;
  readonly title: string;
  readonly seed: string;
  readonly parent: { readonly run: string; readonly step: number } | null;
  readonly order: 'sequential' | 'simultaneous';
  readonly agents: readonly { readonly id: string; readonly name: string }[];
  readonly skin: number;
  /** Id of its tileset. */
  readonly tileset: string;
  /** Null for a world without a map. */
  readonly map: ExportedMap | null;
  /** In order, tick 0 first. */
  readonly ticks: readonly ExportedTick[];
  /** Null while the run is in progress. */
  readonly end: { readonly status: string; readonly reason: string } | null;
}

export interface ExportedMap extends Point {
  readonly width: number;
  readonly height: number;
  /** The initial appearance of each tile, row by row; null if unknown. */
  readonly looks: readonly (string | null)[];
}

/** The state after a tick, and what happened in it. */
export interface ExportedTick {
  readonly tick: number;
  /** The log's number of the tick's last step. */
  readonly lastStep: number;
  readonly bodies: readonly ExportedBody[];
  readonly deltas: readonly ExportedDelta[];
  /** What agents did, by step, in order; the tables don't contain their calls and who perceived an event. */
  readonly acts: ReadonlyMap<number, StepActs>;
  readonly said: ReadonlyMap<number, readonly { readonly speaker: string; readonly text: string }[]>;
}

/** A body on the map. */
export interface ExportedBody extends Point {
  readonly id: string;
  readonly name: string;
  readonly look: string;
}

export interface ExportedDelta {
  readonly object: string;
  readonly field: string;
  readonly value: unknown;
}
