/**
 * The grid's part of the scenario format: its keys, and how they become a GridDefinition. The parts are read
 * in this order: map (drawn, or generated from the seed), doors, rooms, things, bodies, warnings about
 * probable mistakes, triggers, conditions. Each part reports all of its mistakes. The result is null if there
 * is no map or a section has too many entries. Pure.
 */
import { LIMITS } from '../../../base/limits.js';
import type { Json } from '../../../base/json.js';
import type { GridCondition, GridDefinition, Door, ThingDefinition } from '../definition.js';
import { SECTION_IDS } from '../sections.js';
import type { MistakeReport } from '../../../scenario/report.js';
import type { RenderSpec } from '../../../scenario/scenario.js';
import type { WorldInput, WorldReader } from '../../../scenario/world.js';
import { readBodies } from './bodies.js';
import { readCondition } from './conditions.js';
import { doorTiles, placeDoors, readDoors } from './doors.js';
import { withMap } from './generate.js';
import type { GridMap } from './map.js';
import { readMap, isWalkable } from './map.js';
import { reportBlockedPatrols } from './patrols.js';
import type { GridReading } from './places.js';
import { groundOf } from '../../../scenario/sprites.js';
import { checkLegend, checkReference, collectIds } from './places.js';
import { readRooms } from './rooms.js';
import type { GridInput } from './schema-grid.js';
import { GRID_AGENT_KEYS, GRID_KEYS, gridAgentSchema, gridSchema } from './schema-grid.js';
import { reportProbableMistakes } from './lint.js';
import { readThings } from './things.js';
import { reportUnknowablePhrases, textsOf } from './unknowable-phrases.js';
import { readTriggers } from './triggers.js';
import { GRID_TABLES } from './tables.js';
import { lookUp } from '../../../base/look-up.js';
import { PARSE_ONCE } from '../../../scenario/parse-once.js';

/** Reads the grid's keys of a scenario; its definition opens with the environment of the same kind. */
export const gridWorld: WorldReader = {
  kind: 'grid',
  tables: GRID_TABLES,
  keys: GRID_KEYS,
  agentKeys: GRID_AGENT_KEYS,
  sections: SECTION_IDS,
  read: readGrid,
  names: (definition) => {
    const { things, doors, npcs, agents } = definition as unknown as GridDefinition;
    return new Map([...things, ...doors, ...npcs, ...agents].map(({ id, name }) => [id, name]));
  },
};

function readGrid(input: WorldInput, report: MistakeReport): Json {
  const written = {
    values: gridSchema.parse(input.values, PARSE_ONCE),
    agents: input.agents.map((agent) => gridAgentSchema.parse(agent, PARSE_ONCE)),
  };
  const mapped = withMap(written, input, report);
  if (mapped === null || hasTooMany(mapped.values, report)) return null;
  const { values, agents } = mapped;
  const ids = collectIds(values, agents, report);
  const map = readMap(values, input.seed, report);
  if (map === null) return null;
  reportWallGaps(map, values, report);
  const reading: GridReading = { values, agents, known: input.known, report, map, ids };
  for (const { id, kinds, at } of input.references) checkReference(reading, id, kinds, at);
  const definition = definitionOf(reading, input);
  reportUnknowablePhrases(reading, [...input.told, ...textsOf(definition)]);
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
  reportLocks(reading, doors, things);
  reportBlockedPatrols(reading, { doors, things, npcs: bodies.npcs });
  reportProbableMistakes(reading, { rooms, doors, things, ...bodies, render });
  const { movement, diagonals } = reading.values.rules;
  if (diagonals && movement === 'room')
    reading.report.warning(
      { key: ['rules', 'diagonals'] },
      "'diagonals' has no effect if movement is by room",
      "write 'movement: tile', or leave out 'diagonals'",
    );
  const triggers = readTriggers(reading);
  return {
    size: { width: map.width, height: map.height },
    ...terrainOf(reading, map),
    rooms: rooms.list,
    doors,
    things,
    ...bodies,
    rules: { ...rulesOf(values, render), ...(drawsTies ? { ties: 'drawn' } : {}) },
    window: { columns: render.columns, rows: render.rows },
    success: readEndCondition(reading, 'success'),
    successReason: values.success?.reason ?? '',
    failure: readEndCondition(reading, 'failure'),
    failureReason: values.failure?.reason ?? '',
    ...(triggers.length > 0 ? { triggers } : {}),
  };
}

/** Terrains used in the map, with their keys. */
function terrainOf(
  reading: GridReading,
  map: GridMap,
): Pick<GridDefinition, 'terrain' | 'terrainKeys' | 'rows'> {
  const used = [...map.terrainByKey].filter(([key]) => map.rows.some((row) => row.includes(key)));
  const terrain = used.map(([, kind]) => {
    const isOwn = Object.hasOwn(reading.values.terrain, kind.id);
    const at = isOwn ? ['terrain', kind.id, 'sprite'] : ['map'];
    return { ...kind, sprite: groundOf(reading, kind.sprite, at) };
  });
  return { terrain, terrainKeys: used.map(([key]) => key).join(''), rows: [...map.rows] };
}

function rulesOf({ rules }: GridInput, { channel, names }: RenderSpec): GridDefinition['rules'] {
  const { refusals = channel === 'image' && names !== true ? 'plain' : 'full' } = rules;
  return {
    movement: rules.movement,
    diagonals: rules.diagonals,
    ...(rules.go_to ? {} : { goTo: false }),
    ...(rules.coordinates ? { coordinates: true } : {}),
    ...(refusals === 'plain' ? { refusals } : {}),
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

function readEndCondition(reading: GridReading, key: 'success' | 'failure'): GridCondition | null {
  const input = reading.values[key];
  return input === undefined ? null : (readCondition(reading, input, [key]) ?? null);
}

/**
 * Warns of letters that open the outer wall. The letter of an agent, creature or thing implies floor below it,
 * so a letter drawn in the wall at the map's edge makes a hole there, which the author may not expect. A
 * letter whose legend entry names the terrain is not reported.
 */
function reportWallGaps(map: GridMap, { legend }: GridInput, report: MistakeReport): void {
  for (const [key, spots] of map.spots) {
    const [kind = '', id = ''] = key.split(' ');
    const letter = letterWithoutTerrain(legend, kind, id);
    if (kind === 'door' || letter === null) continue;
    for (const { x, y, source } of spots) {
      if (!opensWall(map, x, y)) continue;
      const shown = kind === 'things' ? '[…]' : id;
      report.warning(
        source,
        `the letter of ${kind} ${shown} makes a hole in the outer wall at (${x}, ${y})`,
        `move it inside, or set the ground below it: '${letter}': { ${kind}: ${shown}, terrain: floor }`,
      );
    }
  }
}

/** The letter of something; null if its legend entry names the terrain, because it is then intended. */
function letterWithoutTerrain(legend: GridInput['legend'], kind: string, id: string): string | null {
  const places = (entry: object): boolean =>
    Object.entries(entry).some(([key, value]) => key === kind && value === id);
  const legendEntry = Object.entries(legend).find(([letter, entry]) =>
    kind === 'things' ? letter === id : typeof entry === 'object' && places(entry),
  );
  if (legendEntry === undefined || typeof legendEntry[1] === 'string') return null;
  return legendEntry[1].terrain === undefined ? legendEntry[0] : null;
}

/** Whether a tile is walkable, on the map's edge, and between two walls along that edge. */
function opensWall(map: GridMap, x: number, y: number): boolean {
  if (!isWalkable(map, x, y)) return false;
  const isOnRow = y === 0 || y === map.height - 1;
  const isOnColumn = x === 0 || x === map.width - 1;
  const isBlocked = (dx: number, dy: number) => !isWalkable(map, x + dx, y + dy);
  return (
    (isOnRow && isBlocked(-1, 0) && isBlocked(1, 0)) || (isOnColumn && isBlocked(0, -1) && isBlocked(0, 1))
  );
}

/** Warns of keys that open nothing, and of locks that nothing can open. */
function reportLocks(reading: GridReading, doors: readonly Door[], things: readonly ThingDefinition[]): void {
  // All written doors and things, including those with other mistakes, which are not in `doors` and `things`.
  const { doors: writtenDoors, things: writtenThings } = reading.values;
  const neededKeys = new Set(
    [...Object.values(writtenDoors), ...Object.values(writtenThings)].map(({ key }) => key),
  );
  for (const id of Object.keys(reading.values.things)) {
    const isUnusedKey = lookUp(reading.values.things, id)?.kind === 'key' && !neededKeys.has(id);
    if (isUnusedKey)
      reading.report.warning(
        { key: ['things', id] },
        `the key ${id} opens nothing`,
        `write 'key: ${id}' at a door or a chest`,
      );
  }
  const openedByWork = new Set(
    things.map(({ work }) => (work?.effect.kind === 'open-door' ? work.effect.door : '')),
  );
  const openedByTrigger = new Set(
    Object.values(reading.values.triggers).flatMap(({ then }) =>
      then.flatMap(({ open, unlock }) => [open, unlock]),
    ),
  );
  for (const { id, state, key } of doors)
    if (state === 'locked' && key === null && !openedByWork.has(id) && !openedByTrigger.has(id))
      reportUnopenable(reading, ['doors', id]);
  for (const { id, container } of things)
    if (container?.state === 'locked' && container.key === null && !openedByTrigger.has(id))
      reportUnopenable(reading, ['things', id]);
}

function reportUnopenable(reading: GridReading, path: readonly [string, string]): void {
  reading.report.warning(
    { key: path },
    `${path[1]} is locked and nothing can open it`,
    "write 'key: THING' with the thing that unlocks it",
  );
}
