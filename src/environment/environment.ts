/**
 * The contract of a world. All of it is pure: the same state and intents give the same result on every machine.
 * `advance` and `endTurn` are the only places where state changes; observing only reads.
 */
import type { Json } from '../base/json.js';
import type { Problem } from '../base/problem.js';
import type { ActionRegistry, Event, Intent } from './action.js';
import type { Observation, OfferedAction } from './observation.js';
import type { Scene } from './scene.js';
import type { Point } from './space.js';

/** What became of an intent. */
export type ActResult =
  | { readonly ok: true; readonly message: string; readonly path: readonly Point[] | null }
  | { readonly ok: false; readonly problem: Problem };

/** What a step came to. */
export interface Advance<S> {
  readonly state: S;
  /** One per intent, in the intents' order. */
  readonly results: readonly ActResult[];
  readonly events: readonly Event[];
}

/** What the world's own part of a turn came to. */
export interface TurnEnd<S> {
  readonly state: S;
  readonly events: readonly Event[];
}

/** Whether the run goes on, and how it ended. */
export interface Outcome {
  /** `ended`: it is over, and nothing says whether well or badly. */
  readonly status: 'running' | 'succeeded' | 'failed' | 'ended';
  /** One sentence; empty while running. */
  readonly reason: string;
}

/**
 * What an environment may tell a search for a way to win (`solve/`), which works without it, only less far. Agents and prompts never
 * get to see any of it.
 */
export interface SearchAids<S> {
  /** The same for two states only if the same acts win from both in as many turns. Default: all parts, the turn included. */
  key?(state: S): string;
  /**
   * How far success is at a guess, in tenths of a turn of one agent: an integer, 0 or more; it says what is tried first, never what is
   * possible. Null only where success can certainly come no more, given the actions that nobody may use. Default: 0.
   */
  estimate?(state: S, withdrawn: readonly string[]): number | null;
  /** What is worth saying: every text that makes a difference to the rules and that the agent can know. Default: nothing is said. */
  texts?(state: S, agent: string): readonly string[];
  /**
   * Worlds that agents can't tell from this one before they have read, heard or tried something, this one left out: with the same agents
   * and actions, and other secrets. A way to win counts as known only if it wins in all of them. Default: none.
   */
  twins?(): readonly Environment<S>[];
  /** A hash of what an agent remembers and is yet to be told, all that `key` leaves out of it included. Default: of the whole state. */
  mind?(state: S, agent: string): string;
}

/**
 * The contract of a world: pure, synchronous functions of its state, which is plain JSON (whole numbers only) and never changed in place.
 * `environmentSuite` shows whether a world keeps it.
 */
export interface Environment<S> {
  readonly kind: string;
  /** Raised whenever the same log would play differently. */
  readonly rulesVersion: number;
  readonly actions: ActionRegistry<S>;
  /** In turn order. */
  readonly agents: readonly string[];
  /** True where success conditions exist, so that running out of turns is a failure. */
  readonly hasGoal: boolean;
  /** How its pictures are to be read, in a few sentences told once. Absent: from above, the agent in the middle, unknown tiles black. */
  readonly pictureGuide?: string;
  /** The first state; the same seed gives the same one. */
  create(seed: string): S;
  /** Names of all actions that this agent may ever be offered; its prompt tells of no others. */
  scope(agent: string): readonly string[];
  /** Agents that still act: not those that are done, caught or otherwise out of play. */
  active(state: S): readonly string[];
  /** What would be accepted now, with the arguments that would be; a part of what `observe` gives. */
  legalActions(state: S, agent: string): readonly OfferedAction[];
  /** What the agent is told; reading only. */
  observe(state: S, agent: string): Observation;
  /** What `agent` sees; everything for null. Null where the environment has no picture. */
  scene(state: S, agent: string | null): Scene | null;
  /** Whether the rules would refuse this now, as far as the actor can know before acting. */
  check(state: S, intent: Intent): Problem | undefined;
  /** One intent in sequential order, one per agent in simultaneous order; free actions always alone. */
  advance(state: S, intents: readonly Intent[]): Advance<S>;
  /** Once after the agents: NPCs, doors that close, work that goes on; raises the turn counter. */
  endTurn(state: S): TurnEnd<S>;
  /** Whether it goes on; asked after each step and each turn. */
  outcome(state: S): Outcome;
  readonly search?: SearchAids<S>;
  /** Hashes of the state's parts by name (terrain, entities, knowledge, speech, rng …), cached by identity. */
  parts(state: S): Readonly<Record<string, string>>;
}

/** What opens a definition into an environment. The definition is checked JSON; the log stores it. */
export interface EnvironmentKind<S = unknown> {
  readonly kind: string;
  readonly rulesVersion: number;
  /** Every verb that a world of this kind may offer, for checking a scenario before there is a world. */
  readonly actionNames: readonly string[];
  open(definition: Json): Environment<S>;
}
