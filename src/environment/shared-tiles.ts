/**
 * How several things on one tile are drawn, so that none hides another: one is drawn full size, the others
 * small in the tile's corners, and so is a door with a body in it. Pictures, labels and questions about
 * pictures all use it.
 */
import { UNKNOWN, type Scene, type SceneThing } from './scene.js';

/** Agents and creatures, which have a shadow. */
export const BODY_LAYER = 1;
/**
 * From this layer on, things are signs, drawn over others: a tick on a part. They hide little and are never
 * made small.
 */
export const SIGN_LAYER = 2;

/**
 * Corners for small things, in the order in which they are filled. The fourth one shows that there are more.
 */
export const TILE_CORNERS = ['south-east', 'south-west', 'north-east'] as const;
export type TileCorner = (typeof TILE_CORNERS)[number];

/** `left-out`: there was no corner left for it. */
export type TilePlacement = 'whole' | 'left-out' | TileCorner;

export interface ThingPlacement {
  thing: SceneThing;
  place: TilePlacement;
}

export interface SharedTile {
  /** In drawing order. */
  things: readonly ThingPlacement[];
  /**
   * The door of the tile and its additional position; null if there is no door, or nothing is in front of it.
   */
  door: { sprite: string; place: Exclude<TilePlacement, 'whole'> } | null;
}

/**
 * The first thing of the highest layer below the signs is drawn large. The others follow from the highest
 * layer to the lowest, a door last.
 */
function sharedTileOf(things: readonly SceneThing[], ground: string): SharedTile {
  const solid = things.filter(({ layer }) => layer < SIGN_LAYER).toSorted((a, b) => b.layer - a.layer);
  const signs = things.filter(({ layer }) => layer >= SIGN_LAYER).toSorted((a, b) => a.layer - b.layer);
  const placements = [
    ...solid.map((thing, i): ThingPlacement => ({ thing, place: i === 0 ? 'whole' : cornerAt(i - 1) })),
    ...signs.map((thing): ThingPlacement => ({ thing, place: 'whole' })),
  ];
  const hasDoor = isDoor(ground) && solid.length > 0;
  return { things: placements, door: hasDoor ? { sprite: ground, place: cornerAt(solid.length - 1) } : null };
}

function cornerAt(index: number): Exclude<TilePlacement, 'whole'> {
  return TILE_CORNERS[index] ?? 'left-out';
}

/** The known tiles of the window that contain something, by their index, row by row. */
export function sharedTilesOf(scene: Scene): ReadonlyMap<number, SharedTile> {
  const { width, height, legend, ground, visibility } = scene;
  const thingsByTile = new Map<number, SceneThing[]>();
  for (const thing of scene.things) {
    const { x, y } = thing;
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const tile = y * width + x;
    if (visibility[tile] === UNKNOWN || (ground[tile] ?? -1) < 0) continue;
    const thingsHere = thingsByTile.get(tile);
    if (thingsHere === undefined) thingsByTile.set(tile, [thing]);
    else thingsHere.push(thing);
  }
  return new Map(
    [...thingsByTile].map(([tile, things]) => [tile, sharedTileOf(things, legend[ground[tile] ?? -1] ?? '')]),
  );
}

/** Doors are ground: a scene names the tile that shows one in its state, `door/wood-open`. */
export function isDoor(ground: string): boolean {
  return ground.startsWith('door/');
}
