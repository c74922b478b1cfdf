/** The reference players: built-in players that know the rules and the goal of a scenario, and nothing of its state. */
import type { Json } from '../../base/json.js';
import type { ScriptedPlayer } from './scripted-player.js';

/**
 * `sighted` uses all of its agent's observation; `deaf` the same without what others say; `text-only` uses the
 * words alone that are sent beside a picture.
 */
export const SENSES = ['sighted', 'text-only', 'deaf'] as const;
export type Sense = (typeof SENSES)[number];

/** One of the ways in which a scenario may have been drawn. */
export interface Hypothesis {
  /** The drawn values by name; none without draws. */
  drawn: Readonly<Record<string, string | number>>;
  /** The world's definition, of which a player uses the rules, never where things are. */
  definition: Json;
}

/** What a reference player knows before it sees anything. */
export interface ReferenceTask {
  sense: Sense;
  agent: string;
  /** For its own draws. */
  seed: string;
  turnsMax: number;
  /** Ids of the other agents that players play. */
  others: readonly string[];
  /** Those in which it has the goals that it has; the real one is among them, unless there are too many. */
  hypotheses: readonly Hypothesis[];
  /** The names of the draws in its goals. */
  told: ReadonlySet<string>;
}

export type ReferencePlayer = (task: ReferenceTask) => ScriptedPlayer;
