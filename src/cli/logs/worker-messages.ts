/**
 * The messages between a command and the processes that read logs for it (`worker-pool.ts`,
 * `../log-worker.ts`), as plain data.
 */
import type { ErrorRecord } from '../../base/error-record.js';
import type { PickedRun } from '../../export/picked-runs.js';
import type { RowSettings } from '../../export/row-settings.js';
import type { SentFields, SentPart } from '../../export/sent-rows.js';
import type { ReadingSpec } from './log-readings.js';
import type { ReadPart } from './read-logs.js';

/** What a process needs to know to make rows. */
export interface RowsSpec {
  settings: RowSettings;
  fields: SentFields;
  /** Own modules, as named on the command line. */
  modules: readonly string[] | undefined;
}

/** What a process does: readings of all runs of a log, or the rows of a run for an export. */
export type WorkerJob = { kind: 'runs'; spec: ReadingSpec } | { kind: 'rows'; spec: RowsSpec };

/** The address of a log, or a run. */
export type WorkerItem = string | PickedRun;

export type ToLogWorker =
  | { kind: 'job'; job: WorkerJob }
  | { kind: 'read'; item: WorkerItem }
  /** Acknowledges one of the parts that were sent. */
  | { kind: 'taken' };

export type FromLogWorker =
  | Extract<ReadPart<unknown>, { kind: 'run' }>
  | { kind: 'rows'; part: SentPart }
  | { kind: 'failed'; error: ErrorRecord; isNoRun: boolean }
  /** The item has been read to its end. */
  | { kind: 'done' };
