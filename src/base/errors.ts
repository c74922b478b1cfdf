/**
 * Errors: mistakes by the user or failures outside the program. They are thrown, and the command line prints
 * each as one clear message with suggestions, and exits with its code. Never shown to an agent.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/**
 * Base class of errors that the user or something outside the program caused. `exitCode` is the exit code of
 * the command line: 2 usage and scenarios, 3 storage, 4 models and controllers.
 */
export abstract class OrchestrateError extends Error {
  abstract readonly exitCode: ExitCode;
  /** Suggestions for the user, one line each. */
  readonly hints: readonly string[];

  constructor(message: string, hints: readonly string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.hints = hints;
  }
}

/** Wrong usage or bad input: exit 2. */
export class UsageError extends OrchestrateError {
  override readonly name = 'UsageError';
  readonly exitCode = 2;
}

/** One mistake in a scenario, a tileset manifest or another text file. Lines and columns count from 1. */
export interface Diagnostic {
  severity: 'error' | 'warning';
  file: string;
  line: number;
  column: number;
  message: string;
  /** The line with the mistake, with its indentation, cut to a printable window; '' if there is none. */
  source: string;
  /** The position of the mistake in `source`, from 1. */
  caret: number;
  suggestion?: string;
  /** The words that agents must say and can't know, if the warning is about such. */
  unknowable?: string;
}

/** The scenario, or a file that it names, has mistakes: exit 2, with every mistake found. */
export class ScenarioError extends OrchestrateError {
  override readonly name = 'ScenarioError';
  readonly exitCode = 2;
  readonly diagnostics: readonly Diagnostic[];

  constructor(message: string, diagnostics: readonly Diagnostic[]) {
    super(message);
    this.diagnostics = diagnostics;
  }
}

/** The log can't be written or read (disk full, read-only, in use, damaged): exit 3. */
export class StorageError extends OrchestrateError {
  override readonly name = 'StorageError';
  readonly exitCode = 3;
}

/**
 * A picture next to the log can't be written: exit 3. The log itself is intact and still records the run's
 * end.
 */
export class PictureError extends OrchestrateError {
  override readonly name = 'PictureError';
  readonly exitCode = 3;
}

/** The model server can't be used: exit 4. `message` contains the server's own message if there was one. */
export class ModelError extends OrchestrateError {
  override readonly name = 'ModelError';
  readonly exitCode = 4;
  readonly isRetryable: boolean;
  /** The server failed at this request, but answers others. */
  readonly isOfRequest: boolean;
  /** The failed tries of the request, newest last, each with the milliseconds since the call began. */
  readonly tries: readonly { problem: string; afterMs: number }[];
  readonly status: number | null;
  /** The address of the server that failed; null if that is not known. */
  readonly baseUrl: string | null;
  /** The message without the number of tries: the same for every call that fails for the same reason. */
  readonly gist: string;

  constructor(
    message: string,
    options: {
      isRetryable: boolean;
      isOfRequest?: boolean;
      tries?: ModelError['tries'];
      status?: number | null;
      baseUrl?: string | null;
      gist?: string;
      hints?: readonly string[];
      cause?: unknown;
    },
  ) {
    super(message, options.hints ?? [], options.cause === undefined ? undefined : { cause: options.cause });
    this.isRetryable = options.isRetryable;
    this.isOfRequest = options.isOfRequest ?? false;
    this.tries = options.tries ?? [];
    this.status = options.status ?? null;
    this.baseUrl = options.baseUrl ?? null;
    this.gist = options.gist ?? message;
  }
}

/** A controller other than a model server can't be used: exit 4. */
export class ControllerError extends OrchestrateError {
  override readonly name = 'ControllerError';
  readonly exitCode = 4;
}

/** The message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
