/** What a run is shown from: its log, its world and its tiles. Whoever knows the environments opens them; `view/` knows none. */
import type { LogReader } from '../log/reader.js';
import type { RunSummary } from '../trajectory/run-summary.js';
import type { FilmSource } from '../replay/film.js';

export interface RunSource extends FilmSource {
  /** Name of the log, without its folder. */
  readonly file: string;
}

/** A log whose runs are shown. */
export interface ViewedLog {
  readonly reader: LogReader;
  readonly file: string;
  /** Null: all of its runs, also those that begin meanwhile. */
  readonly runId: string | null;
}

/** Opens a run's world and tiles. May reject with what the user can do about it. */
export type OpenRunSource = (log: ViewedLog, summary: RunSummary) => Promise<RunSource>;
