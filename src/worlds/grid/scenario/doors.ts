/**
 * Doors: places them in the map and connects the rooms on both sides. The tiles around a door determine the
 * two rooms and the direction; `between` and `direction` of the scenario must agree with them.
 */
import { legendSuggestion } from './legend-suggestion.js';
import { lookUp } from '../../../base/look-up.js';
import { moved } from '../../../environment/space.js';
import type { Point } from '../../../environment/space.js';
import type { Door } from '../definition.js';
import { nameFromId } from '../../../scenario/names.js';
import { entriesById } from '../../../scenario/records.js';
import { isInside, isWalkable, setTerrain } from './map.js';
import type { MapSpot } from './map.js';
import type { GridReading } from './places.js';
import { spriteOf } from '../../../scenario/sprites.js';
import { checkReference, readSpot } from './places.js';
import type { RoomMap } from './rooms.js';
import type { DoorInput } from './schema-grid.js';

type CardinalDirection = Door['direction'];

const OPPOSITE: Readonly<Record<CardinalDirection, CardinalDirection>> = {
  north: 'south',
  east: 'west',
  south: 'north',
  west: 'east',
};

/** The rooms that a door joins, and the direction from the first to the second. */
interface DoorPassage {
  between: readonly [string, string];
  direction: CardinalDirection;
}

/**
 * The position of each door. The terrain under a door becomes walkable, so that an open one can be passed.
 */
export function placeDoors(reading: GridReading): ReadonlyMap<string, MapSpot> {
  const { map, values, report } = reading;
  const spots = new Map<string, MapSpot>();
  const doorByTile = new Map<string, string>();
  for (const [id, input] of entriesById(values.doors)) {
    const path = ['doors', id];
    const spot = readSpot(reading, { kind: 'door', id, at: input.at, path });
    if (spot === undefined) {
      if (input.at === undefined)
        report.error(
          { key: path },
          `the door ${id} has no position`,
          `write 'at: [x, y]', or ${legendSuggestion(map, 'door', id)}`,
        );
      continue;
    }
    const otherDoor = doorByTile.get(`${spot.x} ${spot.y}`);
    if (otherDoor !== undefined)
      report.error(spot.source, `the door ${otherDoor} is already at (${spot.x}, ${spot.y})`);
    doorByTile.set(`${spot.x} ${spot.y}`, id);
    if (!isWalkable(map, spot.x, spot.y)) setTerrain(map, spot, 'floor');
    spots.set(id, spot);
  }
  return spots;
}

/**
 * The index (row-major) of every tile with a door, including doors that are undefined or placed twice, so that
 * a wrong door does not merge the adjacent rooms into one.
 */
export function doorTiles(reading: GridReading): ReadonlySet<number> {
  const { map, values } = reading;
  const drawn = [...map.spots].flatMap(([key, spots]) => (key.startsWith('door ') ? spots : []));
  const written = Object.keys(values.doors).flatMap((id) => doorTilesOf(reading, id));
  return new Set([...drawn, ...written].map(({ x, y }) => y * map.width + x));
}

/** All tiles that the map and `at` give to a door. */
function doorTilesOf({ map, values }: GridReading, id: string): readonly Point[] {
  const drawn = map.spots.get(`door ${id}`) ?? [];
  const [x, y] = lookUp(values.doors, id)?.at ?? [-1, -1];
  return isInside(map, x, y) ? [...drawn, { x, y }] : drawn;
}

export function readDoors(
  reading: GridReading,
  spots: ReadonlyMap<string, MapSpot>,
  rooms: RoomMap,
): readonly Door[] {
  for (const [id, { key }] of entriesById(reading.values.doors)) {
    if (key !== undefined) checkReference(reading, key, ['thing'], ['doors', id, 'key']);
  }
  return [...spots].flatMap(([id, first]) => {
    const input = lookUp(reading.values.doors, id);
    if (input === undefined) return [];
    // Of several positions, which are reported, the one that joins rooms is used.
    const spot =
      doorTilesOf(reading, id).find((tile) => passagesAt(reading, tile, rooms).length > 0) ?? first;
    const passage = readPassage(reading, { id, input, spot, rooms });
    return passage === undefined ? [] : [buildDoor(reading, { id, input, spot, passage })];
  });
}

function buildDoor(
  reading: GridReading,
  { id, input, spot, passage }: { id: string; input: DoorInput; spot: Point; passage: DoorPassage },
): Door {
  const spriteOfState = (state: string): string =>
    spriteOf(reading, `door/${input.kind}-${state}`, { groups: [], at: { key: ['doors', id] } });
  return {
    id,
    name: input.name ?? nameFromId(id),
    x: spot.x,
    y: spot.y,
    ...passage,
    state: input.state ?? (input.key === undefined ? 'closed' : 'locked'),
    key: input.key ?? null,
    closesAfter: input.closes_after,
    sprites: {
      open: spriteOfState('open'),
      closed: spriteOfState('closed'),
      locked: spriteOfState('locked'),
    },
  };
}

/** Which rooms the door joins, and how one goes from the first to the second. */
function readPassage(
  reading: GridReading,
  { id, input, spot, rooms }: { id: string; input: DoorInput; spot: Point; rooms: RoomMap },
): DoorPassage | undefined {
  const path = ['doors', id];
  const roomsExist = (input.between ?? []).map((room, i) =>
    checkReference(reading, room, ['room'], [...path, 'between', i]),
  );
  const passages = passagesAt(reading, spot, rooms);
  const isDoubtful = sidesOf(reading, spot).some((sides) =>
    sides.some(({ x, y }) => rooms.isUncertain(x, y)),
  );
  if (roomsExist.includes(false)) {
    if (passages.length === 0 && !isDoubtful)
      reportPassage(reading, { id, passages, isAmbiguous: false, spot });
    return undefined;
  }
  const fitting = passages
    .map((passage) => matchWritten(passage, input))
    .filter((passage) => passage !== undefined);
  const [first, second] = fitting;
  if (first !== undefined && second === undefined) return first;
  if (!isDoubtful) reportPassage(reading, { id, passages, isAmbiguous: second !== undefined, spot });
  return undefined;
}

/** The passages from west to east and from north to south, wherever two different rooms are on both sides. */
function passagesAt(reading: GridReading, spot: Point, rooms: RoomMap): readonly DoorPassage[] {
  return sidesOf(reading, spot).flatMap(([before, after]): readonly DoorPassage[] => {
    const [first, second] = [rooms.at(before.x, before.y), rooms.at(after.x, after.y)];
    const direction = before.x === after.x ? 'south' : 'east';
    return first !== undefined && second !== undefined && first !== second
      ? [{ between: [first, second], direction }]
      : [];
  });
}

/** The two tiles on opposite sides, west and east, north and south, wherever both can be walked on. */
function sidesOf({ map }: GridReading, spot: Point): readonly (readonly [Point, Point])[] {
  return (['east', 'south'] as const)
    .map((direction) => [moved(spot, OPPOSITE[direction]), moved(spot, direction)] as const)
    .filter((sides) => sides.every(({ x, y }) => isWalkable(map, x, y)));
}

/** The passage in the order of `between` and `direction`; undefined if it contradicts them. */
function matchWritten(passage: DoorPassage, input: DoorInput): DoorPassage | undefined {
  const [a, b] = passage.between;
  const reversed: DoorPassage = { between: [b, a], direction: OPPOSITE[passage.direction] };
  return [passage, reversed].find((each) => {
    const rooms =
      input.between === undefined
        ? input.direction !== undefined || each === passage
        : each.between.every((room, i) => room === input.between?.[i]);
    return rooms && (input.direction === undefined || each.direction === input.direction);
  });
}

function reportPassage(
  reading: GridReading,
  {
    id,
    passages,
    isAmbiguous,
    spot,
  }: { id: string; passages: readonly DoorPassage[]; isAmbiguous: boolean; spot: Point },
): void {
  const at = { key: ['doors', id] };
  const where = `(${spot.x}, ${spot.y})`;
  const joined = passages
    .map(({ between: [a, b], direction }) => `${a} and ${b} (${direction})`)
    .join(', or ');
  if (isAmbiguous)
    reading.report.error(
      at,
      `the door ${id} at ${where} could join ${joined}`,
      "write 'between: [first, second]'",
    );
  else if (passages.length > 0)
    reading.report.error(
      at,
      `the door ${id} at ${where} joins ${joined}, not the rooms given here`,
      "leave out 'between' and 'direction': they follow from the map",
    );
  else
    reading.report.error(
      at,
      `the door ${id} at ${where} joins nothing`,
      'a door must have walkable tiles of two different rooms on opposite sides',
    );
}
