/**
 * A complete export: passes each row to the writer of its split, then writes the data card, the preview and
 * the manifest. Nothing depends on a clock or on earlier files, so an export that was interrupted and resumed
 * gives the same bytes as an uninterrupted one.
 */
import { sha256 } from '../base/canonical.js';
import { differences } from '../base/differences.js';
import { UsageError } from '../base/errors.js';
import { provenanceTexts } from '../log/provenance.js';
import { textRedactor } from './redaction.js';
import { compareText } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { NO_COSTS } from './costs.js';
import type { DataFile, ExportFormat, SplitWriter } from './format.js';
import { MANIFEST } from './beginning.js';
import { ImagesFolder } from './images-folder.js';
import { EVERYTHING, mayContainRows } from './filter.js';
import { storedInputs, licencesOf, optionOf, publishable } from './inputs.js';
import type { InspectedRuns } from './inputs.js';
import type { PickedRun } from './picked-runs.js';
import { PreviewGrid } from './preview-grid.js';
import { leftOutCounts } from './report.js';
import type { ExportReport } from './report.js';
import { dataCard, hubConfigs, hubFeatures } from './card.js';
import type { CardFacts } from './card.js';
import { PictureEncoder } from './pictures.js';
import type { ImageSpec } from './pictures.js';
import { passesOf, readInProcess, rowsOf } from './rows.js';
import type { RowSource } from './rows.js';
import { rowKind } from './row-kinds.js';
import type { RowSettings } from './row-settings.js';
import type { ExportSample } from './sample.js';
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
  splits: readonly DataSplit[];
  splitBy: SplitBy;
  /** What to do with rows whose picture or observation is also in another split. */
  shared: 'drop' | 'keep';
  image: ImageSpec;
  shardRows: number;
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

/** The options that would leave replies out of the middle of a trace, or have no meaning for one. */
const NOT_FOR_TRACES =
  '--ok --first-attempt --only --turns --where --limit --history --shard-rows --questions --words --rollouts'.split(
    ' ',
  );

/**
 * The settings as they take effect: a trace always has every reply, as received. Throws UsageError for options
 * that a trace can't follow.
 */
export function settingsFor(format: ExportFormat, settings: ExportSettings): ExportSettings {
  if (!rowKind(format.unit ?? 'reply').isTrace) return settings;
  const changed = differences(DEFAULT_SETTINGS as unknown as Json, settings as unknown as Json);
  const options = new Set(changed.map(({ path }) => optionOf(path)));
  const refused = NOT_FOR_TRACES.filter((option) => options.has(option));
  if (settings.splitBy === 'image') refused.push('--split-by image');
  if (refused.length > 0)
    throw new UsageError(`--format ${format.name} does not support ${refused.join(', ')}`, [
      'a trace has every reply: choose whole traces with --scenario, --outcome, --agent, --player and --model',
    ]);
  const selection = { ...settings.selection, only: 'any' as const };
  return { ...settings, selection, all: false, verbatim: true, duplicates: 'keep', shared: 'keep' };
}

export interface ExportJob {
  format: ExportFormat;
  runs: readonly PickedRun[];
  /** The result of `inspectRuns` for these runs. */
  inspected: InspectedRuns;
  settings: ExportSettings;
  target: ExportTarget;
  signal: AbortSignal;
  onProgress: (progress: ExportProgress) => void;
  /** Where the rows come from; by default, they are read in this process, without costs. */
  source?: RowSource;
}

export interface ExportProgress {
  /** The number of steps read so far, and in all. */
  done: number;
  total: number;
  rows: number;
}

/** Samples between two checks for Ctrl-C. */
const ROWS_PER_CHECK = 32;

/**
 * Writes the whole data set. If it is stopped, it removes incomplete files and throws the signal's reason.
 */
export async function exportRuns(job: ExportJob): Promise<ExportReport> {
  const { format, runs, inspected, settings, target, signal, onProgress } = job;
  const { source = readInProcess(runs, settings, NO_COSTS) } = job;
  const { unit = 'reply', about, upload = [] } = format;
  const encoder = new PictureEncoder(settings.image);
  const images = new ImagesFolder(target, encoder);
  const splitNames = settings.splits.map(({ name }) => name);
  const tally = new ExportTally(unit, splitNames);
  const grid = new PreviewGrid();
  const writers = new Map<string, SplitWriter>();
  const licences = licencesOf(runs, inspected);
  // The same for every format, so that no format trains on what another one tests.
  const splits = new RowSplits(runs, settings, (run) => mayContainRows(settings.selection, run));
  const { hasToolCalls } = inspected;
  const { shardRows } = settings;
  const context = { target, images, numbers: new Map(), licences, encoder, shardRows, hasToolCalls };
  const stepsPerPass = runs.reduce((sum, { firstStep, lastStep }) => sum + lastStep - firstStep + 1, 0);
  const total = passesOf(settings) * stepsPerPass;
  let [done, written] = [0, 0];
  const onSteps = (steps: number): void => {
    done += steps;
    onProgress({ done, total, rows: tally.rows });
  };
  const onSkipped = (reason: string, rows: number): void => tally.skip(reason, rows);
  try {
    // Before the first step: the search for its cost may take long.
    onSteps(0);
    for await (const row of rowsOf(source, settings, { onSteps, onSkipped })) {
      const { run, sample } = row;
      if (lacksRequirement(format, sample)) {
        tally.unpictured += 1;
        continue;
      }
      const { split, isShared } = splits.assign(run, sample);
      if (isShared) tally.addShared(row);
      if (isShared && settings.shared === 'drop') continue;
      splits.record(split, sample);
      const writer = writers.get(split) ?? format.open({ ...context, split });
      writers.set(split, writer);
      await writer.add(row);
      const pictures = sample.pictures();
      tally.add(
        split,
        row,
        pictures.map((picture) => encoder.size(picture)),
      );
      for (const picture of pictures.slice(-1)) grid.add(picture);
      // Lets Ctrl-C be noticed.
      written += 1;
      if (written % ROWS_PER_CHECK === 0) await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    images.end();
    const files: DataFile[] = [];
    for (const name of splitNames) files.push(...((await writers.get(name)?.end()) ?? []));
    const usedSplits = splitNames.filter((name) => writers.has(name));
    format.writeCompanionFiles?.(target, usedSplits);
    const configs = hubConfigs(format, usedSplits);
    const types = hubFeatures(format, hasToolCalls);
    return await finish(
      job,
      { format: format.name, tally, files, images },
      {
        licences,
        configs,
        types,
        about,
        unit,
        upload,
        grid,
        hasRewrittenCalls: hasToolCalls && (format.hasMessages === true || format.hasCalls === true),
      },
    );
  } catch (error) {
    target.discard();
    throw error;
  }
}

/** Whether the sample lacks something that the format needs. */
function lacksRequirement({ needsPicture, needsScene }: ExportFormat, sample: ExportSample): boolean {
  return (
    (needsPicture && sample.pictures().length === 0) ||
    (needsScene === true && sample.observation().scene === null)
  );
}

/** Writes the card, the preview and, last of all, the manifest. */
async function finish(
  { inspected, settings, target }: Omit<ExportJob, 'format'>,
  written: Pick<ExportReport, 'format' | 'tally' | 'files' | 'images'>,
  { grid, ...facts }: Omit<CardFacts, 'hasPreview' | 'provenance'> & { grid: PreviewGrid },
): Promise<ExportReport> {
  const { tally, files, images } = written;
  const bytes = files.reduce((sum, file) => sum + file.bytes, images.bytes);
  const report = { ...written, inputs: publishable(inspected.inputs), settings, bytes };
  // Of the runs that have rows.
  const origins = [...inspected.origins].flatMap(([ordinal, one]) => (tally.hasRun(ordinal) ? [one] : []));
  const texts = provenanceTexts({ runs: origins, batches: inspected.batches });
  const provenance = texts.map(textRedactor(settings.redact));
  const preview = await grid.png();
  if (preview !== null) writeWhole(target, 'preview.png', preview);
  writeWhole(target, 'README.md', dataCard(report, { ...facts, provenance, hasPreview: preview !== null }));
  writeWhole(target, MANIFEST, `${JSON.stringify(manifest(report), null, 2)}\n`);
  return report;
}

export interface TablesExport extends Omit<ExportJob, 'format'> {
  open: OpenWorld;
}

/** The same for `tables`, which are made from runs instead of samples. */
export async function exportTables(job: TablesExport): Promise<ExportReport> {
  const { inspected, settings, target, signal, open, onProgress } = job;
  const runs = job.runs.filter((run) => mayContainRows(settings.selection, run));
  const total = runs.reduce((sum, { lastStep }) => sum + lastStep, 0);
  const tally = new ExportTally('reply', []);
  for (const run of runs) tally.addRun(run);
  let done = 0;
  const onSteps = (steps: number): void => {
    done += steps;
    onProgress({ done, total, rows: done });
  };
  try {
    const files = await writeTables({ runs, target, signal, open, onSteps });
    tally.rows = files.reduce((sum, { rows }) => sum + rows, 0);
    return await finish(
      job,
      { format: TABLES_FORMAT.name, tally, files, images: { files: 0, bytes: 0 } },
      {
        licences: licencesOf(runs, inspected),
        configs: tableConfigs(files),
        types: [],
        about: TABLES_FORMAT.about,
        unit: 'record',
        upload: [],
        grid: new PreviewGrid(),
      },
    );
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
