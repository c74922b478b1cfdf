/**
 * Reads rooms: rectangles as written, or the space around a tile up to walls and doors. Each walkable tile
 * belongs to at most one room; the resulting table of tiles is used to connect doors.
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
  list: readonly Room[];
  /**
   * Whether a tile may belong to a room whose area is wrong, which is already reported. A door beside such a
   * tile may then join other rooms than it seems, so it is not reported.
   */
  isUncertain(x: number, y: number): boolean;
  /** Id of the room that a tile belongs to; undefined for none, and outside the map. */
  at(x: number, y: number): string | undefined;
}

interface RoomPainting {
  reading: GridReading;
  ids: readonly string[];
  /** For each tile, row-major, the mark of its room (its index + 1); 0 for none. */
  roomMarks: Uint16Array;
  doors: ReadonlySet<number>;
  /** Number of tiles that may still be painted: it limits the work if many rooms cover the whole map. */
  budget: number;
  /** Whether an area of a room was wrong. */
  hasWrongArea: boolean;
  /** Marks of rooms that own tiles which another room also claims. */
  contested: Set<number>;
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
    roomMarks: new Uint16Array(tiles),
    doors,
    budget: 4 * tiles,
    hasWrongArea: false,
    contested: new Set(),
  };
  const areas = new Map<string, readonly Rect[]>();
  entries.forEach(([id, input], i) => areas.set(id, paintAreas(painting, { id, input, mark: i + 1 })));
  entries.forEach(([id, { from }], i) => {
    if (from !== undefined) areas.set(id, [...(areas.get(id) ?? []), ...fillFrom(painting, i + 1, from)]);
  });
  const list = entries.map(([id, input]) => ({
    id,
    name: input.name ?? nameFromId(id),
    areas: areas.get(id) ?? [],
    description: input.description,
  }));
  const markAt = (x: number, y: number): number =>
    isInside(map, x, y) ? (painting.roomMarks[y * map.width + x] ?? 0) : 0;
  return {
    list,
    isUncertain: (x, y) => {
      const mark = markAt(x, y);
      return painting.hasWrongArea && (mark === 0 || painting.contested.has(mark));
    },
    at: (x, y) => ids[markAt(x, y) - 1],
  };
}

function paintAreas(
  painting: RoomPainting,
  { id, input, mark }: { id: string; input: RoomInput; mark: number },
): readonly Rect[] {
  const path = ['rooms', id];
  const writtenAreas = [
    ...(input.area === undefined ? [] : [{ area: input.area, at: [...path, 'area'] }]),
    ...(input.areas ?? []).map((area, i) => ({ area, at: [...path, 'areas', i] })),
  ];
  if (writtenAreas.length === 0 && input.from === undefined)
    reportWrongArea(
      painting,
      { key: path },
      `the room ${id} has no area`,
      "write 'area: [left, top, width, height]' or 'from: [x, y]'",
    );
  return writtenAreas.flatMap(({ area: [x, y, width, height], at }) => {
    const rect = { x, y, width, height };
    return paintRect(painting, rect, { mark, at }) ? [rect] : [];
  });
}

/** Reports a wrong position of a room. */
function reportWrongArea(
  painting: RoomPainting,
  at: MistakePlace,
  message: string,
  suggestion?: string,
): void {
  painting.hasWrongArea = true;
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
    reportWrongArea(
      painting,
      at,
      `this area reaches beyond the map, which is ${map.width} × ${map.height} tiles`,
      'an area is [left, top, width, height]',
    );
  else if (painting.budget < 0) reportWrongArea(painting, at, 'the rooms cover the map several times over');
  else {
    const conflict = paintTiles(painting, rect, mark);
    if (conflict === undefined) return true;
    reportWrongArea(
      painting,
      at,
      `the tile (${conflict.x}, ${conflict.y}) already belongs to ${conflict.room}`,
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
      const owner = painting.roomMarks[tile] ?? 0;
      const isShared = owner !== 0 && owner !== mark && isWalkable(map, x, y) && !painting.doors.has(tile);
      if (isShared) {
        painting.contested.add(owner);
        return { x, y, room: entry(painting.ids, owner - 1) };
      }
      if (owner === 0) painting.roomMarks[tile] = mark;
    }
  }
  return undefined;
}

function describeNonRoomTile(map: GridMap, x: number, y: number): string {
  if (isWalkable(map, x, y)) return `there is a door at (${x}, ${y}), which belongs to no room`;
  return `(${x}, ${y}) is ${terrainAt(map, x, y)?.name ?? 'nothing'}, not a tile of a room`;
}

/** The space around a tile, as rectangles. */
function fillFrom(painting: RoomPainting, mark: number, [x, y]: readonly [number, number]): readonly Rect[] {
  const { map } = painting.reading;
  const id = entry(painting.ids, mark - 1);
  const path = ['rooms', id, 'from'];
  if (!isInside(map, x, y))
    reportWrongArea(
      painting,
      path,
      `(${x}, ${y}) is outside the map, which is ${map.width} × ${map.height} tiles`,
    );
  else if (!isOpen(painting, y * map.width + x))
    reportWrongArea(painting, path, describeNonRoomTile(map, x, y), 'give a tile within the room');
  else {
    const owner = painting.roomMarks[y * map.width + x] ?? 0;
    if (owner === 0) return toRectangles(map, flood(painting, mark, y * map.width + x));
    if (owner !== mark) {
      painting.contested.add(owner);
      reportWrongArea(
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
  const filled = [start];
  painting.roomMarks[start] = mark;
  for (let i = 0; i < filled.length; i++) {
    const tile = filled[i] ?? 0;
    const x = tile % width;
    const next = [x > 0 ? tile - 1 : -1, x < width - 1 ? tile + 1 : -1, tile - width, tile + width];
    for (const neighbour of next) {
      const isFree =
        neighbour >= 0 &&
        neighbour < width * height &&
        painting.roomMarks[neighbour] === 0 &&
        isOpen(painting, neighbour);
      if (!isFree) continue;
      painting.roomMarks[neighbour] = mark;
      filled.push(neighbour);
    }
  }
  return filled;
}

/** Covers tiles with rectangles: runs of tiles in a row, joined with equal runs in the next row. */
function toRectangles(map: GridMap, tiles: readonly number[]): readonly Rect[] {
  const sorted = Int32Array.from(tiles).toSorted();
  const finished: Rect[] = [];
  let fromRowAbove = new Map<string, Rect>();
  let inThisRow = new Map<string, Rect>();
  let row = -1;
  for (let i = 0; i < sorted.length;) {
    const start = sorted[i] ?? 0;
    const y = Math.floor(start / map.width);
    let length = 1;
    while (sorted[i + length] === start + length && Math.floor((start + length) / map.width) === y) length++;
    if (y !== row) {
      finished.push(...fromRowAbove.values());
      [fromRowAbove, inThisRow, row] = [inThisRow, new Map(), y];
    }
    const run = `${start % map.width} ${length}`;
    const above = fromRowAbove.get(run);
    fromRowAbove.delete(run);
    inThisRow.set(
      run,
      above === undefined
        ? { x: start % map.width, y, width: length, height: 1 }
        : { ...above, height: above.height + 1 },
    );
    i += length;
  }
  return [...finished, ...fromRowAbove.values(), ...inThisRow.values()].toSorted(
    (a, b) => a.y - b.y || a.x - b.x,
  );
}
