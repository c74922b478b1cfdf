/** The reference players: built-in players that know the rules and the goal of a scenario, and nothing of its state. */
import type { Json } from '../../base/json.js';
import type { ScriptedPlayer } from './scripted-player.js';

/**
 * `sighted` uses all of its agent's observation; `deaf` the same, but it neither speaks nor hears what others
 * say; `text-only` uses the words alone that are sent beside a picture.
 */
export const SENSES = ['sighted', 'text-only', 'deaf'] as const;
export type Sense = (typeof SENSES)[number];

/** One of the ways in which a scenario may have been drawn. */
export interface Hypothesis {
  /** The drawn values by name; none without draws. */
  drawn: Readonly<Record<string, string | number>>;
  /** The world's definition, of which a player uses the rules, never where things are. */
  definition: Json;
  /** What the agents are told of their goals, by id. */
  goals: Readonly<Record<string, readonly string[]>>;
}

/** What a reference player knows before it sees anything. */
export interface ReferenceTask {
  sense: Sense;
  agent: string;
  /** What the agent is told of its goals. */
  goals: readonly string[];
  /** For its own draws. */
  seed: string;
  /** The number of turns of the run. */
  turnsMax: number;
  /** Ids of the other agents that players play. */
  others: readonly string[];
  /** All of them, the real one among them. */
  hypotheses: readonly Hypothesis[];
}

export type ReferencePlayer = (task: ReferenceTask) => ScriptedPlayer;
