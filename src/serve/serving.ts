/** How a run is served: what of it the log keeps for a run that goes on, and how many entities it waits for. Pure. */
import type { ServingRecord } from '../trajectory/records.js';
import type { ServedBefore } from './run-store.js';
import type { SchedulePace } from './schedule.js';

/** How time passes in a served run, and who may control what in it. */
export interface Serving {
  readonly pace: SchedulePace;
  /** How many entities must be held before the first tick. */
  readonly waitFor: number;
  /** Agents that the server plays itself, as the scenario says; the others are served. */
  readonly own: readonly string[];
  readonly ttlMs: number;
  /** How many ticks old the observation may be that an intent answers. */
  readonly staleness: number;
}

export function servingOf({ pace, ttlMs, waitFor, staleness, own }: Serving): ServingRecord {
  const { kind, periodMs, windowMs } = pace;
  return { pace: kind, periodMs, windowMs, ttlMs, waitFor, staleness, own };
}

export interface WaitingWorld {
  /** How many entities can be held. */
  readonly served: number;
  /** The tick that is open, or the newest; 0 before the first of this server. */
  readonly tick: number;
  readonly waitedMs: number;
}

/** How many entities must be held for the next tick to begin. */
export function holdersWanted(
  { waitFor, before, ttlMs }: Serving & { readonly before?: ServedBefore },
  { served, tick, waitedMs }: WaitingWorld,
): number {
  const least = Math.min(1, served);
  if (tick !== 0) return least;
  if (before === undefined || before.held === null) return waitFor;
  return waitedMs < ttlMs ? Math.max(least, before.held) : least;
}
