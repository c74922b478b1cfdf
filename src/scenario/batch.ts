/** A batch as plain data: scenarios, players, seeds and settings. `load-batch.ts` makes it from a file. */
import type { BuiltInPlayer } from './controllers.js';
import type { ModelSpec } from './scenario.js';

/** One of several servers of a model. */
export interface BatchServer {
  baseUrl: string;
  weight: number;
}

/** A built-in player, a program that the user names, or a model on its servers. */
export type BatchPlayer =
  { kind: BuiltInPlayer | 'process' } | { kind: 'model'; spec: ModelSpec; servers: readonly BatchServer[] };

/** Who plays which agent, by agent; each player has a name, that of its entry in `models` or of its kind. */
export type Lineup = Readonly<Record<string, { name: string; player: BatchPlayer }>>;

/** The players of the agents: as in the scenario, the same one for all, or one for each seat. */
export type BatchPlayers = { kind: 'own' } | BatchPlayer | { kind: 'seats'; seats: Lineup };

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
