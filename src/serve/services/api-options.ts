/** What the services need: the runs, the access rules, the clock, and the duration of a lease. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { ServeClock } from '../clock.js';
import type { Identity } from '../identity.js';
import type { ServedWorld } from '../served-world.js';

export interface ApiOptions {
  world: ServedWorld;
  identity: Identity;
  clock: ServeClock;
  ttlMs: number;
}

/** Answers one request of HTTP, by either of its versions. */
export type RequestHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => Promise<void>;
