/**
 * Warns of patrols whose route is blocked although the map allows it: an immovable thing or a closed door is
 * on a waypoint, or on the only path to it. Creatures open no doors, so such a patrol waits. It is only a
 * warning, because agents and triggers may clear the path during the run.
 */
import type { Point } from '../../../environment/space.js';
import type { Door, NpcDefinition, ThingDefinition } from '../definition.js';
import { isWalkable } from './map.js';
import type { GridReading } from './places.js';
import { areaOf, STEPS } from './reach.js';

export interface PatrolObstacles {
  doors: readonly Door[];
  things: readonly ThingDefinition[];
  npcs: readonly NpcDefinition[];
}

export function reportBlockedPatrols(reading: GridReading, { doors, things, npcs }: PatrolObstacles): void {
  const patrols = npcs.filter(({ behaviour }) => behaviour.kind === 'patrol');
  if (patrols.length === 0) return;
  const immovable = things.filter(
    ({ blocking, portable, pushable, absent }) => blocking && !portable && !pushable && absent !== true,
  );
  const immovableNames = new Map(
    immovable.map(({ place, name }) => [place.at === 'tile' ? tileKey(place) : '', name]),
  );
  const closedDoorNames = new Map(
    doors.filter(({ state }) => state !== 'open').map((door) => [tileKey(door), door.name]),
  );
  for (const npc of patrols) {
    const reachable = reachableTiles(
      reading,
      npc,
      (key) => !immovableNames.has(key) && !closedDoorNames.has(key),
    );
    const reachableWithOpenDoors = reachableTiles(reading, npc, (key) => !immovableNames.has(key));
    reportBlockedPatrol(reading, npc, { reachable, reachableWithOpenDoors, immovableNames });
  }
}

function tileKey({ x, y }: Point): string {
  return `${x} ${y}`;
}

interface PatrolReach {
  /** Tiles that the creature can walk to in the initial world. */
  reachable: ReadonlySet<string>;
  /** Tiles that it could walk to if every door were open. */
  reachableWithOpenDoors: ReadonlySet<string>;
  /** Names of immovable things, by tile. */
  immovableNames: ReadonlyMap<string, string>;
}

/** Warns of the first waypoint that the creature can't reach; later ones are not reported. */
function reportBlockedPatrol(
  reading: GridReading,
  npc: NpcDefinition,
  { reachable, reachableWithOpenDoors, immovableNames }: PatrolReach,
): void {
  const { behaviour, id } = npc;
  if (behaviour.kind !== 'patrol') return;
  // A waypoint that the terrain makes unreachable is already reported as an error.
  const index = behaviour.route.findIndex(
    (point) => !reachable.has(tileKey(point)) && areaOf(reading, point) === areaOf(reading, npc),
  );
  const point = behaviour.route[index];
  if (point === undefined) return;
  const at = ['npcs', id, 'route', index];
  const obstacle = immovableNames.get(tileKey(point));
  const where = `(${point.x}, ${point.y})`;
  if (obstacle !== undefined)
    reading.report.warning(
      at,
      `${id} can't walk to ${where}: ${obstacle} is there`,
      'choose a tile next to it',
    );
  else if (reachableWithOpenDoors.has(tileKey(point)))
    reading.report.warning(
      at,
      `${id} opens no doors, and the path to ${where} leads through a closed one: it waits until somebody opens it`,
      "set the door's state to open, or keep the route on one side of it",
    );
  else
    reading.report.warning(at, `immovable things block every path of ${id} to ${where}`, 'leave a path free');
}

function reachableTiles(
  reading: GridReading,
  from: Point,
  isFree: (key: string) => boolean,
): ReadonlySet<string> {
  const { map } = reading;
  const reached = new Set([tileKey(from)]);
  const queue: Point[] = [from];
  for (const tile of queue) {
    for (const [dx, dy] of STEPS) {
      const next = { x: tile.x + dx, y: tile.y + dy };
      const key = tileKey(next);
      if (reached.has(key) || !isWalkable(map, next.x, next.y) || !isFree(key)) continue;
      reached.add(key);
      queue.push(next);
    }
  }
  return reached;
}
