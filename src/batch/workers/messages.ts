/**
 * The messages between a batch and its worker processes, as plain data over Node's IPC. A batch sends runs
 * and decides when a request may go out to a server; a worker plays the runs and reports. No message contains
 * a key, a reply or a picture.
 */
import type { RunEnd } from '../../trajectory/records.js';
import type { Spending } from '../../trajectory/spending.js';
import type { RunLocation } from '../executor.js';
import type { PlannedRun } from '../plan.js';
import type { ErrorRecord } from '../../base/error-record.js';
import type { LimitMessage } from './limits.js';

export type ToWorker =
  /** The first message, sent once: what the worker's program needs to open scenarios. */
  | { readonly kind: 'setup'; readonly setup: unknown }
  | { readonly kind: 'play'; readonly run: PlannedRun; readonly location: WorkerLocation }
  | { readonly kind: 'stop'; readonly runId: string; readonly how: 'soft' | 'hard' }
  /** The batch has counted what the run spent, and has told it to stop if that was too much. */
  | { readonly kind: 'counted'; readonly runId: string }
  /** The request may go out. */
  | { readonly kind: 'admitted'; readonly request: number }
  /** Another process is going to write the log. */
  | { readonly kind: 'release'; readonly log: string }
  /** There is nothing more to play: the worker closes the logs and ends. */
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'ended'; readonly runId: string; readonly end: RunEnd }
  | { readonly kind: 'failed'; readonly runId: string; readonly error: ErrorRecord }
  | { readonly kind: 'spent'; readonly runId: string; readonly spent: Spending }
  | { readonly kind: 'released'; readonly log: string }
  | { readonly kind: 'remark'; readonly words: string }
  | LimitMessage;

export interface WorkerLocation extends Pick<RunLocation, 'log' | 'isBegun' | 'baseUrl'> {
  /** Whether a step waits until the previous spending has been counted. */
  readonly hasBudget: boolean;
}
