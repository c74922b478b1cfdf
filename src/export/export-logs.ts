/**
 * `export` for programs: takes logs and the command's options as data, and writes a data set into a folder.
 * The files are the same as those of the command, byte for byte. Only the command has `tables`, which replays
 * the runs.
 */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { NoRunError } from '../log/no-run.js';
import { LogReader } from '../log/reader.js';
import { beginExport, UNFINISHED } from './beginning.js';
import { exportRuns, DEFAULT_SETTINGS, settingsFor, settingsJson } from './export.js';
import type { ExportSettings } from './export.js';
import { EVERYTHING, filter, mayContainRows } from './filter.js';
import type { SampleFilter } from './filter.js';
import type { DataFile } from './format.js';
import { FORMATS } from './formats/formats.js';
import { inspectRuns } from './inputs.js';
import { assertPairs } from './pairs.js';
import { pickRuns } from './picked-runs.js';
import type { ChosenRuns } from './picked-runs.js';
import { leftOutCounts } from './report.js';
import { FolderTarget } from './target.js';

/**
 * What is exported, to which folder, and in which format. Omitted options have the same defaults as those of
 * the command `export` (docs/reference/data-sets.md).
 */
export interface ExportOptions extends Partial<Omit<ExportSettings, 'selection' | 'unit'>> {
  /** Paths of logs: all their runs, or one run with `#run-id`. */
  logs: readonly (string | { path: string; runId: string })[];
  /** Name of a format, for example `trl`. */
  format: string;
  /** A new or empty folder. */
  out: string;
  selection?: Partial<SampleFilter>;
  /** Stops the export: complete files stay, and the signal's reason is thrown. */
  signal?: AbortSignal;
}

/** The result of an export. */
export interface ExportSummary {
  rows: number;
  /**
   * The replies that were left out because they were not understood or not carried out, by the code of their
   * problem; none with `all`.
   */
  leftOut: Readonly<Record<string, number>>;
  /** Rows that were already written, and rows that don't fit the format. */
  duplicates: number;
  unpictured: number;
  files: readonly DataFile[];
  /** Bytes of data files and pictures. */
  bytes: number;
}

/**
 * Throws UsageError if the options can't be combined or used, StorageError if a log can't be read or the
 * folder can't be written to.
 */
export async function exportLogs(options: ExportOptions): Promise<ExportSummary> {
  const { logs, format: name, out, selection, signal, ...otherOptions } = options;
  const format = FORMATS.find((one) => one.name === name);
  if (format === undefined) {
    const names = FORMATS.map((one) => one.name);
    const suggestion = nearest(name, names);
    throw new UsageError(`there is no format "${name}"`, [
      suggestion === undefined ? `the formats are ${names.join(', ')}` : `did you mean "${suggestion}"?`,
    ]);
  }
  const unit = format.unit ?? 'reply';
  const wished = { ...DEFAULT_SETTINGS, ...otherOptions, selection: { ...EVERYTHING, ...selection }, unit };
  const settings = settingsFor(format, wished);
  // An invalid condition is reported before anything is opened or written.
  filter(settings.selection);
  const runs = pickRuns(logs.flatMap(chosenRuns), (summary) =>
    mayContainRows(settings.selection, { summary }),
  );
  if (runs.length === 0) throw new UsageError('the logs contain no runs');
  if (unit === 'pair') assertPairs(runs);
  const target = new FolderTarget(resolve(out), { isFresh: true });
  const inspected = inspectRuns(runs, settingsJson(name, settings));
  beginExport({ folder: target.path, out, inputs: inspected.inputs, continues: false, target });
  const job = { format, runs, inspected, settings, target, onProgress: () => undefined };
  const report = await exportRuns({ ...job, signal: signal ?? new AbortController().signal });
  rmSync(join(target.path, UNFINISHED), { force: true });
  const { tally, files, bytes } = report;
  return {
    rows: tally.rows,
    leftOut: leftOutCounts(tally),
    duplicates: tally.duplicates,
    unpictured: tally.unpictured,
    files,
    bytes,
  };
}

/** The requested runs of a log; none if its first run was stopped before anything was logged. */
function chosenRuns(log: ExportOptions['logs'][number]): readonly ChosenRuns[] {
  const { path, runId } = typeof log === 'string' ? { path: log, runId: null } : log;
  const reader = openedLog(resolve(path));
  if (reader === null) return [];
  try {
    if (runId !== null) reader.run(runId);
    return [{ path: resolve(path), runs: reader.runs(), runId }];
  } finally {
    reader.close();
  }
}

function openedLog(path: string): LogReader | null {
  try {
    return new LogReader(path);
  } catch (error) {
    if (error instanceof NoRunError) return null;
    throw error;
  }
}
