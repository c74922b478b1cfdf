/**
 * A complete export: passes the rows to the writers of their splits, then writes the manifest. In: runs,
 * wishes, a format, a target; out: a report. Nothing depends on a clock or on earlier files: an interrupted
 * and resumed export gives the same bytes as an uninterrupted one.
 */
import { sha256 } from '../base/canonical.js';
import { compareText } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { NO_COSTS } from './costs.js';
import type { DataFile, ExportFormat, NameNumbers, ExportRow, SplitWriter } from './format.js';
import { MANIFEST } from './beginning.js';
import { ImagesFolder } from './images-folder.js';
import { EVERYTHING, mayHold } from './filter.js';
import { keptInputs, licencesOf, published } from './inputs.js';
import type { LookedAtRuns } from './inputs.js';
import type { PickedRun } from './picked-runs.js';
import { PreviewGrid } from './preview-grid.js';
import type { ExportReport } from './report.js';
import { dataCard, hubConfigs, hubFeatures } from './card.js';
import type { CardFacts } from './card.js';
import { PictureEncoder } from './pictures.js';
import type { ImageSpec } from './pictures.js';
import { passesOf, rowsOf } from './rows.js';
import type { PickedSample } from './rows.js';
import type { RowWishes } from './row-wishes.js';
import { foundHere } from './found-rows.js';
import type { RowSource } from './found-rows.js';
import { RowSplits } from './row-splits.js';
import type { SplitBy } from './row-splits.js';
import { ONE_SPLIT } from './splits.js';
import type { DataSplit } from './splits.js';
import { ExportTally } from './tally.js';
import { tableConfigs, writeTables } from './tables.js';
import type { OpenWorld } from './tables.js';
import { writeWhole } from './target.js';
import type { ExportTarget } from './target.js';

export interface ExportWishes extends RowWishes {
  readonly splits: readonly DataSplit[];
  readonly splitBy: SplitBy;
  /** What to do with rows whose picture or observation is also in another split. */
  readonly shared: 'drop' | 'keep';
  readonly image: ImageSpec;
  readonly shardRows: number;
}

/** The defaults: every reply, once, as it was sent. */
export const PLAIN_WISHES: ExportWishes = {
  selection: EVERYTHING,
  history: 'full',
  duplicates: 'drop',
  redact: [],
  limit: null,
  seed: null,
  unit: 'reply',
  questions: 3,
  words: 'drop',
  effort: null,
  rollouts: 3,
  splits: ONE_SPLIT,
  splitBy: 'seed',
  shared: 'drop',
  image: { type: 'png', scale: 1 },
  shardRows: 10_000,
};

export interface ExportJob {
  readonly format: ExportFormat;
  readonly runs: readonly PickedRun[];
  /** The result of `lookAt` for these runs. */
  readonly looked: LookedAtRuns;
  readonly wishes: ExportWishes;
  readonly target: ExportTarget;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
  /** Where the rows come from; by default, they are read in this process, without costs. */
  readonly source?: RowSource;
}

export interface ExportProgress {
  /** The number of steps read so far, and in all. */
  readonly done: number;
  readonly total: number;
  readonly rows: number;
}

/** Rows between two checks for Ctrl-C. */
const ROWS_AT_ONCE = 32;

/**
 * Writes the whole data set. If it is stopped, it removes incomplete files and throws the signal's reason.
 */
export async function exportRuns(job: ExportJob): Promise<ExportReport> {
  try {
    return await written(job);
  } catch (error) {
    job.target.discard();
    throw error;
  }
}

async function written(job: ExportJob): Promise<ExportReport> {
  const { format, runs, looked, wishes, target } = job;
  const { inputs } = looked;
  const images = new ImagesFolder(target, wishes.image.type);
  const tally = new ExportTally(
    format.unit ?? 'reply',
    wishes.splits.map(({ name }) => name),
  );
  const grid = new PreviewGrid();
  const writers = new Map<string, SplitWriter>();
  const licences = licencesOf(runs, looked);
  await writeRows(job, { images, tally, grid, writers, licences });
  images.end();
  const files: DataFile[] = [];
  for (const { name } of wishes.splits) files.push(...((await writers.get(name)?.end()) ?? []));
  const used = wishes.splits.map(({ name }) => name).filter((name) => writers.has(name));
  format.beside?.(target, used);
  const bytes = files.reduce((sum, file) => sum + file.bytes, images.bytes);
  const report = { format: format.name, inputs: published(inputs), wishes, tally, files, images, bytes };
  const { about, unit = 'reply' } = format;
  const configs = hubConfigs(format, used);
  return finish(target, report, { licences, configs, types: hubFeatures(format), about, unit, grid });
}

interface ExportExtras {
  readonly licences: readonly string[];
  readonly configs: CardFacts['configs'];
  readonly types: CardFacts['types'];
  readonly about: string;
  readonly unit: CardFacts['unit'];
  readonly grid: PreviewGrid;
}

/** Writes the card, the preview and, last of all, the manifest. */
async function finish(
  target: ExportTarget,
  report: ExportReport,
  beside: ExportExtras,
): Promise<ExportReport> {
  const preview = await beside.grid.png();
  if (preview !== null) writeWhole(target, 'preview.png', preview);
  const { grid: _grid, ...facts } = { ...beside, hasPreview: preview !== null };
  writeWhole(target, 'README.md', dataCard(report, facts));
  writeWhole(target, MANIFEST, `${JSON.stringify(manifest(report), null, 2)}\n`);
  return report;
}

export interface TablesExport extends Omit<ExportJob, 'format'> {
  readonly open: OpenWorld;
}

/** The same for `tables`, which are made from runs instead of samples. */
export async function exportTables(job: TablesExport): Promise<ExportReport> {
  const { runs, looked, wishes, target, signal, open, onProgress } = job;
  const wanted = runs.filter((run) => mayHold(wishes.selection, run));
  const total = wanted.reduce((sum, { lastStep }) => sum + lastStep, 0);
  const tally = new ExportTally('reply', []);
  for (const run of wanted) tally.addRun(run);
  let done = 0;
  const passed = (steps: number): void => {
    done += steps;
    onProgress({ done, total, rows: done });
  };
  try {
    const files = await writeTables({ runs: wanted, target, signal, open, passed });
    tally.rows = files.reduce((sum, { rows }) => sum + rows, 0);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const images = { files: 0, bytes: 0 };
    const report = {
      format: TABLES_FORMAT.name,
      inputs: published(looked.inputs),
      wishes,
      tally,
      files,
      images,
      bytes,
    };
    const licences = licencesOf(wanted, looked);
    const { about } = TABLES_FORMAT;
    const configs = tableConfigs(files);
    const beside = { licences, configs, types: [], about, unit: 'record', grid: new PreviewGrid() } as const;
    return await finish(target, report, beside);
  } catch (error) {
    target.discard();
    throw error;
  }
}

export const TABLES_FORMAT = {
  name: 'tables',
  about:
    'Parquet tables for SQL, and for `view`: ticks, actor_state, action_results, utterances, object_deltas, map_tiles, tilesets, rewards',
} as const;

interface ExportOutput {
  readonly images: ImagesFolder;
  readonly tally: ExportTally;
  readonly grid: PreviewGrid;
  readonly writers: Map<string, SplitWriter>;
  readonly licences: readonly string[];
}

async function writeRows(
  { format, runs, wishes, target, signal, onProgress, source = foundHere(runs, wishes, NO_COSTS) }: ExportJob,
  output: ExportOutput,
) {
  const { images, tally, grid, writers, licences } = output;
  const encoder = new PictureEncoder(wishes.image);
  // The same for every format, so that no format trains on what another one tests.
  const mayTell = (run: PickedRun): boolean => mayHold(wishes.selection, run);
  const splits = new RowSplits(runs, wishes, mayTell);
  const total =
    passesOf(wishes) * runs.reduce((sum, { firstStep, lastStep }) => sum + lastStep - firstStep + 1, 0);
  const options = { shardRows: wishes.shardRows, ending: encoder.ending };
  const numbers: NameNumbers = new Map();
  let done = 0;
  let taken = 0;
  const passed = (steps: number): void => {
    done += steps;
    onProgress({ done, total, rows: tally.rows });
  };
  const duplicates = (rows: number): void => void (tally.duplicates += rows);
  for await (const one of rowsOf(source, wishes, { passed, duplicates })) {
    const row = rowOf(one, encoder);
    if (isLacking(format, row)) {
      tally.unpictured += 1;
      continue;
    }
    const { split, isShared } = splits.of(one.run, one.sample);
    if (isShared) tally.shared += 1;
    if (isShared && wishes.shared === 'drop') continue;
    splits.take(split, one.sample);
    const writer = writers.get(split) ?? format.open({ split, target, images, numbers, licences, options });
    writers.set(split, writer);
    await writer.add(row);
    tally.add(split, one, row);
    for (const picture of one.sample.pictures().slice(-1)) grid.add(picture);
    taken += 1;
    if (taken % ROWS_AT_ONCE === 0) await breathe();
    signal.throwIfAborted();
  }
}

/** Whether the row lacks something that the format needs. */
function isLacking({ needsPicture, needsScene }: ExportFormat, { sample, pictures }: ExportRow): boolean {
  return (
    (needsPicture && pictures.length === 0) || (needsScene === true && sample.observation().scene === null)
  );
}

/** Lets Ctrl-C be noticed between two rows. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function rowOf({ sample, pair, asked }: PickedSample, encoder: PictureEncoder): ExportRow {
  const pictures = sample.pictures().map((picture) => {
    const { width, height } = encoder.size(picture);
    return { hash: picture.hash, width, height, bytes: () => encoder.bytes(picture) };
  });
  return { sample, pair, asked, pictures };
}

/** The options of an export, as compared and stored; texts to hide appear as hashes. */
export function wishesJson(format: string, wishes: ExportWishes): Json {
  const redact = wishes.redact.map((text) => sha256(text));
  return inOrder(JSON.parse(JSON.stringify({ format, ...wishes, redact })) as Json);
}

/** With sorted keys, so that equal wishes give equal texts. */
function inOrder(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const entries = Object.entries(value).toSorted(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, one]) => [key, inOrder(one)]));
}

function manifest({ format, inputs, tally, files, images, bytes }: ExportReport): object {
  return {
    format,
    ...keptInputs(inputs),
    rows: tally.rows,
    duplicates: tally.duplicates,
    shared: tally.shared,
    splits: tally.splits,
    files,
    images: { files: images.files, bytes: images.bytes },
    bytes,
  };
}
