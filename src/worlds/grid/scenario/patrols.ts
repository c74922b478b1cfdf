/**
 * Patrols that the map allows but its contents don't: a point, or the only path to it, is blocked by an
 * immovable thing, or by a closed door. Creatures open no doors, so such a patrol waits; agents and triggers
 * may still clear its path, hence warnings.
 */
import type { Point } from '../../../environment/space.js';
import type { Door, NpcDefinition, ThingDefinition } from '../definition.js';
import { isWalkable } from './map.js';
import type { GridReading } from './places.js';
import { areaOf, STEPS } from './reach.js';

export interface PatrolObstacles {
  readonly doors: readonly Door[];
  readonly things: readonly ThingDefinition[];
  readonly npcs: readonly NpcDefinition[];
}

export function tellPatrols(reading: GridReading, { doors, things, npcs }: PatrolObstacles): void {
  const patrols = npcs.filter(({ behaviour }) => behaviour.kind === 'patrol');
  if (patrols.length === 0) return;
  const fixed = new Map(things.filter(isFixed).map((thing) => [placeKey(thing.place), thing.name]));
  const shut = new Map(
    doors.filter(({ state }) => state !== 'open').map((door) => [tileKey(door), door.name]),
  );
  for (const npc of patrols) {
    const past = reached(reading, npc, (key) => !fixed.has(key) && !shut.has(key));
    const pastDoors = reached(reading, npc, (key) => !fixed.has(key));
    tellPatrol(reading, npc, { past, pastDoors, fixed });
  }
}

function isFixed({ blocking, portable, pushable, absent }: ThingDefinition): boolean {
  return blocking && !portable && !pushable && absent !== true;
}

function tileKey({ x, y }: Point): string {
  return `${x} ${y}`;
}

function placeKey(place: ThingDefinition['place']): string {
  return place.at === 'tile' ? tileKey(place) : '';
}

interface Ways {
  /** Tiles that it can walk to in the initial world. */
  readonly past: ReadonlySet<string>;
  /** And were every door open. */
  readonly pastDoors: ReadonlySet<string>;
  /** Names of immovable things, by tile. */
  readonly fixed: ReadonlyMap<string, string>;
}

/** The first point that it never reaches; later ones are not reported again. */
function tellPatrol(reading: GridReading, npc: NpcDefinition, { past, pastDoors, fixed }: Ways): void {
  const { behaviour, id } = npc;
  if (behaviour.kind !== 'patrol') return;
  // A point that the map itself keeps away is an error already.
  const index = behaviour.route.findIndex(
    (point) => !past.has(tileKey(point)) && areaOf(reading, point) === areaOf(reading, npc),
  );
  const point = behaviour.route[index];
  if (point === undefined) return;
  const at = ['npcs', id, 'route', index];
  const there = fixed.get(tileKey(point));
  const where = `(${point.x}, ${point.y})`;
  if (there !== undefined)
    reading.report.warning(at, `${id} can't walk to ${where}: ${there} is there`, 'choose a tile next to it');
  else if (pastDoors.has(tileKey(point)))
    reading.report.warning(
      at,
      `${id} opens no doors, and the path to ${where} leads through a closed one: it waits until somebody opens it`,
      "set the door's state to open, or keep the route on one side of it",
    );
  else
    reading.report.warning(at, `immovable things block every path of ${id} to ${where}`, 'leave a path free');
}

function reached(reading: GridReading, from: Point, isFree: (key: string) => boolean): ReadonlySet<string> {
  const { map } = reading;
  const found = new Set([tileKey(from)]);
  const open: Point[] = [from];
  for (const tile of open) {
    for (const [dx, dy] of STEPS) {
      const next = { x: tile.x + dx, y: tile.y + dy };
      const key = tileKey(next);
      if (found.has(key) || !isWalkable(map, next.x, next.y) || !isFree(key)) continue;
      found.add(key);
      open.push(next);
    }
  }
  return found;
}
