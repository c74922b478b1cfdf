/**
 * Distinguishes a failed connection from a refusal by the server, and names a cause that a user can act on.
 * Node and gRPC report a wrong certificate, TLS on one side only and a server that closes the connection
 * under many codes.
 */
import { Code, ConnectError } from '@connectrpc/connect';
import { lookUp } from '../../base/look-up.js';

export interface ConnectionFailure {
  reason: string;
  /** What the user may have to look at: the server itself, or the TLS settings of one side. */
  hints: readonly ('unreachable' | 'secured')[];
}

/**
 * The error with the reason that the server closed the connection, if it is the cause: the library reports
 * such a request as cancelled, although the client did not cancel it.
 */
export function withCloseReason(error: unknown, signal: AbortSignal | null): unknown {
  const isUnrequested =
    error instanceof ConnectError && error.code === Code.Canceled && !(signal?.aborted ?? false);
  return isUnrequested
    ? new ConnectError(CLOSED.reason, Code.Unavailable, undefined, undefined, error)
    : error;
}

/** Null if a server answered. */
export function connectionFailure(error: ConnectError): ConnectionFailure | null {
  const { cause } = error;
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  if (code === null) {
    if (error.rawMessage === CLOSED.reason || wasCutOff(error)) return CLOSED;
    return error.code === Code.Unavailable ? { reason: error.rawMessage, hints: ['unreachable'] } : null;
  }
  if (code === 'ECONNRESET') return CLOSED;
  const reason = lookUp(TLS_FAILURES, code) ?? error.rawMessage.trim();
  return { reason, hints: [TLS_CODE.test(code) ? 'secured' : 'unreachable'] };
}

/**
 * Whether the connection ended during the request: then the error is the library's own, without a response.
 */
function wasCutOff({ code, metadata }: ConnectError): boolean {
  return code === Code.Internal && [...metadata.keys()].length === 0;
}

/** A server that ended, a client without TLS, or a certificate that the server does not accept. */
const CLOSED: ConnectionFailure = {
  reason: 'it closed the connection',
  hints: ['unreachable', 'secured'],
};
/** The codes of failed handshakes and of certificates that were not accepted. */
const TLS_CODE = /^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;
const UNTRUSTED = 'no trusted authority signed its certificate';

const TLS_FAILURES: Readonly<Record<string, string>> = {
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it accepts only clients with a certificate',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use TLS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
};
