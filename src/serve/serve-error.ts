/**
 * The ways in which a request can be refused, on any transport: a reason for programs and a sentence for
 * people. `services/` turns it into a gRPC status with an ErrorInfo.
 */

export type ServeReason =
  | 'RUN_NOT_FOUND'
  | 'ENTITY_NOT_FOUND'
  | 'LEASE_HELD'
  | 'NOT_CONTROLLABLE'
  | 'LEASE_EXPIRED'
  | 'LEASE_SUPERSEDED'
  | 'EPOCH_CHANGED'
  | 'VERSION_MISMATCH'
  | 'RUN_ENDED'
  | 'RESUME_TOO_OLD'
  | 'FIELD_INVALID'
  | 'REQUEST_ID_REUSED'
  | 'TOKEN_MISSING'
  | 'TOKEN_UNKNOWN'
  | 'ROLE_MISSING'
  | 'RATE_LIMITED'
  | 'SHUTTING_DOWN';

export class ServeError extends Error {
  override readonly name = 'ServeError';
  readonly reason: ServeReason;
  /** When it is worth trying again, in milliseconds; null if it isn't, or it is unknown. */
  readonly retryMs: number | null;

  constructor(reason: ServeReason, message: string, retryMs: number | null = null) {
    super(message);
    this.reason = reason;
    this.retryMs = retryMs;
  }
}

/** The end of calls and streams when the server stops: clients may come back. */
export function shuttingDown(): ServeError {
  return new ServeError('SHUTTING_DOWN', 'the server is shutting down', 1000);
}
