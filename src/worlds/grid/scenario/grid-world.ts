/**
 * The grid's part of the scenario format: its keys, and how they become a GridDefinition. Reading begins with
 * the map (drawn, or generated from the seed), goes on with doors, rooms, things, bodies, conditions and
 * triggers, and ends with warnings about probable mistakes. Each part reports all of its mistakes; null if
 * there is no map or too much of something. Pure.
 */
import { LIMITS } from '../../../base/limits.js';
import type { Json } from '../../../base/json.js';
import type { GridCondition, GridDefinition, Door, ThingDefinition } from '../definition.js';
import { SECTION_IDS } from '../sections.js';
import type { MistakeReport } from '../../../scenario/report.js';
import type { WorldInput, WorldReader } from '../../../scenario/world.js';
import { readBodies } from './bodies.js';
import { readCondition } from './conditions.js';
import { doorTiles, placeDoors, readDoors } from './doors.js';
import { withMap } from './generate.js';
import type { GridMap } from './map.js';
import { readMap, isWalkable } from './map.js';
import { tellPatrols } from './patrols.js';
import type { GridReading } from './places.js';
import { groundOf } from '../../../scenario/sprites.js';
import { checkLegend, collectIds } from './places.js';
import { readRooms } from './rooms.js';
import type { GridInput } from './schema-grid.js';
import { GRID_AGENT_KEYS, GRID_KEYS, gridAgentSchema, gridSchema } from './schema-grid.js';
import { tellSlips } from './lint.js';
import { readThings } from './things.js';
import { readTriggers } from './triggers.js';
import { GRID_TABLES } from './tables.js';
import { lookUp } from '../../../base/look-up.js';

/** Reads the grid's keys of a scenario; its definition opens with the environment of the same kind. */
export const gridWorld: WorldReader = {
  kind: 'grid',
  tables: GRID_TABLES,
  keys: GRID_KEYS,
  agentKeys: GRID_AGENT_KEYS,
  sections: SECTION_IDS,
  read: readGrid,
};

function readGrid(input: WorldInput, report: MistakeReport): Json {
  const written = {
    values: gridSchema.parse(input.values),
    agents: input.agents.map((agent) => gridAgentSchema.parse(agent)),
  };
  const mapped = withMap(written, input, report);
  if (mapped === null || hasTooMany(mapped.values, report)) return null;
  const { values, agents } = mapped;
  const ids = collectIds(values, agents, report);
  const map = readMap(values, report);
  if (map === null) return null;
  tellGaps(map, values, report);
  const reading: GridReading = { values, agents, known: input.known, report, map, ids };
  const definition = definitionOf(reading, input);
  const json: Json = JSON.parse(JSON.stringify(definition));
  return json;
}

function hasTooMany(values: GridInput, report: MistakeReport): boolean {
  const sections = (['terrain', 'legend', 'rooms', 'doors', 'things', 'npcs', 'triggers'] as const).filter(
    (section) => Object.keys(values[section]).length > LIMITS[section],
  );
  for (const section of sections) {
    report.error(
      { key: [section] },
      `${Object.keys(values[section]).length} ${section}; the maximum is ${LIMITS[section]}`,
    );
  }
  return sections.length > 0;
}

function definitionOf(reading: GridReading, { render, drawsTies }: WorldInput): GridDefinition {
  const { map, values } = reading;
  checkLegend(reading);
  const spots = placeDoors(reading);
  const rooms = readRooms(reading, doorTiles(reading));
  const doors = readDoors(reading, spots, rooms);
  const things = readThings(reading);
  const bodies = readBodies(reading, things);
  tellLocks(reading, doors, things);
  tellPatrols(reading, { doors, things, npcs: bodies.npcs });
  tellSlips(reading, { doors, things });
  tellDiagonals(reading);
  const triggers = readTriggers(reading);
  return {
    size: { width: map.width, height: map.height },
    ...terrainOf(reading, map),
    rooms: rooms.list,
    doors,
    things,
    ...bodies,
    rules: { ...rulesOf(values), ...(drawsTies ? { ties: 'drawn' } : {}) },
    window: { columns: render.columns, rows: render.rows },
    success: conditionOf(reading, 'success'),
    successReason: values.success?.reason ?? '',
    failure: conditionOf(reading, 'failure'),
    failureReason: values.failure?.reason ?? '',
    ...(triggers.length > 0 ? { triggers } : {}),
  };
}

/** Terrains used in the map, with their keys. */
function terrainOf(
  reading: GridReading,
  map: GridMap,
): Pick<GridDefinition, 'terrain' | 'terrainKeys' | 'rows'> {
  const used = [...map.terrain].filter(([key]) => map.rows.some((row) => row.includes(key)));
  const terrain = used.map(([, kind]) => {
    const isOwn = Object.hasOwn(reading.values.terrain, kind.id);
    const at = isOwn ? ['terrain', kind.id, 'sprite'] : ['map'];
    return { ...kind, sprite: groundOf(reading, kind.sprite, at) };
  });
  return { terrain, terrainKeys: used.map(([key]) => key).join(''), rows: [...map.rows] };
}

function tellDiagonals({ values, report }: GridReading): void {
  const { movement, diagonals } = values.rules;
  if (diagonals && movement === 'room')
    report.warning(
      { key: ['rules', 'diagonals'] },
      "'diagonals' has no effect if movement is by room",
      "write 'movement: tile', or leave out 'diagonals'",
    );
}

function rulesOf({ rules }: GridInput): GridDefinition['rules'] {
  return {
    movement: rules.movement,
    diagonals: rules.diagonals,
    ...(rules.go_to ? {} : { goTo: false }),
    ...(rules.coordinates ? { coordinates: true } : {}),
    ...(rules.observe === 'ask' ? { observe: 'ask' } : {}),
    ...(rules.use_held ? { usesHeld: true } : {}),
    ...(rules.use_amounts ? { usesAmounts: true } : {}),
    sight: rules.sight,
    speakRadius: rules.speech.radius,
    speechFree: rules.speech.free,
    fog: rules.fog,
    bodiesBlock: rules.bodies_block,
  };
}

function conditionOf(reading: GridReading, key: 'success' | 'failure'): GridCondition | null {
  const input = reading.values[key];
  return input === undefined ? null : (readCondition(reading, input, [key]) ?? null);
}

// Letters in the outer wall. The letter of an agent, creature or thing implies floor below it, so a letter
// drawn over the wall at the map's edge makes a hole there, which the author may not expect. It is reported,
// unless the legend names the terrain.

/** Warns of every letter that opens the outer wall. */
function tellGaps(map: GridMap, { legend }: GridInput, report: MistakeReport): void {
  for (const [key, spots] of map.spots) {
    const [kind = '', id = ''] = key.split(' ');
    const letter = letterOf(legend, kind, id);
    if (kind === 'door' || letter === null) continue;
    for (const { x, y, at } of spots) {
      if (!opensWall(map, x, y)) continue;
      report.warning(
        at,
        `the letter of ${kind} ${id} makes a hole in the outer wall at (${x}, ${y})`,
        `move it inside, or set the ground below it: '${letter}': { ${kind}: ${id}, terrain: floor }`,
      );
    }
  }
}

/** The letter of something; null if its entry names the terrain, so that it is intended. */
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

// Locks and keys as a whole: something that can never be opened, or that opens nothing, is probably a
// mistake, so it is a warning.

function tellLocks(reading: GridReading, doors: readonly Door[], things: readonly ThingDefinition[]): void {
  // As written: a door that is wrong otherwise wants its key all the same.
  const { doors: writtenDoors, things: writtenThings } = reading.values;
  const wanted = new Set(
    [...Object.values(writtenDoors), ...Object.values(writtenThings)].map(({ key }) => key),
  );
  for (const id of Object.keys(reading.values.things)) {
    const isIdle = lookUp(reading.values.things, id)?.kind === 'key' && !wanted.has(id);
    if (isIdle)
      reading.report.warning(
        { key: ['things', id] },
        `the key ${id} opens nothing`,
        `write 'key: ${id}' at a door or a chest`,
      );
  }
  const worked = new Set(
    things.map(({ work }) => (work?.effect.kind === 'open-door' ? work.effect.door : '')),
  );
  const triggered = new Set(
    Object.values(reading.values.triggers).flatMap(({ then }) =>
      then.flatMap(({ open, unlock }) => [open, unlock]),
    ),
  );
  for (const { id, state, key } of doors)
    if (state === 'locked' && key === null && !worked.has(id) && !triggered.has(id))
      tellStuck(reading, ['doors', id]);
  for (const { id, container } of things)
    if (container?.state === 'locked' && container.key === null && !triggered.has(id))
      tellStuck(reading, ['things', id]);
}

function tellStuck(reading: GridReading, path: readonly [string, string]): void {
  reading.report.warning(
    { key: path },
    `${path[1]} is locked and nothing can open it`,
    "write 'key: THING' with the thing that unlocks it",
  );
}
