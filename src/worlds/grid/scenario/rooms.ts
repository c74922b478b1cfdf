/**
 * Rooms: rectangles as written, or the space around a tile up to walls and doors. Each walkable tile belongs
 * to one room at most; a table, which doors, checks and conditions read, says to which.
 */
import { at as entry } from '../../../base/assert.js';
import type { Rect, Room } from '../definition.js';
import { nameFromId } from '../../../scenario/names.js';
import { entriesById } from '../../../scenario/records.js';
import type { MistakePlace } from '../../../scenario/report.js';
import type { GridMap } from './map.js';
import { isInside, isWalkable, terrainAt } from './map.js';
import type { GridReading } from './places.js';
import type { RoomInput } from './schema-grid.js';

export interface RoomMap {
  readonly list: readonly Room[];
  /**
   * Whether a tile may belong to a room with a wrong area, which is reported: then the rooms of an adjacent
   * door are unknown.
   */
  isDoubtful(x: number, y: number): boolean;
  /** Id of the room that a tile belongs to; undefined for none, and outside the map. */
  at(x: number, y: number): string | undefined;
}

interface RoomPainting {
  readonly reading: GridReading;
  readonly ids: readonly string[];
  /** Index of the room + 1, row-major; 0 for none. */
  readonly owner: Uint16Array;
  readonly doors: ReadonlySet<number>;
  /** Tiles that may still be painted, so that a thousand rooms over the whole map end in a message. */
  budget: number;
  /** Whether a place of a room was wrong. */
  isLacking: boolean;
  /** Marks of rooms that hold tiles which another room wants. */
  readonly contested: Set<number>;
}

/** `doors` holds the tiles with doors, row-major: they bound a room. */
export function readRooms(reading: GridReading, doors: ReadonlySet<number>): RoomMap {
  const { map, values } = reading;
  const entries = entriesById(values.rooms);
  const ids = entries.map(([id]) => id);
  const tiles = map.width * map.height;
  const painting: RoomPainting = {
    reading,
    ids,
    owner: new Uint16Array(tiles),
    doors,
    budget: 4 * tiles,
    isLacking: false,
    contested: new Set(),
  };
  const areas = new Map<string, readonly Rect[]>();
  entries.forEach(([id, input], i) => areas.set(id, paintAreas(painting, { id, input, mark: i + 1 })));
  entries.forEach(([id, { from }], i) => {
    if (from !== undefined) areas.set(id, [...(areas.get(id) ?? []), ...fill(painting, i + 1, from)]);
  });
  const list = entries.map(([id, input]) => roomOf(id, input, areas.get(id) ?? []));
  const markAt = (x: number, y: number): number =>
    isInside(map, x, y) ? (painting.owner[y * map.width + x] ?? 0) : 0;
  return {
    list,
    isDoubtful: (x, y) => {
      const mark = markAt(x, y);
      return painting.isLacking && (mark === 0 || painting.contested.has(mark));
    },
    at: (x, y) => ids[markAt(x, y) - 1],
  };
}

function roomOf(id: string, input: RoomInput, areas: readonly Rect[]): Room {
  return { id, name: input.name ?? nameFromId(id), areas, description: input.description };
}

function paintAreas(
  painting: RoomPainting,
  { id, input, mark }: { readonly id: string; readonly input: RoomInput; readonly mark: number },
): readonly Rect[] {
  const path = ['rooms', id];
  const given = [
    ...(input.area === undefined ? [] : [{ area: input.area, at: [...path, 'area'] }]),
    ...(input.areas ?? []).map((area, i) => ({ area, at: [...path, 'areas', i] })),
  ];
  if (given.length === 0 && input.from === undefined)
    refuse(
      painting,
      { key: path },
      `the room ${id} has no area`,
      "write 'area: [left, top, width, height]' or 'from: [x, y]'",
    );
  return given.flatMap(({ area: [x, y, width, height], at }) => {
    const rect = { x, y, width, height };
    return paintRect(painting, rect, { mark, at }) ? [rect] : [];
  });
}

/** Reports a wrong position of a room. */
function refuse(painting: RoomPainting, at: MistakePlace, message: string, suggestion?: string): void {
  painting.isLacking = true;
  painting.reading.report.error(at, message, suggestion);
}

function paintRect(
  painting: RoomPainting,
  rect: Rect,
  { mark, at }: { mark: number; at: readonly (string | number)[] },
): boolean {
  const { map } = painting.reading;
  const fits = rect.x + rect.width <= map.width && rect.y + rect.height <= map.height;
  painting.budget -= rect.width * rect.height;
  if (!fits)
    refuse(
      painting,
      at,
      `this area reaches beyond the map, which is ${map.width} × ${map.height} tiles`,
      'an area is [left, top, width, height]',
    );
  else if (painting.budget < 0) refuse(painting, at, 'the rooms cover the map several times over');
  else {
    const clash = paintTiles(painting, rect, mark);
    if (clash === undefined) return true;
    refuse(
      painting,
      at,
      `the tile (${clash.x}, ${clash.y}) already belongs to ${clash.room}`,
      'rooms may share walls, not floor',
    );
  }
  return false;
}

function paintTiles(
  painting: RoomPainting,
  rect: Rect,
  mark: number,
): { x: number; y: number; room: string } | undefined {
  const { map } = painting.reading;
  for (let y = rect.y; y < rect.y + rect.height; y++) {
    for (let x = rect.x; x < rect.x + rect.width; x++) {
      const tile = y * map.width + x;
      const owner = painting.owner[tile] ?? 0;
      const isShared = owner !== 0 && owner !== mark && isWalkable(map, x, y) && !painting.doors.has(tile);
      if (isShared) {
        painting.contested.add(owner);
        return { x, y, room: entry(painting.ids, owner - 1) };
      }
      if (owner === 0) painting.owner[tile] = mark;
    }
  }
  return undefined;
}

function noTileOfRoom(map: GridMap, x: number, y: number): string {
  if (isWalkable(map, x, y)) return `there is a door at (${x}, ${y}), which belongs to no room`;
  return `(${x}, ${y}) is ${terrainAt(map, x, y)?.name ?? 'nothing'}, not a tile of a room`;
}

/** The space around a tile, as rectangles. */
function fill(painting: RoomPainting, mark: number, [x, y]: readonly [number, number]): readonly Rect[] {
  const { map } = painting.reading;
  const id = entry(painting.ids, mark - 1);
  const path = ['rooms', id, 'from'];
  if (!isInside(map, x, y))
    refuse(painting, path, `(${x}, ${y}) is outside the map, which is ${map.width} × ${map.height} tiles`);
  else if (!isOpen(painting, y * map.width + x))
    refuse(painting, path, noTileOfRoom(map, x, y), 'give a tile within the room');
  else {
    const owner = painting.owner[y * map.width + x] ?? 0;
    if (owner === 0) return rectanglesOf(map, flood(painting, mark, y * map.width + x));
    if (owner !== mark) {
      painting.contested.add(owner);
      refuse(
        painting,
        path,
        `${id} and ${entry(painting.ids, owner - 1)} are one space: no wall or door between them`,
        'give each an area',
      );
    }
  }
  return [];
}

function isOpen(painting: RoomPainting, tile: number): boolean {
  const { map } = painting.reading;
  const terrain = terrainAt(map, tile % map.width, Math.floor(tile / map.width));
  return terrain !== undefined && !terrain.opaque && !painting.doors.has(tile);
}

function flood(painting: RoomPainting, mark: number, start: number): readonly number[] {
  const { width, height } = painting.reading.map;
  const found = [start];
  painting.owner[start] = mark;
  for (let i = 0; i < found.length; i++) {
    const tile = found[i] ?? 0;
    const x = tile % width;
    const next = [x > 0 ? tile - 1 : -1, x < width - 1 ? tile + 1 : -1, tile - width, tile + width];
    for (const other of next) {
      const isFree =
        other >= 0 && other < width * height && painting.owner[other] === 0 && isOpen(painting, other);
      if (!isFree) continue;
      painting.owner[other] = mark;
      found.push(other);
    }
  }
  return found;
}

/** Runs of tiles in a row, joined with equal runs below. */
function rectanglesOf(map: GridMap, tiles: readonly number[]): readonly Rect[] {
  const sorted = Int32Array.from(tiles).toSorted();
  const done: Rect[] = [];
  let open = new Map<string, Rect>();
  let below = new Map<string, Rect>();
  let row = -1;
  for (let i = 0; i < sorted.length;) {
    const start = sorted[i] ?? 0;
    const y = Math.floor(start / map.width);
    let length = 1;
    while (sorted[i + length] === start + length && Math.floor((start + length) / map.width) === y) length++;
    if (y !== row) {
      done.push(...open.values());
      [open, below, row] = [below, new Map(), y];
    }
    const run = `${start % map.width} ${length}`;
    const above = open.get(run);
    open.delete(run);
    below.set(
      run,
      above === undefined
        ? { x: start % map.width, y, width: length, height: 1 }
        : { ...above, height: above.height + 1 },
    );
    i += length;
  }
  return [...done, ...open.values(), ...below.values()].toSorted((a, b) => a.y - b.y || a.x - b.x);
}
