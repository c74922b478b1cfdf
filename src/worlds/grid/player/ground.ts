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

/** A way: its length in turns, and its first step; null for that if the agent is there. */
export interface Way {
  turns: number;
  step: Direction | null;
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
  const rooms = new Map(Object.entries(memory.stood).map(([room, tile]) => [keyOf(tile), room]));
  const queue = Object.values(memory.stood).map(({ x, y }): Point => ({ x, y }));
  for (const tile of queue) {
    for (const way of CARDINALS) {
      const next = moved(tile, way);
      if (rooms.has(keyOf(next)) || '?#+'.includes(mark(next)) || doorAt(next) !== null) continue;
      rooms.set(keyOf(next), rooms.get(keyOf(tile)) ?? '');
      queue.push(next);
    }
  }
  const isPassable = (tile: Point): boolean =>
    '.,'.includes(mark(tile)) || (mark(tile) === '+' && doorAt(tile)?.state !== 'locked');
  return {
    mark,
    doorAt,
    roomOf: (tile) => rooms.get(keyOf(tile)) ?? memory.doorways[keyOf(tile)] ?? null,
    wayTo: (isGoal, worth) => {
      let best: Way | null = null;
      let bestCost = Infinity;
      const start = { x: facts.self.x, y: facts.self.y };
      const ways = new Map<string, Way>([[keyOf(start), { turns: 0, step: null }]]);
      const open: Point[] = [start];
      for (const tile of open) {
        const here = ways.get(keyOf(tile)) ?? { turns: 0, step: null };
        if (isGoal(tile, mark(tile))) {
          if (worth === undefined) return here;
          const cost = here.turns - worth(tile);
          if (cost < bestCost) [best, bestCost] = [here, cost];
        }
        if (mark(tile) === '?') continue;
        for (const step of CARDINALS) {
          const next = moved(tile, step);
          if (next.x < 0 || next.y < 0 || ways.has(keyOf(next)) || isBlocked(next, tile)) continue;
          if (!isPassable(next) && (mark(next) !== '?' || !isGoal(next, '?'))) continue;
          ways.set(keyOf(next), { turns: here.turns + 1, step: here.step ?? step });
          open.push(next);
        }
      }
      return best;
    },
  };
}
