/** A batch as plain data: scenarios, players, seeds and settings. `load-batch.ts` makes it from a file. */
import type { ControllerKindIn } from './controllers.js';
import type { ModelSpec } from './scenario.js';

/** One of several servers of a model. */
export interface BatchServer {
  baseUrl: string;
  weight: number;
}

/**
 * The player of the agents: as in the scenario, a built-in player, a program that the user names, or a model
 * on its servers.
 */
export type BatchPlayers =
  | { kind: 'own' }
  | { kind: Exclude<ControllerKindIn<'batch'>, 'model'> }
  | { kind: 'model'; spec: ModelSpec; servers: readonly BatchServer[] };

/** A position of a switch. */
export interface BatchPosition {
  name: string;
  /** `key=value`, as `--set` takes them. */
  set: readonly string[];
}

export interface BatchSpec {
  /** The file's name without its extension. */
  name: string;
  title: string;
  /** Paths relative to the batch's folder, or absolute ones. */
  scenarios: readonly string[];
  /** By name; the name is '' if the scenarios' own players play. */
  players: readonly { name: string; players: BatchPlayers }[];
  /** Null: each scenario's own seed. */
  seeds: readonly string[] | null;
  switches: readonly { name: string; positions: readonly BatchPosition[] }[];
  maxTurns: number | null;
  /** Runs at once. */
  parallel: number;
  limits: BatchLimits;
  patienceMs: number;
}

/** Null: no such limit. */
export interface BatchLimits {
  /** To one server. */
  requestsPerMinute: number | null;
  /** At one server. */
  requestsAtOnce: number | null;
  /** Of all runs together. */
  tokens: number | null;
  cost: number | null;
}
