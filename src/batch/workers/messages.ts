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
  | { kind: 'setup'; setup: unknown }
  | { kind: 'play'; run: PlannedRun; location: WorkerLocation }
  | { kind: 'stop'; runId: string; how: 'soft' | 'hard' }
  /** The batch has counted what the run spent, and has told it to stop if that was too much. */
  | { kind: 'counted'; runId: string }
  /** The request may go out. */
  | { kind: 'admitted'; request: number }
  /** Another process is going to write the log. */
  | { kind: 'release'; log: string }
  /** There is nothing more to play: the worker closes the logs and ends. */
  | { kind: 'close' };

export type FromWorker =
  | { kind: 'ended'; runId: string; end: RunEnd }
  | { kind: 'failed'; runId: string; error: ErrorRecord }
  | { kind: 'spent'; runId: string; spent: Spending }
  | { kind: 'released'; log: string }
  | { kind: 'remark'; words: string }
  | LimitMessage;

export interface WorkerLocation extends Pick<RunLocation, 'log' | 'isBegun' | 'servers'> {
  /** Whether a step waits until the previous spending has been counted. */
  hasBudget: boolean;
}
