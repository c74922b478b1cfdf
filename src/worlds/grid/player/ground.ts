/**
 * The map that a reference player remembers: the tiles that it has seen, which of them lately, and in which room
 * it stood where. It plans its ways on it.
 */
import type { Point } from '../../../environment/space.js';
import { CARDINALS, moved } from '../../../environment/space.js';
import type { Direction } from '../../../environment/space.js';
import type { LidState, SpatialFacts } from '../../../environment/spatial-facts.js';

export interface GroundMemory {
  /**
   * By row: the marks of `WindowFact.rows`, and `,` for a floor that was not seen since something changed.
   * Tiles beyond the map have negative coordinates or walls.
   */
  rows: readonly string[];
  /** A tile of each room on which the agent has stood, but no doorway. */
  stood: Readonly<Record<string, Point>>;
  /** By tile, the room of each doorway in which it has stood. */
  doorways: Readonly<Record<string, string>>;
}

export const NO_GROUND: GroundMemory = { rows: [], stood: {}, doorways: {} };

/** With what is in the window now. */
export function withWindow(memory: GroundMemory, { window, self, doors }: SpatialFacts): GroundMemory {
  const rows = [...memory.rows];
  window.rows.forEach((row, down) => {
    const y = window.y + down;
    if (y < 0) return;
    const old = (rows[y] ?? '').padEnd(window.x + row.length, '?');
    const seen = row.split('').map((mark, right) => {
      const before = old[window.x + right] ?? '?';
      const isStale = before === ',' && mark === '.' && window.sight[down]?.[right] !== '1';
      return mark === '?' || isStale ? before : mark;
    });
    rows[y] =
      old.slice(0, Math.max(0, window.x)) +
      seen.slice(Math.max(0, -window.x)).join('') +
      old.slice(window.x + row.length);
  });
  const { room, x, y } = self;
  const isInDoorway = doors.some((door) => door.x === x && door.y === y);
  const isNew = room !== null && !isInDoorway && !(room in memory.stood);
  return {
    rows: rows.map((row) => row ?? ''),
    stood: isNew ? { ...memory.stood, [room]: { x, y } } : memory.stood,
    doorways:
      isInDoorway && room !== null ? { ...memory.doorways, [keyOf({ x, y })]: room } : memory.doorways,
  };
}

function keyOf({ x, y }: Point): string {
  return `${x},${y}`;
}

/** The same, in which no floor counts as seen lately. */
export function withoutFreshness(memory: GroundMemory): GroundMemory {
  return { ...memory, rows: memory.rows.map((row) => row.replaceAll('.', ',')) };
}

/** Distances as reach counts them. */
export function isWithin(a: Point, b: Point, tiles: number): boolean {
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= tiles;
}

/** A way from where it starts: its end, its length in turns, and its first step; null for that at the start. */
export interface Way {
  start: Point;
  tile: Point;
  turns: number;
  step: Direction | null;
}

/** Shortest ways to all tiles that can be entered, the nearest first. */
export function* tilesFrom(
  starts: readonly Point[],
  canEnter: (tile: Point, from: Point) => boolean,
): Generator<Way> {
  const ways = starts.map(({ x, y }): Way => ({ start: { x, y }, tile: { x, y }, turns: 0, step: null }));
  const found = new Set(starts.map(keyOf));
  for (const way of ways) {
    yield way;
    for (const step of CARDINALS) {
      const tile = moved(way.tile, step);
      if (found.has(keyOf(tile)) || !canEnter(tile, way.tile)) continue;
      found.add(keyOf(tile));
      ways.push({ ...way, tile, turns: way.turns + 1, step: way.step ?? step });
    }
  }
}

export interface Ground {
  mark(tile: Point): string;
  /**
   * The shortest known way to a tile for which this holds, unknown tiles only as its end; a way may be longer by what
   * its end is worth.
   */
  wayTo(isGoal: (tile: Point, mark: string) => boolean, worth?: (tile: Point) => number): Way | null;
  /** The room of a tile, as far as the tiles between it and where the agent stood in a room tell; null for none. */
  roomOf(tile: Point): string | null;
  /** The door on a tile, if it is known. */
  doorAt(tile: Point): { id: string; state: LidState } | null;
}

export function groundOf(
  memory: GroundMemory,
  facts: SpatialFacts,
  isBlocked: (tile: Point, from: Point) => boolean,
): Ground {
  const mark = ({ x, y }: Point): string => memory.rows[y]?.[x] ?? '?';
  const doors = new Map<string, { id: string; state: LidState }>();
  for (const { x, y, id, kind, lid } of facts.remembered)
    if (kind === 'door') doors.set(keyOf({ x, y }), { id, state: lid ?? 'open' });
  for (const { x, y, id, state } of facts.doors) doors.set(keyOf({ x, y }), { id, state });
  const doorAt = (tile: Point) => doors.get(keyOf(tile)) ?? null;
  const names = new Map(Object.entries(memory.stood).map(([room, tile]) => [keyOf(tile), room]));
  const rooms = new Map<string, string>();
  const isFloor = (tile: Point): boolean => !'?#+'.includes(mark(tile)) && doorAt(tile) === null;
  for (const { start, tile } of tilesFrom(Object.values(memory.stood), isFloor))
    rooms.set(keyOf(tile), names.get(keyOf(start)) ?? '');
  const isPassable = (tile: Point): boolean =>
    '.,'.includes(mark(tile)) || (mark(tile) === '+' && doorAt(tile)?.state !== 'locked');
  return {
    mark,
    doorAt,
    roomOf: (tile) => rooms.get(keyOf(tile)) ?? memory.doorways[keyOf(tile)] ?? null,
    wayTo: (isGoal, worth) => {
      let best: Way | null = null;
      let bestCost = Infinity;
      const canEnter = (tile: Point, from: Point): boolean =>
        mark(from) !== '?' &&
        tile.x >= 0 &&
        tile.y >= 0 &&
        !isBlocked(tile, from) &&
        (isPassable(tile) || (mark(tile) === '?' && isGoal(tile, '?')));
      for (const way of tilesFrom([facts.self], canEnter)) {
        if (!isGoal(way.tile, mark(way.tile))) continue;
        if (worth === undefined) return way;
        const cost = way.turns - worth(way.tile);
        if (cost < bestCost) [best, bestCost] = [way, cost];
      }
      return best;
    },
  };
}
