/** The specification that `defineEnvironment` makes an environment from, and the state of that environment. */
import type { RngState } from '../base/rng.js';
import type { ActionRegistry, Event } from './action.js';
import type { InventoryItem, Outcome, SearchAids } from './environment.js';
import type { AgentNews, NewsFacts } from './news.js';
import type { Noun, Observation, Section } from './observation.js';
import type { ActionSpec } from './own-action.js';
import type { Scene } from './scene.js';

/**
 * `C` is the definition from the scenario, with the ids of its agents. `S` is the state of the world: plain
 * JSON without fractions, which must never be changed in place, because hashes are cached by object.
 */
export interface EnvironmentSpec<C, S> {
  /** Its name in scenarios, as the value of `environment`. */
  kind: string;
  /** Increase it whenever the same log would play differently. */
  rulesVersion: number;
  /** Actions besides WAIT, which every environment has. */
  actions: readonly ActionSpec<S>[];
  /** The state before the first turn. All randomness must follow from the seed. */
  create(settings: C & WithAgents, seed: string): S;
  /**
   * The agent's text for each turn, one line per entry, or with `sections` the lines of each by its id. What
   * it heard and noticed and the result of its last action are added.
   */
  tell(
    state: S,
    agent: string,
    settings: C & WithAgents,
  ): readonly string[] | Readonly<Record<string, readonly string[]>>;
  /** The sections of `tell`, in order; those without lines are left out. Default: one, `place`. */
  sections?: readonly Omit<Section, 'lines'>[];
  /** Called after every step. */
  outcome(state: S, settings: C & WithAgents): Outcome;
  /** False if there is no success condition, so that running out of turns is not a failure. Default: true. */
  hasGoal?: boolean;
  /** Names of the actions that an agent may ever be offered. Default: all. */
  scope?(agent: string, settings: C & WithAgents): readonly string[];
  /** Whether an agent still acts. Default: always. */
  isActive?(state: S, agent: string): boolean;
  /** What an agent may name in an argument. Default: nothing. */
  nouns?(state: S, agent: string): readonly SpecNoun[];
  /** The same knowledge as data, for programs; `news` is null without `notice`. Default: nothing. */
  facts?(state: S, agent: string, news: NewsFacts | null): Observation['facts'];
  /**
   * The line in which an agent reads of an event that it perceived (`seenBy`) and did not cause, in the state
   * after the step; null for none. With it, agents get news: the sections `heard` and `noticed`, until they
   * spend their turn. Default: nobody hears or notices anything.
   */
  notice?(state: S, agent: string, event: Event): string | null;
  /** What an agent sees, or everything if the agent is null. Default: the environment has no picture. */
  scene?(state: S, agent: string | null): Scene;
  /** How to read its pictures. Default: seen from above, with the agent in the middle. */
  pictureGuide?: string;
  /** Who acts first of agents that act at once: `id`, `drawn` in each tick, or as given. Default: `given`. */
  order?: 'given' | 'id' | 'drawn';
  /** The state after the actions of a step, before anything is noticed. Default: unchanged. */
  settle?(state: S): S;
  /** The world's part of a turn. Default: nothing happens by itself. */
  endTurn?(state: S): { state: S; events?: readonly Event[] };
  /** How many there are of each thing, and who holds it, for records of a run. Default: not recorded. */
  inventory?(state: S): readonly InventoryItem[];
  /** The parts of the state by name, hashed apart, so that `verify` says which differs. Default: one, `world`. */
  parts?(state: S): Readonly<Record<string, unknown>>;
  /** Hints for the search for a solution. */
  search?: Omit<SearchAids<S>, 'indistinguishableWorlds'>;
}

/** A noun; in most worlds it has no aliases. */
export type SpecNoun = Omit<Noun, 'aliases'> & Partial<Pick<Noun, 'aliases'>>;

/** The agents, which every definition has in addition to its settings. */
export interface WithAgents {
  /** Ids, in turn order. */
  agents: readonly string[];
}

/** The state of a world made from a specification. */
export interface DefinedState<S> {
  /** From 1. */
  turn: number;
  /** By agent: the message about its last action, or the reason why it was refused. */
  last: Readonly<Record<string, string>>;
  /** The specification's own state. */
  world: S;
  /** By agent; absent in a world without `notice`. */
  news?: Readonly<Record<string, AgentNews>>;
  /** The stream from which the order of a tick is drawn; absent in a world that doesn't draw it. */
  ties?: RngState;
}

/** Ids of the sections in its observations, which a turn's template may name. */
export const DEFINED_SECTIONS = ['place', 'last'] as const;

/** Ids of the sections that stand after those of `tell` in a world whose agents get news. */
export const ADDED_SECTIONS = ['heard', 'noticed', 'last'] as const;

/** A specification, opened with the settings of a scenario. */
export interface OpenedSpec<C, S> {
  spec: EnvironmentSpec<C, S>;
  actions: ActionRegistry<DefinedState<S>>;
  settings: C & WithAgents;
}
