/**
 * Letters in the outer wall. A letter of an agent, creature or thing brings floor with it, so one that is drawn over the wall at the map's
 * edge makes a hole there without anyone having said so. That is told, unless the legend names the terrain.
 */
import type { MistakeReport } from '../../../scenario/report.js';
import type { GridMap } from './map.js';
import { isWalkable } from './map.js';
import type { GridInput } from './schema-grid.js';

/** Warns of every letter that opens the outer wall. */
export function tellGaps(map: GridMap, { legend }: GridInput, report: MistakeReport): void {
  for (const [key, spots] of map.spots) {
    const [kind = '', id = ''] = key.split(' ');
    const letter = letterOf(legend, kind, id);
    if (kind === 'door' || letter === null) continue;
    for (const { x, y, at } of spots) {
      if (!opensWall(map, x, y)) continue;
      report.warning(
        at,
        `the letter of ${kind} ${id} makes a hole in the outer wall at (${x}, ${y})`,
        `draw it inside; or say what it stands on: '${letter}': { ${kind}: ${id}, terrain: floor }`,
      );
    }
  }
}

/** The letter that stands for something; null where its entry names the terrain, so that it is meant. */
function letterOf(legend: GridInput['legend'], kind: string, id: string): string | null {
  const found = Object.entries(legend).find(
    ([, entry]) =>
      typeof entry === 'object' && Object.entries(entry).some(([key, value]) => key === kind && value === id),
  );
  if (found === undefined || typeof found[1] === 'string') return null;
  return found[1].terrain === undefined ? found[0] : null;
}

/** On the map's edge, walkable, with walls on both sides along it. */
function opensWall(map: GridMap, x: number, y: number): boolean {
  if (!isWalkable(map, x, y)) return false;
  const isOnRow = y === 0 || y === map.height - 1;
  const isOnColumn = x === 0 || x === map.width - 1;
  const isShut = (dx: number, dy: number) => !isWalkable(map, x + dx, y + dy);
  return (isOnRow && isShut(-1, 0) && isShut(1, 0)) || (isOnColumn && isShut(0, -1) && isShut(0, 1));
}
