/**
 * A page's connection to the served world: its services as JSON over HTTP on the page's own origin, and what
 * its refusals mean for a person.
 */
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import type { Client, Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { ErrorInfoSchema } from '../serve/gen/google/rpc/error_details_pb.js';
import { LeaseService, PlayService, WorldService } from '../serve/gen/orchestrate/world/v1/world_pb.js';

export interface WorldLink {
  worlds: Client<typeof WorldService>;
  leases: Client<typeof LeaseService>;
  play: Client<typeof PlayService>;
}

/** A server that is stopped, or whose machine is gone, closes nothing: it is noticed by its silence. */
export const ANSWER_MS = 10_000;

/** `token`: read for each call; '' for none. */
export function linkTo(baseUrl: string, token: () => string): WorldLink {
  const authorize: Interceptor = (next) => (request) => {
    if (token() !== '') request.header.set('authorization', `Bearer ${token()}`);
    return next(request);
  };
  const transport = { baseUrl, interceptors: [authorize] };
  const prompt = createConnectTransport({ ...transport, defaultTimeoutMs: ANSWER_MS });
  return {
    worlds: createClient(WorldService, prompt),
    leases: createClient(LeaseService, prompt),
    // Streams, and intents, which are acknowledged when the tick is settled.
    play: createClient(PlayService, createConnectTransport(transport)),
  };
}

/** The reason of a refusal; '' if the world gave none. */
export function reasonOf(error: unknown): string {
  return error instanceof ConnectError ? (error.findDetails(ErrorInfoSchema)[0]?.reason ?? '') : '';
}

/** Whether another token may help. */
export function isAboutToken(error: unknown): boolean {
  return reasonOf(error) === 'TOKEN_MISSING' || reasonOf(error) === 'TOKEN_UNKNOWN';
}

const REFUSAL_TEXTS: Readonly<Record<string, string>> = {
  LEASE_EXPIRED: 'Your seat has ended: it was not renewed in time, or you gave it back.',
  LEASE_SUPERSEDED: 'Someone else has taken over your seat.',
  EPOCH_CHANGED: 'Someone else has taken over your seat.',
  RUN_ENDED: 'The run has ended.',
  SHUTTING_DOWN: 'The server is shutting down.',
  TOKEN_MISSING: 'This world requires a token: enter yours.',
  TOKEN_UNKNOWN: 'This world does not accept the token: enter another.',
};

/** The message for a person. */
export function errorText(error: unknown): string {
  const text = REFUSAL_TEXTS[reasonOf(error)];
  if (text !== undefined) return text;
  if (!(error instanceof ConnectError)) return 'The served world can’t be reached.';
  if (error.code === Code.Unknown || error.code === Code.Unavailable)
    return 'The served world can’t be reached.';
  if (error.code === Code.DeadlineExceeded) return 'The served world does not answer.';
  return sentence(error.rawMessage);
}

function sentence(message: string): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
