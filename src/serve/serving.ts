/**
 * How a run is served: the options that the log stores for continuing the run, and the number of entities to
 * wait for. Pure.
 */
import type { RunEnd } from '../trajectory/records.js';
import type { ServingRecord } from '../trajectory/record-values.js';
import type { ServedBefore } from './run-store.js';
import type { SchedulePace } from './schedule.js';

/** The pace of a served run, and who may control what in it. */
export interface ServedRunRules {
  pace: SchedulePace;
  /** The number of entities that must be held before the first tick. */
  waitFor: number;
  /** Agents that the server plays itself, as the scenario says; the others are served. */
  own: readonly string[];
  ttlMs: number;
  /** The maximum age in ticks of the observation that an intent answers. */
  staleness: number;
}

/** The state of a served run. */
export type ServedState = 'waiting' | 'running' | 'paused' | RunEnd['status'];

export function servingOf({ pace, ttlMs, waitFor, staleness, own }: ServedRunRules): ServingRecord {
  const { kind, periodMs, windowMs } = pace;
  return { pace: kind, periodMs, windowMs, ttlMs, waitFor, staleness, own };
}

export interface WaitingWorld {
  /** The number of entities that can be held. */
  served: number;
  /** The open tick, or the newest; 0 before the first of this server. */
  tick: number;
  waitedMs: number;
}

/** The number of entities that must be held for the next tick to begin. */
export function requiredHolders(
  { waitFor, before, ttlMs }: ServedRunRules & { before?: ServedBefore },
  { served, tick, waitedMs }: WaitingWorld,
): number {
  const minimum = Math.min(1, served);
  if (tick !== 0) return minimum;
  if (before === undefined || before.held === null) return waitFor;
  return waitedMs < ttlMs ? Math.max(minimum, before.held) : minimum;
}

/** How often a waiting world checks whether a lease has expired; a new one wakes it at once. */
export const RECHECK_MS = 1000;
