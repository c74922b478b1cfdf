/**
 * Opens a run of a log for writing. Programs and the command line both resume and fork runs only through
 * this. Log and reader are closed after the callback.
 */
import { LogReader } from '../log/reader.js';
import { LogWriter } from '../log/writer.js';
import type { OpenEnvironment } from '../replay/restored-history.js';
import type { RunRecord } from '../trajectory/records.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { loggedEnvironment } from './logged-environment.js';

/** A run of an open log, and how records are opened. */
export interface ResumableRun {
  reader: LogReader;
  run: RunRecord;
  open: OpenEnvironment;
}

/** The same, with the log open for writing. */
export interface ClaimedRun extends ResumableRun {
  writer: LogWriter;
}

interface RunChoice {
  /** The run's id; may throw if none was chosen. */
  choose: (reader: LogReader) => string;
  /**
   * Throws if the log can't be continued, before it is opened for writing; by default, if the chosen run is
   * damaged.
   */
  check?: (reader: LogReader) => void;
  /** The environments at hand. */
  modules: readonly EnvironmentModule[];
}

/**
 * Throws StorageError if there is no log, if the run is damaged, or if another process is writing the log.
 */
export async function withClaimedRun<T>(
  path: string,
  { choose, modules, check = (reader) => void reader.run(choose(reader)) }: RunChoice,
  use: (claimed: ClaimedRun) => Promise<T>,
): Promise<T> {
  // Throws if there is no log (a writer would create one), or if the run is damaged, before anything is
  // written.
  withLogReader(path, check);
  // The log is claimed before anything is read; otherwise another writer could continue the run while it is
  // being restored.
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

/** Reads something from a log before it is claimed. */
export function withLogReader<T>(path: string, read: (reader: LogReader) => T): T {
  const reader = new LogReader(path);
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}
