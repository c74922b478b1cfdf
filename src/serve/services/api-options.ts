/** What the services need: the runs, the access rules, the clock, and the duration of a lease. */
import type { ServeClock } from '../clock.js';
import type { Identity } from '../identity.js';
import type { ServedWorld } from '../served-world.js';

export interface ApiOptions {
  world: ServedWorld;
  identity: Identity;
  clock: ServeClock;
  ttlMs: number;
}
