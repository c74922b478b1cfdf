/** What the services answer from: the runs, who may ask, the time, and how long a lease lasts. */
import type { ServeClock } from '../clock.js';
import type { Identity } from '../identity.js';
import type { ServedWorld } from '../served-world.js';

export interface ApiOptions {
  readonly world: ServedWorld;
  readonly identity: Identity;
  readonly clock: ServeClock;
  readonly ttlMs: number;
}
