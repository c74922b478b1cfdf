/**
 * The contract of a world. All of it is pure: the same state and intents give the same result on every
 * machine. `advance` and `endTurn` are the only places where state changes; observing only reads.
 */
import type { Json } from '../base/json.js';
import type { Problem } from '../base/problem.js';
import type { ActionRegistry, Event, Intent } from './action.js';
import type { Noun, Observation, OfferedAction } from './observation.js';
import type { Scene } from './scene.js';
import type { Point } from './space.js';

/** The outcome of an intent. */
export type ActResult =
  { ok: true; message: string; path: readonly Point[] | null } | { ok: false; problem: Problem };

/** The outcome of a step. */
export interface Advance<S> {
  state: S;
  /** One per intent, in the same order. */
  results: readonly ActResult[];
  events: readonly Event[];
}

/** The outcome of the world's part of a turn. */
export interface TurnEnd<S> {
  state: S;
  events: readonly Event[];
}

/** Whether the run continues, and how it ended. */
export interface Outcome {
  /** `ended`: it is over, but neither a success nor a failure. */
  status: 'running' | 'succeeded' | 'failed' | 'ended';
  /** The reason for the end, in one sentence; empty while running. */
  reason: string;
}

/**
 * Optional hints for the search for a solution (`solve/`). The search also works without them, but finds
 * fewer solutions. Agents and prompts never see them.
 */
export interface SearchAids<S> {
  /**
   * Equal for two states only if the same actions win from both in the same number of turns. Default: all
   * parts, including the turn.
   */
  key?(state: S): string;
  /**
   * Estimated distance to success, in tenths of a turn of one agent: an integer, 0 or more. It only orders
   * the search and never excludes anything. Null only if success is certainly impossible, given the withdrawn
   * actions. Default: 0.
   */
  estimate?(state: S, withdrawn: readonly string[]): number | null;
  /**
   * Whether success is certainly impossible from the start of a run, however many turns it has; asked once
   * before a search. Default: false.
   */
  isUnattainable?(start: S): boolean;
  /**
   * Texts that are worth saying: every text that affects the rules and that the agent can know. Default:
   * none.
   */
  texts?(state: S, agent: string): readonly string[];
  /**
   * Other worlds that agents can't distinguish from this one until they have read, heard or tried something:
   * with the same agents and actions, but other secrets. A solution counts as known only if it wins in all of
   * them. Default: none.
   */
  indistinguishableWorlds?(): readonly Environment<S>[];
  /**
   * A hash of everything that an agent remembers or can still learn, including what `key` omits. Default: a
   * hash of the whole state.
   */
  mind?(state: S, agent: string): string;
}

/** A thing that can be counted or held. */
export interface InventoryItem {
  id: string;
  name: string;
  /** The number of things in the stack, 1 for a single thing. */
  amount: number;
  /** Id of the body that holds it, or of the thing that it is in; null if it is on the map. */
  holder: string | null;
}

/** The version of a world's rules, as a served world, its clients and exported tables name it: `grid-4`. */
export function worldVersion(kind: string, rulesVersion: number): string {
  return `${kind}-${rulesVersion}`;
}

/** A part of the map with a name: rectangles of tiles of the world, both corners included. */
export interface NamedPlace {
  name: string;
  areas: readonly { from: Point; to: Point }[];
}

/**
 * The contract of a world: pure, synchronous functions of its state, which is plain JSON (whole numbers only)
 * and never changed in place. `environmentSuite` checks whether a world keeps the contract.
 */
export interface Environment<S> {
  kind: string;
  /** Increased whenever the same log would play differently. */
  rulesVersion: number;
  actions: ActionRegistry<S>;
  /** The ids of the agents, in turn order. */
  agents: readonly string[];
  /** True if there are success conditions, in which case running out of turns is a failure. */
  hasGoal: boolean;
  /**
   * How to read its pictures, in a few sentences that agents get once. If absent, pictures are described as
   * seen from above, with the agent in the middle and unknown tiles in black.
   */
  pictureGuide?: string;
  /** The first state; the same seed gives the same one. */
  create(seed: string): S;
  /** Names of all actions that this agent may ever be offered; its prompt contains no others. */
  scope(agent: string): readonly string[];
  /** Agents that still act, that is, all except those that are done, caught or otherwise out of the game. */
  active(state: S): readonly string[];
  /**
   * The actions that would be accepted now, with their possible arguments; part of what `observe` returns.
   */
  legalActions(state: S, agent: string): readonly OfferedAction[];
  /** The agent's observation; does not change the state. */
  observe(state: S, agent: string): Observation;
  /** What `agent` sees, or everything if it is null. Returns null if the environment has no picture. */
  scene(state: S, agent: string | null): Scene | null;
  /** The problem if the rules would refuse this now, as far as the actor can know in advance. */
  check(state: S, intent: Intent): Problem | undefined;
  /**
   * One intent in sequential order, or one per agent in simultaneous order; a free action is always the only
   * intent.
   */
  advance(state: S, intents: readonly Intent[]): Advance<S>;
  /**
   * Called once after the agents. Moves NPCs, closes doors, continues ongoing work and increments the turn.
   */
  endTurn(state: S): TurnEnd<S>;
  /** Whether the run continues; asked after each step and each turn. */
  outcome(state: S): Outcome;
  /**
   * An agent's own outcome, if it has its own conditions; it never changes once it is not `running`. If
   * absent, every agent has the run's outcome.
   */
  outcomeOf?(state: S, agent: string): Outcome['status'];
  /**
   * Everything that any agent can ever name, for lists of all actions. If absent, such lists contain no
   * actions with names.
   */
  everyNoun?(): readonly Pick<Noun, 'id' | 'kinds'>[];
  /**
   * The names of the things of a kind, each once, for programs that name a kind instead of a thing; empty if there
   * is no such kind. Absent if things have no kinds.
   */
  namesOfKind?: (kind: string) => readonly string[];
  /**
   * Named parts of the map, as people choose them; never shown to agents. Absent if there is no map, or no
   * name on it.
   */
  places?(): readonly NamedPlace[];
  /**
   * How many there are of each thing, and who holds it, for records of a run; never shown to agents. A thing
   * that is used up is left out. Absent if nothing can be held.
   */
  inventory?(state: S): readonly InventoryItem[];
  /**
   * The direction that a body faces, from 0 (north) clockwise to 7 (north-west); null if there is no such
   * body. If absent, records of a run say the direction of its last move.
   */
  facing?(state: S, body: string): number | null;
  /** Every kind of event that can happen; absent if it is not known, as with custom actions. */
  eventKinds?: readonly string[];
  search?: SearchAids<S>;
  /** Hashes of the state's parts by name (terrain, entities, knowledge, speech, rng …), cached by object. */
  parts(state: S): Readonly<Record<string, string>>;
}

/** Opens a definition as an environment. The definition is checked JSON, which the log stores. */
export interface EnvironmentKind<S = unknown> {
  kind: string;
  rulesVersion: number;
  /** All verbs that a world of this kind may offer, for checking a scenario before its world exists. */
  actionNames: readonly string[];
  open(definition: Json): Environment<S>;
}
