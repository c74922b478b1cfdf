/** The error of a run whose process has died, and whether the run may be tried again. */
import { OrchestrateError } from '../../base/errors.js';

/** The process that played a run has died. Exit 1: it is not known yet what caused it. */
export class WorkerLostError extends OrchestrateError {
  override readonly name = 'WorkerLostError';
  readonly exitCode = 1;
  /** Whether the run may be tried again. */
  readonly mayRetry: boolean;

  /** `givenUp` gives the reason why it may not be tried again; null if it may. */
  constructor(message: string, reason: string | null) {
    super(message, reason === null ? [] : [reason]);
    this.mayRetry = reason === null;
  }
}
