/**
 * Where in its tile each thing of a picture is drawn, and which part of it another one hides. Before version
 * 2 everything on a tile was drawn at full size, one over the other.
 */
import type { Scene } from '../environment/scene.js';
import type { Point } from '../environment/space.js';
import { sharedTilesOf } from '../environment/shared-tiles.js';
import type { TilePlacement, SharedTile } from '../environment/shared-tiles.js';

export interface PlacedOne extends Point {
  id: string;
  isDoor: boolean;
}

/** A part of a tile, in halves of its side; null if the thing is not drawn. */
export type TilePart = { left: 0 | 1; top: 0 | 1; halves: 1 | 2 } | null;

export interface PlacedInFrame {
  part: TilePart;
  /** Whether something else is drawn over a part of it. */
  covered: boolean;
  /** Whether it can't be recognised in the picture. */
  occluded: boolean;
}

/** In the order of `all`, which is the order of drawing up to version 1. */
export function visibleParts(
  scene: Scene,
  version: number,
  all: readonly PlacedOne[],
): readonly PlacedInFrame[] {
  if (version < 2)
    return all.map((one, i) => {
      const covered = all.slice(i + 1).some(({ x, y }) => x === one.x && y === one.y);
      // How much of it was visible is unknown.
      return { part: PARTS.whole, covered, occluded: covered };
    });
  const sharedTiles = sharedTilesOf(scene);
  return all.map((one) => {
    const tile = sharedTiles.get(one.y * scene.width + one.x);
    const place = placeOf(one, tile);
    const covered = place === 'whole' && isCovered(one, tile);
    return { part: PARTS[place], covered, occluded: place === 'left-out' };
  });
}

const PARTS: Readonly<Record<TilePlacement, TilePart>> = {
  whole: { left: 0, top: 0, halves: 2 },
  'south-east': { left: 1, top: 1, halves: 1 },
  'south-west': { left: 0, top: 1, halves: 1 },
  'north-east': { left: 1, top: 0, halves: 1 },
  'left-out': null,
};

function placeOf({ id, isDoor }: PlacedOne, tile: SharedTile | undefined): TilePlacement {
  if (isDoor) return tile?.door?.place ?? 'whole';
  return tile?.things.find(({ thing }) => thing.id === id)?.place ?? 'whole';
}

/** For things of full size: anything above the ground covers a door, and later things cover earlier ones. */
function isCovered({ id, isDoor }: PlacedOne, tile: SharedTile | undefined): boolean {
  if (tile === undefined) return false;
  const above = isDoor ? tile.things : tile.things.slice(1);
  return (isDoor || tile.things[0]?.thing.id === id) && (above.length > 0 || (!isDoor && tile.door !== null));
}
