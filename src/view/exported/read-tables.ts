/**
 * Reads a whole folder that `export --format tables` wrote: meta.json and the Parquet files next to it, with
 * the files of its runs' tilesets, without a log. The files may come from anyone, so every cell is checked;
 * only files with known names are opened.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../base/counted.js';
import { StorageError } from '../../base/errors.js';
import { WORLD_ID } from '../../base/ids.js';
import { isRecord } from '../../base/json.js';
import type { Json, JsonObject } from '../../base/json.js';
import { LIMITS } from '../../base/limits.js';
import { lookUp } from '../../base/look-up.js';
import type { ProblemCode } from '../../base/problem.js';
import { REST } from '../../environment/action.js';
import type { Args, Event } from '../../environment/action.js';
import type { Point } from '../../environment/space.js';
import type { ActRecord } from '../../trajectory/act.js';
import type { StepActs } from '../../trajectory/records.js';
import { UNCONTROLLED } from '../../trajectory/uncontrolled.js';
import { readRegular } from '../../scenario/regular-file.js';
import type { ExportedMap, ExportedRun, ExportedTick } from './exported-run.js';
import { readTable } from './table-file.js';
import type { TableRow } from './table-file.js';

const META = 'meta.json';

export interface TablesFolder {
  runs: readonly ExportedRun[];
  /** Files by name, by tileset. */
  tilesets: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>;
}

export function isTablesFolder(path: string): boolean {
  return existsSync(join(path, META)) && existsSync(join(path, 'ticks.parquet'));
}

/** Rejects with StorageError if something is missing or invalid. */
export async function readTables(folder: string): Promise<TablesFolder> {
  const metas = metaRuns(folder);
  const [ticks, actors, actions, utterances, deltas, tiles, files] = await Promise.all(
    ['ticks', 'actor_state', 'action_results', 'utterances', 'object_deltas', 'map_tiles', 'tilesets'].map(
      (table) => readTable(folder, table),
    ),
  );
  const tables = {
    ticks: byRun(ticks),
    actors: byRun(actors),
    actions: byRun(actions),
    utterances: byRun(utterances),
    deltas: byRun(deltas),
    tiles: byRun(tiles),
  };
  const tilesets = new Map<string, Map<string, Uint8Array>>();
  for (const [id, rows] of grouped(files, (row) => row.text('tileset_id')))
    tilesets.set(id, new Map(rows.map((row) => [row.text('name'), row.bytes('content')])));
  return { runs: metas.map((meta) => runOf(meta, tables)), tilesets };
}

type GroupedRows = ReadonlyMap<string, readonly TableRow[]>;
type RunTables = Readonly<
  Record<'ticks' | 'actors' | 'actions' | 'utterances' | 'deltas' | 'tiles', GroupedRows>
>;

function grouped<K>(
  rows: readonly TableRow[] | undefined,
  key: (row: TableRow) => K,
): ReadonlyMap<K, readonly TableRow[]> {
  const groups = new Map<K, TableRow[]>();
  for (const row of rows ?? []) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return groups;
}

function byRun(rows: readonly TableRow[] | undefined): GroupedRows {
  return grouped(rows, (row) => row.text('run_id'));
}

function byTick(rows: readonly TableRow[] | undefined): ReadonlyMap<number, readonly TableRow[]> {
  return grouped(rows, (row) => row.integer('tick_id'));
}

function runOf(meta: JsonObject, tables: RunTables): ExportedRun {
  const runId = textOf(meta, 'run_id');
  const rows = (name: keyof RunTables) => tables[name].get(runId);
  const [actors, deltas] = [byTick(rows('actors')), byTick(rows('deltas'))];
  const [actions, utterances] = [byTick(rows('actions')), byTick(rows('utterances'))];
  const ends = new Map(
    (rows('ticks') ?? []).map((row) => [row.integer('tick_id'), row.integer('last_step')]),
  );
  const order = [0, ...[...ends.keys()].toSorted((a, b) => a - b)];
  const lastSteps = order.map((tick) => ends.get(tick) ?? 0);
  lastSteps.slice(1).forEach((last, i) => {
    // At least one step, at most one of each agent and the world's.
    const steps = last - (lastSteps[i] ?? 0);
    if (steps < 1 || steps > LIMITS.agents + 1)
      throw new StorageError(`ticks.parquet: a tick can't have ${counted(steps, 'step')}`);
  });
  const ticks = order.map((tick): ExportedTick => ({
    tick,
    lastStep: ends.get(tick) ?? 0,
    bodies: (actors.get(tick) ?? []).flatMap(bodyOf),
    deltas: (deltas.get(tick) ?? []).map((row) => ({
      object: row.text('object_id'),
      field: row.text('field'),
      value: parseJson(row.text('new_value_json'), 'object_deltas.parquet: new_value_json'),
    })),
    acts: new Map([...grouped(actions.get(tick), stepOf)].map(([step, acts]) => [step, actsOf(acts)])),
    said: new Map(
      [...grouped(utterances.get(tick), stepOf)].map(([step, said]) => [
        step,
        said.map((row) => ({ speaker: row.text('actor_id'), text: row.text('text') })),
      ]),
    ),
  }));
  const names = objectOf(lookUp(meta, 'names'));
  const parent = lookUp(meta, 'parent');
  const status = textOf(meta, 'status');
  return {
    runId,
    title: textOf(meta, 'title'),
    seed: textOf(meta, 'seed'),
    parent: typeof parent === 'string' ? { run: parent, step: numberOf(meta, 'fork_step') } : null,
    order: orderOf(textOf(meta, 'order')),
    agents: listOf(lookUp(meta, 'agents')).map((id) => ({ id, name: textOf(names, id) })),
    skin: numberOf(meta, 'skin'),
    tileset: textOf(meta, 'tileset'),
    map: mapOf(lookUp(meta, 'map'), rows('tiles') ?? []),
    ticks,
    end: status === 'running' ? null : { status, reason: textOf(meta, 'reason') },
  };
}

function orderOf(order: string): ExportedRun['order'] {
  if (order === 'sequential' || order === 'simultaneous') return order;
  throw new StorageError(`${META}: ${JSON.stringify(order)} is not a turn order`, OTHER_VERSION);
}

function stepOf(row: TableRow): number {
  return row.integer('step');
}

function bodyOf(row: TableRow) {
  const [x, y] = [row.integerOrNull('x'), row.integerOrNull('y')];
  const look = row.textOrNull('look');
  if (x === null || y === null || look === null) return [];
  const id = row.text('actor_id');
  return [{ id, name: row.textOrNull('name') ?? id, look, x, y }];
}

/** The acts of a step's rows. Of their JSON, only what has the form of a log's records. */
function actsOf(rows: readonly TableRow[]): StepActs {
  const parts = rows.map((row, index) => {
    const agent = row.text('actor_id');
    const action = row.textOrNull('action_type');
    const effects = objectOf(parseJson(row.text('effects_json'), 'action_results.parquet: effects_json'));
    const message = lookUp(effects, 'message');
    const text = typeof message === 'string' ? message : '';
    const code = (row.textOrNull('reason') ?? 'illegal/unknown') as ProblemCode;
    const events = lookUp(effects, 'events');
    const act: ActRecord = {
      index,
      call: null,
      reading: null,
      intent: action === null ? null : { agent, action, args: argsIn(lookUp(effects, 'args')) },
      result: row.boolean('ok')
        ? { ok: true, message: text, path: pointsIn(lookUp(effects, 'path')) }
        : { ok: false, problem: { code, message: text } },
      // No agent requests this action: the program uses it for agents that nobody controls.
      insteadOf: action === REST ? { code: UNCONTROLLED, message: 'Nobody controlled it.' } : null,
    };
    return { agent, act, events: Array.isArray(events) ? events.flatMap(eventIn) : [] };
  });
  return {
    agent: parts[0]?.agent ?? WORLD_ID,
    acts: parts.map(({ act }) => act),
    events: parts.flatMap(({ events }) => events),
  };
}

function argsIn(value: Json | undefined): Args {
  const isArg = (entry: [string, Json]): entry is [string, string | number] =>
    typeof entry[1] === 'string' || typeof entry[1] === 'number';
  return isRecord<Json>(value) ? Object.fromEntries(Object.entries(value).filter(isArg)) : {};
}

function eventIn(value: Json): readonly Event[] {
  if (!isRecord<Json>(value)) return [];
  const [kind, actor, data] = [lookUp(value, 'kind'), lookUp(value, 'actor'), lookUp(value, 'data')];
  if (typeof kind !== 'string') return [];
  const [at = null] = pointsIn([lookUp(value, 'at') ?? null]) ?? [];
  return [
    {
      kind,
      actor: typeof actor === 'string' ? actor : null,
      at,
      data: isRecord<Json>(data) ? data : {},
      seenBy: [],
    },
  ];
}

/** Null if the value is not a list of tiles. */
function pointsIn(value: Json | undefined): readonly Point[] | null {
  if (!Array.isArray(value)) return null;
  const points = (value as readonly Json[]).flatMap((one) => {
    const [x, y] = isRecord<Json>(one) ? [lookUp(one, 'x'), lookUp(one, 'y')] : [];
    const isPlace = Number.isSafeInteger(x) && Number.isSafeInteger(y);
    return isPlace ? [{ x: x as number, y: y as number }] : [];
  });
  return points.length === value.length ? points : null;
}

/** Throws StorageError if the map is larger than a map may be, or a tile lies outside it. */
function mapOf(value: unknown, rows: readonly TableRow[]): ExportedMap | null {
  if (value === null) return null;
  const box = objectOf(value);
  const [x, y] = [numberOf(box, 'x'), numberOf(box, 'y')];
  const [width, height] = [numberOf(box, 'width'), numberOf(box, 'height')];
  if (width < 1 || height < 1 || width > LIMITS.coordinateTiles || height > LIMITS.coordinateTiles)
    throw new StorageError(`${META}: a map can't have ${width} × ${height} tiles`);
  const looks = Array.from<string | null>({ length: width * height }).fill(null);
  for (const row of rows) {
    const [column, rowInMap] = [row.integer('x') - x, row.integer('y') - y];
    if (column < 0 || rowInMap < 0 || column >= width || rowInMap >= height)
      throw new StorageError('map_tiles.parquet has a tile outside the map');
    looks[rowInMap * width + column] = row.textOrNull('look');
  }
  return { x, y, width, height, looks };
}

function metaRuns(folder: string): readonly JsonObject[] {
  const path = join(folder, META);
  let text = '';
  try {
    text = Buffer.from(readRegular(path, LIMITS.tableBytes)).toString('utf8');
  } catch (error) {
    throw new StorageError(`${path} can't be read`, [], { cause: error });
  }
  const runs = lookUp(objectOf(parseJson(text, META)), 'runs');
  if (!Array.isArray(runs)) throw new StorageError(`${META} lists no runs`);
  return runs.map(objectOf);
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StorageError(`${source} is not JSON`, [], { cause: error });
  }
}

function objectOf(value: unknown): JsonObject {
  if (isRecord<Json>(value)) return value;
  throw new StorageError('the JSON in the tables does not have the expected structure', OTHER_VERSION);
}

function listOf(value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (isList) return value;
  throw new StorageError(`${META} lists no agents`, OTHER_VERSION);
}

function textOf(object: JsonObject, key: string): string {
  const value = lookUp(object, key);
  if (typeof value === 'string') return value;
  throw new StorageError(`${META}: ${key} is not text`, OTHER_VERSION);
}

function numberOf(object: JsonObject, key: string): number {
  const value = lookUp(object, key);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new StorageError(`${META}: ${key} is not a whole number`, OTHER_VERSION);
}

const OTHER_VERSION = ['export the logs again: another version of the program may have written them'];
