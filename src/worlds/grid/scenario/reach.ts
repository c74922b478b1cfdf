/**
 * Which tiles belong together on foot, doors counted as open: two tiles with one number can be walked between. Straight steps tell it all, since beside a
 * diagonal one both tiles have to be free.
 */
import type { Point } from '../../../environment/space.js';
import type { GridMap } from './map.js';
import { isInside, isWalkable } from './map.js';
import type { GridReading } from './places.js';

const remembered = new WeakMap<GridMap, Int32Array>();

/** The number of the area that a tile lies in; 0 for tiles that can't be walked on and points outside. */
export function areaOf({ map }: GridReading, { x, y }: Point): number {
  if (!isInside(map, x, y)) return 0;
  const areas = remembered.get(map) ?? number(map);
  remembered.set(map, areas);
  return areas[y * map.width + x] ?? 0;
}

function number(map: GridMap): Int32Array {
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
  const found = [start];
  areas[start] = mark;
  for (let i = 0; i < found.length; i++) {
    const tile = found[i] ?? 0;
    const [x, y] = [tile % map.width, Math.floor(tile / map.width)];
    for (const [dx, dy] of STEPS) {
      const other = tile + dy * map.width + dx;
      const isNew = isInside(map, x + dx, y + dy) && areas[other] === -1 && isWalkable(map, x + dx, y + dy);
      if (!isNew) continue;
      areas[other] = mark;
      found.push(other);
    }
  }
}

/** The steps that join tiles. */
export const STEPS = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
] as const;
