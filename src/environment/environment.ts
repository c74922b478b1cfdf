/**
 * The contract of a world. All of it is pure: the same state and intents give the same result on every machine.
 * `advance` and `endTurn` are the only places where state changes; observing only reads.
 */
import type { Json } from '../base/json.js';
import type { Problem } from '../base/problem.js';
import type { ActionRegistry, Event, Intent } from './action.js';
import type { Noun, Observation, OfferedAction } from './observation.js';
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

/** Whether the run continues, and how it ended. */
export interface Outcome {
  /** `ended`: it is over, and nothing says whether well or badly. */
  readonly status: 'running' | 'succeeded' | 'failed' | 'ended';
  /** One sentence; empty while running. */
  readonly reason: string;
}

/**
 * Optional hints for a search for a solution (`solve/`), which works without them, but less far. Agents and
 * prompts never see them.
 */
export interface SearchAids<S> {
  /** The same for two states only if the same acts win from both in as many turns. Default: all parts, the turn included. */
  key?(state: S): string;
  /**
   * Estimated distance to success, in tenths of a turn of one agent: an integer, 0 or more; it only orders
   * the search, never excludes anything. Null only if success is certainly impossible, given the withdrawn
   * actions. Default: 0.
   */
  estimate?(state: S, withdrawn: readonly string[]): number | null;
  /** What is worth saying: every text that makes a difference to the rules and that the agent can know. Default: nothing is said. */
  texts?(state: S, agent: string): readonly string[];
  /**
   * Worlds that agents can't distinguish from this one before they have read, heard or tried something,
   * without this one: with the same agents and actions, but other secrets. A solution counts as known only if
   * it wins in all of them. Default: none.
   */
  twins?(): readonly Environment<S>[];
  /**
   * A hash of everything that an agent remembers or has yet to learn, including what `key` leaves out.
   * Default: of the whole state.
   */
  mind?(state: S, agent: string): string;
}

/** A part of the map with a name: rectangles of tiles of the world, both corners included. */
export interface NamedPlace {
  readonly name: string;
  readonly areas: readonly { readonly from: Point; readonly to: Point }[];
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
  /**
   * How to read its pictures, in a few sentences given once. Absent: from above, the agent in the middle,
   * unknown tiles black.
   */
  readonly pictureGuide?: string;
  /** The first state; the same seed gives the same one. */
  create(seed: string): S;
  /** Names of all actions that this agent may ever be offered; its prompt contains no others. */
  scope(agent: string): readonly string[];
  /** Agents that still act: not those that are done, caught or otherwise out of play. */
  active(state: S): readonly string[];
  /** What would be accepted now, with the arguments that would be; a part of what `observe` gives. */
  legalActions(state: S, agent: string): readonly OfferedAction[];
  /** The agent's observation; does not change the state. */
  observe(state: S, agent: string): Observation;
  /** What `agent` sees; everything for null. Null where the environment has no picture. */
  scene(state: S, agent: string | null): Scene | null;
  /** Whether the rules would refuse this now, as far as the actor can know before acting. */
  check(state: S, intent: Intent): Problem | undefined;
  /** One intent in sequential order, one per agent in simultaneous order; free actions always alone. */
  advance(state: S, intents: readonly Intent[]): Advance<S>;
  /** Called once after the agents: NPCs, closing doors, ongoing work; increases the turn counter. */
  endTurn(state: S): TurnEnd<S>;
  /** Whether the run continues; asked after each step and each turn. */
  outcome(state: S): Outcome;
  /** An agent's own outcome, where it has conditions of its own; it never changes once it is not `running`. Absent: the run's is everybody's. */
  outcomeOf?(state: S, agent: string): Outcome['status'];
  /** Everything that can ever be named, whoever perceives it, for lists of all actions. Absent: actions on named things are in none. */
  everyNoun?(): readonly Pick<Noun, 'id' | 'kinds'>[];
  /** Named parts of the map, as people choose them; never told to agents. Absent: there is no map, or no name on it. */
  places?(): readonly NamedPlace[];
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
