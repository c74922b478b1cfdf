/**
 * The source of a displayed run: its log, its world and its tiles. The caller opens the environments; `view/`
 * knows none.
 */
import type { LogReader } from '../log/reader.js';
import type { RunSummary } from '../trajectory/run-summary.js';
import type { FilmSource } from '../replay/film.js';

export interface RunSource extends FilmSource {
  /** Name of the log, without its folder. */
  file: string;
}

/** A log whose runs are shown. */
export interface ViewedLog {
  reader: LogReader;
  file: string;
  /** Null for all of its runs, including those that begin later. */
  runId: string | null;
  /** Whether to show a run, if not all are. */
  isWanted?: (runId: string) => boolean;
}

/** Opens a run's world and tiles. May reject with a UsageError or a StorageError. */
export type OpenRunSource = (log: ViewedLog, summary: RunSummary) => Promise<RunSource>;
