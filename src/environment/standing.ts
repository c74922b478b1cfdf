/**
 * How several things on one tile are drawn, so that none hides another: one is drawn full size, the others
 * small in the tile's corners, and so is a door with an agent in it. In: the contents of a tile; out: where
 * in the tile each is drawn. Pictures, labels and questions follow from this alone.
 */
import { UNKNOWN, type Scene, type SceneThing } from './scene.js';

/** Agents and creatures, which have a shadow. */
export const BODY_LAYER = 1;
/** From this layer on things are signs, laid over what is there: a tick on a part. They hide little and are never made small. */
export const SIGN_LAYER = 2;

/**
 * Corners for small things, in the order in which they are filled. The fourth one shows that there are more.
 */
export const SPOTS = ['south-east', 'south-west', 'north-east'] as const;
export type Spot = (typeof SPOTS)[number];

/** `left-out`: no corner was left for it. */
export type Place = 'whole' | 'left-out' | Spot;

export interface SharedTilePosition {
  readonly thing: SceneThing;
  readonly place: Place;
}

export interface TileStandings {
  /** In the order in which they are drawn. */
  readonly things: readonly SharedTilePosition[];
  /**
   * The door of the tile and where it is drawn additionally; null if there is none, or nothing is in front of
   * it.
   */
  readonly door: { readonly sprite: string; readonly place: Exclude<Place, 'whole'> } | null;
}

/** Of the highest layer below the signs the first thing is whole. The others follow from the highest layer to the lowest, a door last. */
function standingsOn(things: readonly SceneThing[], ground: string): TileStandings {
  const solid = things.filter(({ layer }) => layer < SIGN_LAYER).toSorted((a, b) => b.layer - a.layer);
  const signs = things.filter(({ layer }) => layer >= SIGN_LAYER).toSorted((a, b) => a.layer - b.layer);
  const standings = [
    ...solid.map((thing, i): SharedTilePosition => ({ thing, place: i === 0 ? 'whole' : spotAt(i - 1) })),
    ...signs.map((thing): SharedTilePosition => ({ thing, place: 'whole' })),
  ];
  const hasDoor = isDoor(ground) && solid.length > 0;
  return { things: standings, door: hasDoor ? { sprite: ground, place: spotAt(solid.length - 1) } : null };
}

function spotAt(place: number): Exclude<Place, 'whole'> {
  return SPOTS[place] ?? 'left-out';
}

/** Tiles of the window by their number, row by row: those that hold something and are known. */
export function standingsOf(scene: Scene): ReadonlyMap<number, TileStandings> {
  const { legend, ground } = scene;
  return new Map(
    [...thingsByTile(scene)].map(([tile, things]) => [
      tile,
      standingsOn(things, legend[ground[tile] ?? -1] ?? ''),
    ]),
  );
}

function thingsByTile({ width, height, things, visibility, ground }: Scene) {
  const tiles = new Map<number, SceneThing[]>();
  for (const thing of things) {
    const { x, y } = thing;
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const tile = y * width + x;
    if (visibility[tile] === UNKNOWN || (ground[tile] ?? -1) < 0) continue;
    const there = tiles.get(tile);
    if (there === undefined) tiles.set(tile, [thing]);
    else there.push(thing);
  }
  return tiles;
}

/** Doors are ground: a scene names the tile that shows one in its state, `door/wood-open`. */
export function isDoor(ground: string): boolean {
  return ground.startsWith('door/');
}
