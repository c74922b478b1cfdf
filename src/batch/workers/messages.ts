/**
 * What a batch and its worker processes tell each other, as plain data over Node's IPC. A batch sends runs and decides when a request may go
 * out to a server; a worker plays the runs and reports. Nothing here carries a key, a reply or a picture.
 */
import type { RunEnd } from '../../trajectory/records.js';
import type { Spending } from '../../trajectory/spending.js';
import type { RunLocation } from '../executor.js';
import type { PlannedRun } from '../plan.js';
import type { ErrorRecord } from './error-record.js';
import type { LimitMessage } from './limits.js';

export type ToWorker =
  /** First of all, once: what the worker's program needs to open scenarios. */
  | { readonly kind: 'setup'; readonly setup: unknown }
  | { readonly kind: 'play'; readonly run: PlannedRun; readonly place: WorkerLocation }
  | { readonly kind: 'stop'; readonly runId: string; readonly how: 'soft' | 'hard' }
  /** The batch has counted what the run spent, and told it to stop where that was too much. */
  | { readonly kind: 'counted'; readonly runId: string }
  /** The request may go out. */
  | { readonly kind: 'admitted'; readonly request: number }
  /** Another process will write the log. */
  | { readonly kind: 'release'; readonly log: string }
  /** Nothing more is to be played: close the logs and end. */
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'ended'; readonly runId: string; readonly end: RunEnd }
  | { readonly kind: 'failed'; readonly runId: string; readonly error: ErrorRecord }
  | { readonly kind: 'spent'; readonly runId: string; readonly spent: Spending }
  | { readonly kind: 'released'; readonly log: string }
  | { readonly kind: 'remark'; readonly words: string }
  | LimitMessage;

export interface WorkerLocation extends Pick<RunLocation, 'log' | 'isBegun' | 'baseUrl'> {
  /** Whether a step waits until what the run spent before is counted. */
  readonly hasBudget: boolean;
}
