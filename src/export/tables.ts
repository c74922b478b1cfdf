/**
 * `tables`: runs as tables (`table-columns.ts`), for SQL and for `view`, and meta.json with the runs and
 * columns. A tick is a turn. Positions come from the world, replayed from the log (`replay/state-at.ts`); no
 * controller is called. The tables are enough to show the run without its log (`view/exported/`).
 */
import { hashJson, sha256 } from '../base/canonical.js';
import { worldVersion } from '../environment/environment.js';
import type { Environment } from '../environment/environment.js';
import type { Scene } from '../environment/scene.js';
import type { LogReader } from '../log/reader.js';
import type { RunRecord, StepRecord } from '../trajectory/records.js';
import { LoggedStates } from '../replay/state-at.js';
import type { HubConfig } from './card.js';
import type { DataFile } from './format.js';
import { ParquetFile } from './parquet-file.js';
import type { ParquetRow } from './parquet-file.js';
import { sceneDeltas } from './scene-deltas.js';
import { TABLES } from './table-columns.js';
import type { TableName, TableRow } from './table-columns.js';
import { actionRows, actorRows, ItemChanges, utteranceRows, rewardRows } from './table-rows.js';
import type { PickedRun } from './picked-runs.js';
import { openRuns } from './opened-runs.js';
import type { ExportTarget } from './target.js';
import { writeWhole } from './target.js';
import { DIRECTIONS, facingOf, stepOf } from '../environment/space.js';
import type { Direction, Point } from '../environment/space.js';
import { walksOf } from '../replay/walks.js';

/** Opens a run's world. */
export type OpenWorld = (run: RunRecord) => { environment: Environment<unknown> };

export interface TablesJob {
  runs: readonly PickedRun[];
  target: ExportTarget;
  signal: AbortSignal;
  open: OpenWorld;
  onSteps: (steps: number) => void;
}

/** The name in `tilesets` of a manifest, which has no name of its own and comes before the images. */
const MANIFEST = 'manifest';

/** Runs repeat the steps that they share with their parents: each run is complete in every table. */
export async function writeTables(job: TablesJob): Promise<readonly DataFile[]> {
  const writers = openTables(job.target);
  const meta: object[] = [];
  const tilesets = new Set<string>();
  for (const { run: picked, reader } of openRuns(job.runs)) {
    const run = reader.run(picked.runId);
    const tileset = tilesetId(run);
    if (!tilesets.has(tileset)) {
      const { manifest, images } = run.tileset;
      const content = { [MANIFEST]: Buffer.from(manifest), ...images };
      writers.tilesets.add(
        Object.entries(content).map(([name, bytes]) => ({ tileset_id: tileset, name, content: bytes })),
      );
    }
    tilesets.add(tileset);
    const { environment } = job.open(run);
    const map = await writeRun({ reader, run, environment, lastStep: picked.lastStep }, writers, job);
    meta.push({ ...runMeta(reader, run), map, tileset });
  }
  const columns = Object.fromEntries(
    Object.entries(TABLES).map(([table, list]) => [table, list.map(({ name }) => name)]),
  );
  const files = Object.values(writers).map((writer) => writer.keep());
  const metaFile = writeWhole(
    job.target,
    'meta.json',
    `${JSON.stringify({ runs: meta, tables: columns }, null, 2)}\n`,
  );
  return [...files, { ...metaFile, rows: meta.length }];
}

/** One entry for each table that has rows, because no two have the same columns. */
export function tableConfigs(files: readonly DataFile[]): readonly HubConfig[] {
  return files
    .filter(({ name, rows }) => name.endsWith('.parquet') && rows > 0)
    .map(({ name }) => ({ config_name: name.slice(0, -'.parquet'.length), data_files: name }));
}

interface TableWriter<Name extends TableName> {
  add(rows: readonly TableRow<Name>[]): void;
  keep(): DataFile;
}

type TableWriters = { [Name in TableName]: TableWriter<Name> };

const ROW_BYTES = 200;

function openTables(target: ExportTarget): TableWriters {
  const writers = Object.entries(TABLES).map(([table, columns]) => {
    const name = `${table}.parquet`;
    const finished = target.finished(name);
    const file = finished === null ? new ParquetFile(target.open(name), columns) : null;
    let rows = 0;
    const add = (list: readonly ParquetRow[]): void => {
      for (const row of list) file?.add(row, ROW_BYTES);
      rows += list.length;
    };
    const keep = (): DataFile => ({ ...(finished ?? file?.keep() ?? { name, bytes: 0, sha256: '' }), rows });
    return [table, { add, keep }];
  });
  return Object.fromEntries(writers) as TableWriters;
}

interface ReplayedRun {
  reader: LogReader;
  run: RunRecord;
  environment: Environment<unknown>;
  /** The run's last step when it was picked; it may still be running. */
  lastStep: number;
}

/** Writes the rows of a run; returns the area of its map, null if the world has none. */
async function writeRun(
  { reader, run, environment, lastStep }: ReplayedRun,
  writers: TableWriters,
  { signal, onSteps }: TablesJob,
): Promise<Rect | null> {
  const states = new LoggedStates({ reader, run, environment });
  const first = states.at(0).state;
  const start = environment.scene(first, null);
  let scene = start;
  writers.map_tiles.add(tileRows(run.runId, start));
  /** Where each body faced after its last move; none that never moved. */
  const walked = new Map<string, number>();
  const items = new ItemChanges(run.runId);
  writers.object_deltas.add(sceneDeltas({ runId: run.runId, turn: 0 }, null, scene));
  writers.actor_state.add(actorRows({ run, turn: 0, environment, state: first, scene, walked }));
  writers.items.add(items.rows(0, environment.inventory?.(first) ?? []));
  for (const steps of turnsOf(reader.steps(run.runId, { to: lastStep }))) {
    signal.throwIfAborted();
    const [{ turn }] = steps;
    const last = steps.at(-1) ?? steps[0];
    const { state } = states.at(last.step);
    const now: Scene | null = environment.scene(state, null);
    for (const { actor, path } of steps.flatMap((step) => walksOf([step]))) {
      const direction = directionOf(path.at(-2), path.at(-1));
      if (direction !== null) walked.set(actor, facingOf(direction));
    }
    const position = { runId: run.runId, turn };
    writers.ticks.add([tickRow(run, steps)]);
    writers.actor_state.add(actorRows({ run, turn, environment, state, scene: now, walked }));
    writers.items.add(items.rows(turn, environment.inventory?.(state) ?? []));
    writers.action_results.add(actionRows(position, steps));
    writers.utterances.add(utteranceRows(position, steps, now));
    writers.rewards.add(rewardRows(position, steps));
    writers.object_deltas.add(sceneDeltas(position, scene, now));
    scene = now;
    onSteps(steps.length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return start === null ? null : { ...start.origin, width: start.width, height: start.height };
}

interface Rect extends Point {
  width: number;
  height: number;
}

/** The ground at the first moment; later changes are in `object_deltas`. */
function tileRows(runId: string, scene: Scene | null): readonly TableRow<'map_tiles'>[] {
  if (scene === null) return [];
  const { ground, legend, width, origin } = scene;
  return ground.map((look, i) => ({
    run_id: runId,
    x: BigInt(origin.x + (i % width)),
    y: BigInt(origin.y + Math.floor(i / width)),
    look: legend[look] ?? null,
  }));
}

function tilesetId({ tileset: { manifest, images } }: RunRecord): string {
  const names = Object.keys(images).toSorted();
  return hashJson('tileset', { manifest, images: names.map((name) => [name, sha256(images[name] ?? '')]) });
}

function tickRow({ runId, startedAt, versions, scenario }: RunRecord, steps: StepsOfTurn): TableRow<'ticks'> {
  const { step, turn, finishedAt } = steps.at(-1) ?? steps[0];
  // Only the ticks of a served run have one.
  const timing = steps.findLast((one) => one.timing !== undefined)?.timing;
  return {
    run_id: runId,
    tick_id: BigInt(turn),
    sim_time_ms: BigInt(Math.max(0, finishedAt - startedAt)),
    world_version: worldVersion(scenario.environment, versions.rules),
    last_step: BigInt(step),
    overrun_ms: timing === undefined ? null : BigInt(timing.overrunMs),
    settle_ms: timing === undefined ? null : BigInt(timing.settleMs),
  };
}

type StepsOfTurn = readonly [StepRecord, ...StepRecord[]];

/** Steps in groups of one turn. */
function* turnsOf(steps: Iterable<StepRecord>): Generator<StepsOfTurn> {
  let turn: [StepRecord, ...StepRecord[]] | null = null;
  for (const step of steps) {
    if (turn !== null && turn[0].turn === step.turn) turn.push(step);
    else {
      if (turn !== null) yield turn;
      turn = [step];
    }
  }
  if (turn !== null) yield turn;
}

function runMeta(reader: LogReader, { runId, parent, scenario, seed, versions }: RunRecord): object {
  const end = reader.ending(runId);
  return {
    run_id: runId,
    parent: parent?.runId ?? null,
    fork_step: parent?.step ?? null,
    scenario: scenario.name,
    seed,
    environment: scenario.environment,
    title: scenario.title,
    order: scenario.turns.order,
    agents: scenario.agents.map(({ id }) => id),
    names: Object.fromEntries(scenario.agents.map(({ id, name }) => [id, name])),
    skin: scenario.render.skin,
    // Named as a served world names them.
    world_version: worldVersion(scenario.environment, versions.rules),
    log_schema_version: versions.log,
    program_version: versions.program,
    status: end?.status ?? 'running',
    reason: end?.reason ?? null,
    turns: end?.turns ?? null,
    steps: end?.steps ?? null,
  };
}

function directionOf(from: Point | undefined, to: Point | undefined): Direction | null {
  if (from === undefined || to === undefined) return null;
  const [x, y] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
  return DIRECTIONS.find((direction) => stepOf(direction).x === x && stepOf(direction).y === y) ?? null;
}
