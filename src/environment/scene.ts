/**
 * A scene: everything that a frame is drawn from. Fog is already applied, and everything that was not
 * observed is left out, so a renderer can't reveal it. Coordinates of things and marks are relative to the
 * window's top left tile.
 */
import type { Point } from './space.js';

export const UNKNOWN = 0;
export const REMEMBERED = 1;
export const VISIBLE = 2;
export type Visibility = typeof UNKNOWN | typeof REMEMBERED | typeof VISIBLE;

/** Something on a tile of the window; `x` and `y` count from its top left tile. */
export interface SceneThing extends Point {
  /** Id of the thing in its world, for labels. */
  id: string;
  name: string;
  /** Name of a tile in the tileset, for example `item/key-brass`. */
  sprite: string;
  /**
   * The layer: 0 for objects, 1 for bodies, 2 for signs above them. If several things share a tile, the first
   * of the highest layer below the signs is drawn large, the others small in the corners (`shared-tiles.ts`).
   */
  layer: number;
}

/** Whether a picture of the scene shows what is on a tile: only in its window, and where the ground is known. */
export function isShownAt({ width, height, ground, visibility }: Scene, { x, y }: Point): boolean {
  if (x < 0 || y < 0 || x >= width || y >= height) return false;
  const cell = y * width + x;
  return (ground[cell] ?? -1) >= 0 && visibility[cell] !== UNKNOWN;
}

/** A mark with a number or word on a tile: an optional aid that the text repeats. */
export interface SceneMark extends Point {
  text: string;
}

/** A picture as data: the appearance of each tile. `drawFrame` turns it into pixels. */
export interface Scene {
  /** The window's size in tiles. */
  width: number;
  height: number;
  /** World coordinates of the window's top left tile; may be negative. */
  origin: Point;
  /**
   * The names that `ground` refers to: a tileset's ground class (`floor`, `wall`) or a tile
   * (`door/wood-open`).
   */
  legend: readonly string[];
  /** Row-major, width × height: index into `legend`, -1 where unknown. */
  ground: readonly number[];
  /** Row-major, width × height. */
  visibility: readonly Visibility[];
  things: readonly SceneThing[];
  marks: readonly SceneMark[];
}
