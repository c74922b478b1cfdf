/**
 * A complete export: passes each row to the writer of its split, then writes the data card, the preview and
 * the manifest. Nothing depends on a clock or on earlier files, so an export that was interrupted and resumed
 * gives the same bytes as an uninterrupted one.
 */
import { sha256 } from '../base/canonical.js';
import { provenanceTexts } from '../log/provenance.js';
import { textRedactor } from './redaction.js';
import { compareText } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { NO_COSTS } from './costs.js';
import type { DataFile, ExportFormat, NameNumbers, ExportRow, SplitWriter } from './format.js';
import { MANIFEST } from './beginning.js';
import { ImagesFolder } from './images-folder.js';
import { EVERYTHING, mayContainRows } from './filter.js';
import { storedInputs, licencesOf, publishable } from './inputs.js';
import type { InspectedRuns } from './inputs.js';
import type { PickedRun } from './picked-runs.js';
import { PreviewGrid } from './preview-grid.js';
import { leftOutCounts } from './report.js';
import type { ExportReport } from './report.js';
import { dataCard, hubConfigs, hubFeatures } from './card.js';
import type { CardFacts } from './card.js';
import { PictureEncoder } from './pictures.js';
import type { ImageSpec } from './pictures.js';
import { passesOf, rowsOf } from './rows.js';
import type { PickedSample } from './rows.js';
import type { RowSettings } from './row-settings.js';
import { readInProcess } from './found-rows.js';
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

export interface ExportSettings extends RowSettings {
  readonly splits: readonly DataSplit[];
  readonly splitBy: SplitBy;
  /** What to do with rows whose picture or observation is also in another split. */
  readonly shared: 'drop' | 'keep';
  readonly image: ImageSpec;
  readonly shardRows: number;
}

/** The defaults: every answer that was carried out, once, after the messages that were sent. */
export const DEFAULT_SETTINGS: ExportSettings = {
  selection: EVERYTHING,
  history: 'full',
  duplicates: 'drop',
  all: false,
  verbatim: false,
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
  /** The result of `inspectRuns` for these runs. */
  readonly inspected: InspectedRuns;
  readonly settings: ExportSettings;
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
const ROWS_PER_CHECK = 32;

/**
 * Writes the whole data set. If it is stopped, it removes incomplete files and throws the signal's reason.
 */
export async function exportRuns(job: ExportJob): Promise<ExportReport> {
  try {
    return await writeDataSet(job);
  } catch (error) {
    job.target.discard();
    throw error;
  }
}

async function writeDataSet(job: ExportJob): Promise<ExportReport> {
  const { format, runs, inspected, settings, target } = job;
  const { inputs } = inspected;
  const images = new ImagesFolder(target, settings.image.type);
  const tally = new ExportTally(
    format.unit ?? 'reply',
    settings.splits.map(({ name }) => name),
  );
  const grid = new PreviewGrid();
  const writers = new Map<string, SplitWriter>();
  const licences = licencesOf(runs, inspected);
  await writeRows(job, { images, tally, grid, writers, licences });
  images.end();
  const files: DataFile[] = [];
  for (const { name } of settings.splits) files.push(...((await writers.get(name)?.end()) ?? []));
  const usedSplits = settings.splits.map(({ name }) => name).filter((name) => writers.has(name));
  format.writeCompanionFiles?.(target, usedSplits);
  const bytes = files.reduce((sum, file) => sum + file.bytes, images.bytes);
  const report = { format: format.name, inputs: publishable(inputs), settings, tally, files, images, bytes };
  const { about, unit = 'reply' } = format;
  const configs = hubConfigs(format, usedSplits);
  return finish(target, report, {
    licences,
    configs,
    types: hubFeatures(format, inspected.hasToolCalls),
    about,
    unit,
    grid,
    provenance: provenanceOf(inspected, tally, settings),
  });
}

/** Of the runs that have rows. */
function provenanceOf(
  { origins, batches }: InspectedRuns,
  tally: ExportTally,
  { redact }: ExportSettings,
): readonly string[] {
  const runs = [...origins].flatMap(([ordinal, one]) => (tally.hasRun(ordinal) ? [one] : []));
  return provenanceTexts({ runs, batches }).map(textRedactor(redact));
}

interface ExportExtras {
  readonly licences: readonly string[];
  readonly configs: CardFacts['configs'];
  readonly types: CardFacts['types'];
  readonly about: string;
  readonly unit: CardFacts['unit'];
  readonly provenance: CardFacts['provenance'];
  readonly grid: PreviewGrid;
}

/** Writes the card, the preview and, last of all, the manifest. */
async function finish(
  target: ExportTarget,
  report: ExportReport,
  extras: ExportExtras,
): Promise<ExportReport> {
  const preview = await extras.grid.png();
  if (preview !== null) writeWhole(target, 'preview.png', preview);
  const { grid: _grid, ...facts } = { ...extras, hasPreview: preview !== null };
  writeWhole(target, 'README.md', dataCard(report, facts));
  writeWhole(target, MANIFEST, `${JSON.stringify(manifest(report), null, 2)}\n`);
  return report;
}

export interface TablesExport extends Omit<ExportJob, 'format'> {
  readonly open: OpenWorld;
}

/** The same for `tables`, which are made from runs instead of samples. */
export async function exportTables(job: TablesExport): Promise<ExportReport> {
  const { runs, inspected, settings, target, signal, open, onProgress } = job;
  const selectedRuns = runs.filter((run) => mayContainRows(settings.selection, run));
  const total = selectedRuns.reduce((sum, { lastStep }) => sum + lastStep, 0);
  const tally = new ExportTally('reply', []);
  for (const run of selectedRuns) tally.addRun(run);
  let done = 0;
  const onSteps = (steps: number): void => {
    done += steps;
    onProgress({ done, total, rows: done });
  };
  try {
    const files = await writeTables({ runs: selectedRuns, target, signal, open, onSteps });
    tally.rows = files.reduce((sum, { rows }) => sum + rows, 0);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const images = { files: 0, bytes: 0 };
    const report = {
      format: TABLES_FORMAT.name,
      inputs: publishable(inspected.inputs),
      settings,
      tally,
      files,
      images,
      bytes,
    };
    const licences = licencesOf(selectedRuns, inspected);
    const { about } = TABLES_FORMAT;
    const configs = tableConfigs(files);
    return await finish(target, report, {
      licences,
      configs,
      types: [],
      about,
      unit: 'record',
      grid: new PreviewGrid(),
      provenance: provenanceOf(inspected, tally, settings),
    });
  } catch (error) {
    target.discard();
    throw error;
  }
}

export const TABLES_FORMAT = {
  name: 'tables',
  about:
    'Parquet tables for SQL, and for `view`: ticks, actor_state, action_results, utterances, items, object_deltas, map_tiles, tilesets, rewards',
} as const;

interface ExportOutput {
  readonly images: ImagesFolder;
  readonly tally: ExportTally;
  readonly grid: PreviewGrid;
  readonly writers: Map<string, SplitWriter>;
  readonly licences: readonly string[];
}

async function writeRows(
  {
    format,
    runs,
    inspected: { hasToolCalls },
    settings,
    target,
    signal,
    onProgress,
    source = readInProcess(runs, settings, NO_COSTS),
  }: ExportJob,
  output: ExportOutput,
) {
  const { images, tally, grid, writers, licences } = output;
  const encoder = new PictureEncoder(settings.image);
  // The same for every format, so that no format trains on what another one tests.
  const isSelected = (run: PickedRun): boolean => mayContainRows(settings.selection, run);
  const splits = new RowSplits(runs, settings, isSelected);
  const total =
    passesOf(settings) * runs.reduce((sum, { firstStep, lastStep }) => sum + lastStep - firstStep + 1, 0);
  const options = { shardRows: settings.shardRows, extension: encoder.extension };
  const numbers: NameNumbers = new Map();
  let done = 0;
  let writtenRows = 0;
  const onSteps = (steps: number): void => {
    done += steps;
    onProgress({ done, total, rows: tally.rows });
  };
  const onSkipped = (reason: string, rows: number): void => tally.skip(reason, rows);
  // Before the first step: the search for its cost may take long.
  onSteps(0);
  for await (const picked of rowsOf(source, settings, { onSteps, onSkipped })) {
    const row = rowOf(picked, encoder);
    if (lacksRequirement(format, row)) {
      tally.unpictured += 1;
      continue;
    }
    const { split, isShared } = splits.assign(picked.run, picked.sample);
    if (isShared) tally.shared += 1;
    if (isShared && settings.shared === 'drop') continue;
    splits.record(split, picked.sample);
    const writer =
      writers.get(split) ?? format.open({ split, target, images, numbers, licences, options, hasToolCalls });
    writers.set(split, writer);
    await writer.add(row);
    tally.add(split, picked, row);
    for (const picture of picked.sample.pictures().slice(-1)) grid.add(picture);
    writtenRows += 1;
    if (writtenRows % ROWS_PER_CHECK === 0) await yieldToEventLoop();
    signal.throwIfAborted();
  }
}

/** Whether the row lacks something that the format needs. */
function lacksRequirement(
  { needsPicture, needsScene }: ExportFormat,
  { sample, pictures }: ExportRow,
): boolean {
  return (
    (needsPicture && pictures.length === 0) || (needsScene === true && sample.observation().scene === null)
  );
}

/** Lets Ctrl-C be noticed between two rows. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function rowOf({ sample, pair, probe }: PickedSample, encoder: PictureEncoder): ExportRow {
  const pictures = sample.pictures().map((picture) => {
    const { width, height } = encoder.size(picture);
    return { hash: picture.hash, width, height, bytes: () => encoder.bytes(picture) };
  });
  return { sample, pair, probe, pictures };
}

/** The options of an export, as compared and stored; texts to hide appear as hashes. */
export function settingsJson(format: string, settings: ExportSettings): Json {
  const redact = settings.redact.map((text) => sha256(text));
  return withSortedKeys(JSON.parse(JSON.stringify({ format, ...settings, redact })) as Json);
}

/** With sorted keys, so that equal settings give equal texts. */
function withSortedKeys(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withSortedKeys);
  const entries = Object.entries(value).toSorted(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, one]) => [key, withSortedKeys(one)]));
}

function manifest({ format, inputs, tally, files, images, bytes }: ExportReport): object {
  return {
    format,
    ...storedInputs(inputs),
    rows: tally.rows,
    left_out: leftOutCounts(tally),
    restated: tally.restated,
    duplicates: tally.duplicates,
    shared: tally.shared,
    splits: tally.splits,
    files,
    images: { files: images.files, bytes: images.bytes },
    bytes,
  };
}
