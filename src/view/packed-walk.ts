/** Walks and tiles as the page stores them: the x and y of each tile, alternating. Pure: the program packs, and the browser unpacks. */
import type { Point } from '../environment/space.js';
import type { ActorWalk } from '../replay/walks.js';

export interface PackedWalk {
  actor: string;
  /** Tiles of the world, start and end included. */
  path: readonly number[];
}

export function packWalk({ actor, path }: ActorWalk): PackedWalk {
  return { actor, path: packTiles(path) };
}

export function unpackWalk({ actor, path }: PackedWalk): ActorWalk {
  return { actor, path: unpackTiles(path) };
}

export function packTiles(tiles: readonly Point[]): readonly number[] {
  return tiles.flatMap(({ x, y }) => [x, y]);
}

export function unpackTiles(numbers: readonly number[]): readonly Point[] {
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({
    x: numbers[2 * i] ?? 0,
    y: numbers[2 * i + 1] ?? 0,
  }));
}
