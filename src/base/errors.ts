/**
 * Errors: the user or the outside was wrong. Thrown, typed, and printed by the command line as one clear
 * message with what to try and an exit code. Never shown to an agent.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/**
 * All that is thrown for what the user or the outside did wrong. `exitCode` is what the command line ends with: 2 usage and scenarios, 3
 * storage, 4 models and controllers.
 */
export abstract class OrchestrateError extends Error {
  abstract readonly exitCode: ExitCode;
  /** What the user could do about it, one line each. */
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
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The offending line, its indentation kept, cut to a printable window; '' where there is none to show. */
  readonly source: string;
  /** The position of the mistake in `source`, from 1. */
  readonly caret: number;
  readonly suggestion?: string;
}

/** The scenario (or a file that it names) is wrong: exit 2, with every mistake found. */
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

/** A picture beside the log can't be written: exit 3. The log itself is whole and takes the run's end. */
export class PictureError extends OrchestrateError {
  override readonly name = 'PictureError';
  readonly exitCode = 3;
}

/** The model server can't be used: exit 4. `message` holds the server's own words where it gave any. */
export class ModelError extends OrchestrateError {
  override readonly name = 'ModelError';
  readonly exitCode = 4;
  readonly isRetryable: boolean;
  readonly status: number | null;
  /** The message without how often it was tried: the same for every call that fails so. */
  readonly gist: string;

  constructor(
    message: string,
    options: {
      isRetryable: boolean;
      status?: number | null;
      gist?: string;
      hints?: readonly string[];
      cause?: unknown;
    },
  ) {
    super(message, options.hints ?? [], options.cause === undefined ? undefined : { cause: options.cause });
    this.isRetryable = options.isRetryable;
    this.status = options.status ?? null;
    this.gist = options.gist ?? message;
  }
}

/** A controller can't be used, other than a model server: exit 4. */
export class ControllerError extends OrchestrateError {
  override readonly name = 'ControllerError';
  readonly exitCode = 4;
}
