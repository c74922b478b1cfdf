/** Which tiles belong together on foot, doors counted as open: two tiles with one number can be walked between. */
import type { Point } from '../../environment/space.js';
import type { GridMap } from './map.js';
import { isInside, isWalkable } from './map.js';
import type { GridReading } from './places.js';

const remembered = new WeakMap<GridMap, Int32Array>();

/** The number of the area that a tile lies in; 0 for tiles that can't be walked on and points outside. */
export function areaOf({ map, values }: GridReading, { x, y }: Point): number {
  if (!isInside(map, x, y)) return 0;
  const eight = values.rules.diagonals && values.rules.movement === 'tile';
  const areas = remembered.get(map) ?? number(map, eight);
  remembered.set(map, areas);
  return areas[y * map.width + x] ?? 0;
}

function number(map: GridMap, eight: boolean): Int32Array {
  const areas = new Int32Array(map.width * map.height).fill(-1);
  let count = 0;
  for (let start = 0; start < areas.length; start++) {
    if (areas[start] !== -1) continue;
    if (isWalkable(map, start % map.width, Math.floor(start / map.width)))
      flood(map, { areas, start, mark: ++count, eight });
    else areas[start] = 0;
  }
  return areas;
}

function flood(
  map: GridMap,
  { areas, start, mark, eight }: { areas: Int32Array; start: number; mark: number; eight: boolean },
): void {
  const found = [start];
  areas[start] = mark;
  for (let i = 0; i < found.length; i++) {
    const tile = found[i] ?? 0;
    const [x, y] = [tile % map.width, Math.floor(tile / map.width)];
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const isStep = dx === 0 || dy === 0 || eight;
        const other = tile + dy * map.width + dx;
        const isNew =
          isStep && isInside(map, x + dx, y + dy) && areas[other] === -1 && isWalkable(map, x + dx, y + dy);
        if (!isNew) continue;
        areas[other] = mark;
        found.push(other);
      }
    }
  }
}
