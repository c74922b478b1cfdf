/**
 * A run of a log that this process has taken for writing: the one way in to resume or fork a run, a program as well as the
 * command line. In: a log's path and which run; out: whatever comes of it, with log and reader let go.
 */
import { LogReader } from '../log/reader.js';
import { LogWriter } from '../log/writer.js';
import type { OpenEnvironment } from '../replay/restored-history.js';
import type { RunRecord } from '../trajectory/records.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { loggedEnvironment } from './logged-environment.js';

/** A run of an open log, and how records are opened. */
export interface ResumableRun {
  readonly reader: LogReader;
  readonly run: RunRecord;
  readonly open: OpenEnvironment;
}

/** The same, taken for writing. */
export interface TakenRun extends ResumableRun {
  readonly writer: LogWriter;
}

interface RunChoice {
  /** The run's id; may throw where none is meant. */
  readonly choose: (reader: LogReader) => string;
  /** Throws where the log can't be gone on with, before it is taken; by default where the chosen run is damaged. */
  readonly look?: (reader: LogReader) => void;
  /** The environments at hand. */
  readonly modules: readonly EnvironmentModule[];
}

/** StorageError where there is no log, where the run is damaged, or where another process writes the log. */
export async function withTakenRun<T>(
  path: string,
  { choose, modules, look = (reader) => void reader.run(choose(reader)) }: RunChoice,
  use: (taken: TakenRun) => Promise<T>,
): Promise<T> {
  // Throws where there is no log, which a writer would make, and where the run is damaged, before anything is written.
  readingLog(path, look);
  // Taken before anything is read: otherwise another writer could continue while the run is restored.
  const writer = new LogWriter(path);
  const reader = new LogReader(writer.path);
  try {
    const open: OpenEnvironment = (run) => loggedEnvironment(run, modules);
    return await use({ reader, writer, run: reader.run(choose(reader)), open });
  } finally {
    reader.close();
    writer.close();
  }
}

/** Reads something of a log before it is taken. */
export function readingLog<T>(path: string, read: (reader: LogReader) => T): T {
  const reader = new LogReader(path);
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}
