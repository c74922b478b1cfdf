/**
 * What a row of the table of faults says: an entry of the list, what the server does, and the one outcome that it may have. The rows
 * lie in `wire-fault-rows.ts` and `body-fault-rows.ts`; `fault-play.ts` plays them.
 */
import type { Behaviour } from '../fake-server/server.mjs';
import type { TransportError } from '../../src/model/transport.js';

export type FaultOutcome =
  /** The reply counts at once. */
  | 'answered'
  /** The try failed, and the next one is answered. */
  | 'retried'
  /** A reply came that may not act: its agent is told why and asked again. */
  | 'asked again'
  /** No other try could help: the run stops with the server's words, and goes on when it is told to. */
  | 'paused';

/** Where no server could do it: the network fails below the client, or the request goes to another address. */
export type Detour =
  { kind: 'fails'; error: TransportError } | { kind: 'elsewhere'; url: (url: string) => string };

export interface FaultRow {
  group: string;
  /** In the words of the list. */
  entry: string;
  /** What becomes of one try; behaviours are played one a request, where the transport sends it twice. */
  does: readonly Behaviour[] | Detour;
  outcome: FaultOutcome;
  /** What is told of it: by the failed try, by the error, or as the problem of the reply. */
  told: RegExp;
  /** Where it is another at the last try: the connection is a fresh one then, or nobody listens any more. */
  atLast?: 'lost' | 'paused';
  /** The reply that counts has other words than the good one, yet means the same. */
  isReworded?: true;
}

/** An entry that this client can't meet. */
export interface ImpossibleRow {
  group: string;
  entry: string;
  cannot: string;
}

export type Row = Omit<FaultRow, 'group'>;
type Does = FaultRow['does'];

export function answered(entry: string, does: Does): Row {
  return { entry, does, outcome: 'answered', told: /^$/ };
}

/** Answered, in other words that mean the same. */
export function reworded(entry: string, does: Does): Row {
  return { ...answered(entry, does), isReworded: true };
}

/** The connection was a kept one, which is no try of its own; a fresh one is. */
export function resent(entry: string, does: Does): Row {
  return { entry, does, outcome: 'answered', atLast: 'lost', told: /^$|ECONNRESET|EPIPE|socket hang up/ };
}

export function retried(entry: string, does: Does, told: RegExp): Row {
  return { entry, does, outcome: 'retried', told };
}

/** Where nobody can be reached, no other request could be answered. */
export function unreached(entry: string, does: Does, told: RegExp): Row {
  return { ...retried(entry, does, told), atLast: 'paused' };
}

export function askedAgain(entry: string, does: Does, told: RegExp): Row {
  return { entry, does, outcome: 'asked again', told };
}

export function paused(entry: string, does: Does, told: RegExp): Row {
  return { entry, does, outcome: 'paused', told };
}
