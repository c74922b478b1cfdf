/**
 * The map that a reference player remembers: the tiles that it has seen, which of them lately, and in which room
 * it stood where. It plans its ways on it.
 */
import type { Point } from '../../../environment/space.js';
import { CARDINALS, moved, samePoint } from '../../../environment/space.js';
import type { Direction } from '../../../environment/space.js';
import type { LidState, SpatialFacts } from '../../../environment/spatial-facts.js';
import type { GridDefinition } from '../definition.js';
import { isWithinReach } from '../world.js';

export interface GroundMemory {
  /**
   * By row: the marks of `WindowFact.rows`, and `,` for a floor that was not seen since something changed.
   * Tiles beyond the map have negative coordinates or walls.
   */
  rows: readonly string[];
  /** The rooms of the tiles on which it has stood. */
  rooms: Readonly<Record<string, string>>;
}

export const NO_GROUND: GroundMemory = { rows: [], rooms: {} };

/** With what is in the window now. */
export function withWindow(memory: GroundMemory, { window, self }: SpatialFacts): GroundMemory {
  const rows = memory.rows.map((row) => row.split(''));
  window.rows.forEach((marks, down) => {
    const y = window.y + down;
    if (y < 0) return;
    const row = (rows[y] ??= []);
    marks.split('').forEach((mark, right) => {
      const x = window.x + right;
      const isStale = row[x] === ',' && mark === '.' && window.sight[down]?.[right] !== '1';
      if (x >= 0 && mark !== '?' && !isStale) row[x] = mark;
    });
  });
  return {
    rows: Array.from(rows, (row) => Array.from(row ?? [], (mark) => mark ?? '?').join('')),
    rooms: self.room === null ? memory.rooms : { ...memory.rooms, [keyOf(self)]: self.room },
  };
}

export function keyOf({ x, y }: Point): string {
  return `${x},${y}`;
}

/** The same, in which no floor counts as seen lately. */
export function withoutFreshness(memory: GroundMemory): GroundMemory {
  return { ...memory, rows: memory.rows.map((row) => row.replaceAll('.', ',')) };
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
  /** The shortest known way to a tile for which this holds, unknown tiles only as its end. */
  wayTo(isGoal: (tile: Point, mark: string) => boolean): Way | null;
  /** The room of a tile, as far as the tiles between it and where the agent stood in a room tell; null for none. */
  roomOf(tile: Point): string | null;
  /** The door on a tile, if it is known. */
  doorAt(tile: Point): { id: string; state: LidState } | null;
}

export function groundOf(memory: GroundMemory, facts: SpatialFacts, { size, rules }: GridDefinition): Ground {
  const mark = ({ x, y }: Point): string => memory.rows[y]?.[x] ?? '?';
  const doors = new Map<string, { id: string; state: LidState }>();
  for (const { x, y, id, kind, lid } of facts.remembered)
    if (kind === 'door') doors.set(keyOf({ x, y }), { id, state: lid ?? 'open' });
  for (const { x, y, id, state } of facts.doors) doors.set(keyOf({ x, y }), { id, state });
  const doorAt = (tile: Point) => doors.get(keyOf(tile)) ?? null;
  const isFloor = (tile: Point): boolean => !'?#+'.includes(mark(tile)) && doorAt(tile) === null;
  const stood = Object.keys(memory.rooms).map((key): Point => {
    const [x = 0, y = 0] = key.split(',').map(Number);
    return { x, y };
  });
  const rooms = new Map(Object.entries(memory.rooms));
  // Both sides of a doorway are rooms of their own.
  for (const { start, tile } of tilesFrom(stood.filter(isFloor), isFloor))
    rooms.set(keyOf(tile), memory.rooms[keyOf(start)] ?? '');
  const isPassable = (tile: Point): boolean =>
    '.,'.includes(mark(tile)) || (mark(tile) === '+' && doorAt(tile)?.state !== 'locked');
  // Whoever is awake and far away will have moved on.
  const stands = facts.bodies.filter((body) => body.status !== 'awake' || isWithinReach(body, facts.self));
  const isFree = (tile: Point): boolean =>
    tile.x >= 0 &&
    tile.y >= 0 &&
    tile.x < size.width &&
    tile.y < size.height &&
    !(rules.bodiesBlock && stands.some((body) => samePoint(body, tile)));
  return {
    mark,
    doorAt,
    roomOf: (tile) => (samePoint(tile, facts.self) ? facts.self.room : (rooms.get(keyOf(tile)) ?? null)),
    wayTo: (isGoal) => {
      const canEnter = (tile: Point, from: Point): boolean =>
        mark(from) !== '?' && isFree(tile) && (isPassable(tile) || (mark(tile) === '?' && isGoal(tile, '?')));
      for (const way of tilesFrom([facts.self], canEnter)) if (isGoal(way.tile, mark(way.tile))) return way;
      return null;
    },
  };
}
