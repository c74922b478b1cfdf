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
  readonly settings: RowSettings;
  readonly fields: SentFields;
  /** Own modules, as named on the command line. */
  readonly modules: readonly string[] | undefined;
}

/** What a process does: readings of all runs of a log, or the rows of a run for an export. */
export type WorkerJob =
  { readonly kind: 'runs'; readonly spec: ReadingSpec } | { readonly kind: 'rows'; readonly spec: RowsSpec };

/** The address of a log, or a run. */
export type WorkerItem = string | PickedRun;

export type ToLogWorker =
  | { readonly kind: 'job'; readonly job: WorkerJob }
  | { readonly kind: 'read'; readonly item: WorkerItem }
  /** Acknowledges one of the parts that were sent. */
  | { readonly kind: 'taken' };

export type FromLogWorker =
  | Extract<ReadPart<unknown>, { kind: 'run' }>
  | { readonly kind: 'rows'; readonly part: SentPart }
  | { readonly kind: 'failed'; readonly error: ErrorRecord; readonly isNoRun: boolean }
  /** The item has been read to its end. */
  | { readonly kind: 'done' };
