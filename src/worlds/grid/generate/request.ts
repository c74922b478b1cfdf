/**
 * The request to the map generator, and how many rooms fit into a size. The map is divided into cells with
 * one room each, with a row or column of tiles between them for corridors, so rooms and corridors never
 * overlap and it is known in advance how many rooms fit.
 */

import type { Point } from '../../../environment/space.js';

/**
 * Ids of the things and creatures that may not be in any room. Rooms are numbered from `room-1`, where agents
 * start, in the order in which they can be reached.
 */
interface Placing {
  /** In the last room, or the last ones if it is full. */
  deepest: readonly string[];
  /** In the first third of the rooms. */
  near: readonly string[];
  /** In the last third of the rooms. */
  far: readonly string[];
  /** In the room with this id. */
  in: Readonly<Record<string, readonly string[]>>;
  /** In different rooms, the first of them not in `room-1`. */
  apart: readonly string[];
}

export interface MapRequest extends Placing {
  seed: string;
  width: number;
  height: number;
  /** At least 1. */
  rooms: number;
  /** Tiles along a room's side, without its walls; the cell may allow less. */
  sideMin: number;
  sideMax: number;
  /** Corridors beyond those that it takes to reach every room, at the most. */
  loops: number;
  /** Locked doors, fewer than rooms; each key can be reached before its door. */
  locked: number;
  /** Pieces of furniture, at the most. */
  decor: number;
  /** Ids to place: agents in the first room, creatures rather not there, things anywhere. */
  agents: readonly string[];
  npcs: readonly string[];
  things: readonly { id: string; blocking: boolean }[];
  /** Tiles on which the scenario itself puts something. */
  taken: readonly (Point & { blocking: boolean })[];
}

/** The number of cell columns and rows. */
export interface CellGrid {
  columns: number;
  rows: number;
}

/** A room of 3 × 3 with its walls. */
const CELL_MIN = 5;

type MapArea = Pick<MapRequest, 'width' | 'height'>;

/** The most rooms that a map of this size can have. */
export function roomsThatFit({ width, height }: MapArea): number {
  return Math.floor((width + 1) / (CELL_MIN + 1)) * Math.floor((height + 1) / (CELL_MIN + 1));
}

/** The cells with the longest shorter side; null if this many rooms don't fit. */
export function cellGridFor(request: MapArea & Pick<MapRequest, 'rooms'>): CellGrid | null {
  let best: CellGrid | null = null;
  let bestSide = CELL_MIN - 1;
  for (let columns = 1; columns <= request.rooms; columns++) {
    const rows = Math.ceil(request.rooms / columns);
    const side = Math.min(sideOf(request.width, columns), sideOf(request.height, rows));
    if (side <= bestSide) continue;
    best = { columns, rows };
    bestSide = side;
  }
  return best;
}

/** The width of the narrowest band if `tiles` are divided into bands with one tile between them. */
function sideOf(tiles: number, bands: number): number {
  return Math.floor((tiles + 1) / bands) - 1;
}

/** The first tile of a band, and the one after its last; between two bands is one tile. */
export function band(tiles: number, bands: number, index: number): { from: number; to: number } {
  const from = Math.floor((index * (tiles + 1)) / bands);
  return { from, to: Math.floor(((index + 1) * (tiles + 1)) / bands) - 1 };
}
