/**
 * Refusals as gRPC statuses: one code, one ErrorInfo of the domain `orchestrate.world`, and a RetryInfo if it
 * is worth trying again.
 */
import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorInfoSchema, RetryInfoSchema } from '../gen/google/rpc/error_details_pb.js';
import { ServeError } from '../serve-error.js';
import type { ServeReason } from '../serve-error.js';
import { wireDuration } from '../durations.js';

const DOMAIN = 'orchestrate.world';

const CODES: Readonly<Record<ServeReason, Code>> = {
  RUN_NOT_FOUND: Code.NotFound,
  ENTITY_NOT_FOUND: Code.NotFound,
  LEASE_HELD: Code.FailedPrecondition,
  NOT_CONTROLLABLE: Code.FailedPrecondition,
  LEASE_EXPIRED: Code.FailedPrecondition,
  LEASE_SUPERSEDED: Code.Aborted,
  EPOCH_CHANGED: Code.Aborted,
  VERSION_MISMATCH: Code.FailedPrecondition,
  RUN_ENDED: Code.FailedPrecondition,
  RESUME_TOO_OLD: Code.OutOfRange,
  FIELD_INVALID: Code.InvalidArgument,
  REQUEST_ID_REUSED: Code.InvalidArgument,
  TOKEN_MISSING: Code.Unauthenticated,
  TOKEN_UNKNOWN: Code.Unauthenticated,
  ROLE_MISSING: Code.PermissionDenied,
  RATE_LIMITED: Code.ResourceExhausted,
  SHUTTING_DOWN: Code.Unavailable,
};

/** The error for the transport. Our own errors are not sent to clients, because they may name files. */
export function statusOf(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  if (!(error instanceof ServeError)) return new ConnectError('internal error', Code.Internal);
  const { reason, message, retryMs } = error;
  const info = { desc: ErrorInfoSchema, value: { reason, domain: DOMAIN } };
  const retry =
    retryMs === null ? [] : [{ desc: RetryInfoSchema, value: { retryDelay: wireDuration(retryMs) } }];
  return new ConnectError(message, CODES[reason], undefined, [info, ...retry]);
}

/** Runs a unary handler and turns its refusals into statuses. */
export async function withStatus<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw statusOf(error);
  }
}

/** The same for a handler that answers with a stream, which may be cut short by the call's deadline. */
export async function* streamWithStatus<T>(
  work: () => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  try {
    for await (const message of work()) {
      signal.throwIfAborted();
      yield message;
    }
    signal.throwIfAborted();
  } catch (error) {
    throw statusOf(error);
  }
}
