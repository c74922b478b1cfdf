/**
 * Converts an error of another process to plain data and back, so that it can be treated like an error of this
 * process: of a run in a worker process or in a worker of a queue (`batch`), or of a log in a process that
 * reads logs (`cli/log-worker.ts`, `cli/logs/`).
 */
import {
  ControllerError,
  ModelError,
  OrchestrateError,
  PictureError,
  ScenarioError,
  StorageError,
  UsageError,
} from './errors.js';
import type { Diagnostic } from './errors.js';

export interface ErrorRecord {
  name: string;
  message: string;
  hints: readonly string[];
  /** Of a scenario's error. */
  diagnostics: readonly Diagnostic[];
  /** Of a model's error. */
  isRetryable: boolean;
  isOfRequest: boolean;
  status: number | null;
  baseUrl: string | null;
  gist: string;
  /** From an unexpected error. */
  stack: string;
}

export function errorRecord(error: unknown): ErrorRecord {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const model = error instanceof ModelError ? error : null;
  return {
    name,
    message,
    hints: error instanceof OrchestrateError ? error.hints : [],
    diagnostics: error instanceof ScenarioError ? error.diagnostics : [],
    isRetryable: model?.isRetryable ?? false,
    isOfRequest: model?.isOfRequest ?? false,
    status: model?.status ?? null,
    baseUrl: model?.baseUrl ?? null,
    gist: model?.gist ?? message,
    stack: error instanceof OrchestrateError ? '' : (stack ?? ''),
  };
}

export function recordedError(record: ErrorRecord): Error {
  const { name, message, hints, diagnostics } = record;
  if (name === 'ModelError') return new ModelError(message, record);
  if (name === 'ScenarioError') return new ScenarioError(message, diagnostics);
  const Known = [ControllerError, PictureError, StorageError, UsageError].find((one) => one.name === name);
  if (Known !== undefined) return new Known(message, hints);
  const error = new Error(message);
  error.name = name;
  error.stack = record.stack;
  return error;
}
