/** A batch as plain data: scenarios, players, seeds and settings. `load-batch.ts` makes it from a file. */
import type { ModelSpec } from './scenario.js';

/** One of several servers of a model. */
export interface BatchServer {
  readonly baseUrl: string;
  readonly weight: number;
}

/**
 * The player of the agents: as in the scenario, a built-in player, a program that the user names, or a model
 * on its servers.
 */
export type BatchPlayers =
  | { readonly kind: 'own' }
  | { readonly kind: 'scripted' | 'random' | 'oracle' | 'process' }
  | { readonly kind: 'model'; readonly spec: ModelSpec; readonly servers: readonly BatchServer[] };

/** A position of a switch. */
export interface BatchPosition {
  readonly name: string;
  /** `key=value`, as `--set` takes them. */
  readonly set: readonly string[];
}

export interface BatchSpec {
  /** The file's name without its extension. */
  readonly name: string;
  readonly title: string;
  /** Paths relative to the batch's folder, or absolute ones. */
  readonly scenarios: readonly string[];
  /** By name; the name is '' if the scenarios' own players play. */
  readonly players: readonly { readonly name: string; readonly players: BatchPlayers }[];
  /** Null: each scenario's own seed. */
  readonly seeds: readonly string[] | null;
  readonly switches: readonly { readonly name: string; readonly positions: readonly BatchPosition[] }[];
  readonly maxTurns: number | null;
  /** Runs at once. */
  readonly parallel: number;
  readonly limits: BatchLimits;
  readonly patienceMs: number;
}

/** Null: no such limit. */
export interface BatchLimits {
  /** To one server. */
  readonly requestsPerMinute: number | null;
  /** At one server. */
  readonly requestsAtOnce: number | null;
  /** Of all runs together. */
  readonly tokens: number | null;
  readonly cost: number | null;
}
