/**
 * Which tiles are connected on foot if all doors are open: there is a path between two tiles with the same
 * area number. Straight steps suffice, because a diagonal step needs both tiles beside it to be free.
 */
import type { Point } from '../../../environment/space.js';
import type { GridMap } from './map.js';
import { isInside, isWalkable } from './map.js';
import type { GridReading } from './places.js';

const areasByMap = new WeakMap<GridMap, Int32Array>();

/** The number of a tile's area; 0 for unwalkable tiles and points outside. */
export function areaOf({ map }: GridReading, { x, y }: Point): number {
  if (!isInside(map, x, y)) return 0;
  const areas = areasByMap.get(map) ?? numberAreas(map);
  areasByMap.set(map, areas);
  return areas[y * map.width + x] ?? 0;
}

function numberAreas(map: GridMap): Int32Array {
  const areas = new Int32Array(map.width * map.height).fill(-1);
  let count = 0;
  for (let start = 0; start < areas.length; start++) {
    if (areas[start] !== -1) continue;
    if (isWalkable(map, start % map.width, Math.floor(start / map.width)))
      flood(map, { areas, start, mark: ++count });
    else areas[start] = 0;
  }
  return areas;
}

function flood(
  map: GridMap,
  { areas, start, mark }: { areas: Int32Array; start: number; mark: number },
): void {
  const queue = [start];
  areas[start] = mark;
  for (let i = 0; i < queue.length; i++) {
    const tile = queue[i] ?? 0;
    const [x, y] = [tile % map.width, Math.floor(tile / map.width)];
    for (const [dx, dy] of STEPS) {
      const neighbour = tile + dy * map.width + dx;
      const isNew =
        isInside(map, x + dx, y + dy) && areas[neighbour] === -1 && isWalkable(map, x + dx, y + dy);
      if (!isNew) continue;
      areas[neighbour] = mark;
      queue.push(neighbour);
    }
  }
}

/** The steps between adjacent tiles, as [dx, dy]. */
export const STEPS = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
] as const;
