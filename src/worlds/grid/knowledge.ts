/**
 * Reads what an agent knows of the map beyond what it sees now. Each tile is unknown, remembered or visible:
 * a bit marks a tile as seen (terrain never changes, so nothing else needs to be stored), and each known
 * thing and door has its position and appearance as last seen, which may be outdated. `learning.ts` writes
 * it.
 */
import { compareText } from '../../base/ids.js';
import type { Point } from '../../environment/space.js';
import { chunkAt } from './chunks.js';
import type { GridState, KnowledgeChunk, RememberedThing } from './state.js';
import { CHUNK_BITS, CHUNK_SIDE } from './state.js';
import { mindOf } from './world.js';

/** A chunk of which nothing is known. */
export const NOTHING_KNOWN: KnowledgeChunk = {
  seen: Array.from({ length: CHUNK_SIDE }, () => 0),
  things: {},
};

/** Whether an agent has ever seen a tile. */
export function knowsTile(state: GridState, agent: string, tile: Point): boolean {
  return knownTiles(state, agent)(tile.x, tile.y);
}

/**
 * Like `knowsTile`, for many tiles: a chunk is looked up again only when the next tile is in another chunk.
 */
export function knownTiles(state: GridState, agent: string): (x: number, y: number) => boolean {
  const tree = mindOf(state, agent).known;
  let lastX = -1;
  let lastY = -1;
  let seen = NOTHING_KNOWN.seen;
  return (x, y) => {
    if (x < 0 || y < 0) return false;
    const cx = x >> CHUNK_BITS;
    const cy = y >> CHUNK_BITS;
    if (cx !== lastX || cy !== lastY) {
      lastX = cx;
      lastY = cy;
      seen = (chunkAt(tree, { cx, cy }) ?? NOTHING_KNOWN).seen;
    }
    return ((seen[y - cy * CHUNK_SIDE] ?? 0) & (1 << (x - cx * CHUNK_SIDE))) !== 0;
  };
}

/** Things and doors as an agent last saw them, by id, including those on tiles that it sees now. */
export function rememberedThings(state: GridState, agent: string): readonly RememberedThing[] {
  return Object.values(mindOf(state, agent).known)
    .flatMap((region) => Object.values(region))
    .flatMap(({ things }) => Object.values(things))
    .toSorted((a, b) => compareText(a.id, b.id));
}
