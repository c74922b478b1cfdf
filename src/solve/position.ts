/**
 * A position of the search: a point of a run between two actions, with the state, the turn, and the agents
 * that have yet to act in it. A turn proceeds as in the orchestrator: free actions at once, intents one by
 * one or all together, the outcome checked after every step, then the world's own part.
 */
import { canonicalJson } from '../base/canonical.js';
import { lookUp } from '../base/look-up.js';
import type { Json } from '../base/json.js';
import type { Intent } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { stateHash } from '../environment/state-hash.js';

/**
 * An agent that is part of the world acts as its controller would, and helps nobody. `memory` is what it
 * returned last, null at first.
 */
export type WorldAgent = <S>(
  environment: Environment<S>,
  state: S,
  call: { turn: number; free: number; memory: Json },
) => { intent: Intent; memory: Json };

export interface TurnRules {
  order: 'sequential' | 'simultaneous';
  /** The last turn, from 1. */
  turnsMax: number;
  /** The maximum number of free actions of an agent in a turn. */
  freeActs: number;
  /** The agents for which the search does not decide. Default: none. */
  world?: ReadonlyMap<string, WorldAgent>;
}

export interface SearchPosition<S> {
  state: S;
  /** From 1. */
  turn: number;
  /** Agents that have yet to act in this turn, in order; never empty. */
  waiting: readonly string[];
  /** In simultaneous order: the decisions of this turn, which are settled when all have decided. */
  decided: readonly Intent[];
  /** The number of free acts that the first agent of `waiting` has done in this turn. */
  free: number;
  /** By agent of the world: what it remembers. Default: nothing yet. */
  memories?: Readonly<Record<string, Json>>;
}

export type SearchResult<S> =
  | { kind: 'position'; position: SearchPosition<S> }
  /** `turn`: the last one that was played; 0 if there was none. */
  | { kind: 'won'; turn: number }
  /** Failed, no agent left to act, or out of turns. */
  | { kind: 'over' };

/** The start of a turn, after the acts of agents of the world that come first in it. */
export function startOfTurn<S>(
  environment: Environment<S>,
  rules: TurnRules,
  start: Pick<SearchPosition<S>, 'state' | 'turn' | 'memories'>,
): SearchResult<S> {
  return afterWorldAgents(environment, rules, beginTurn(environment, rules, start));
}

/**
 * The position after an act of the first waiting agent, and after those of agents of the world that follow;
 * `check` must not refuse the act.
 */
export function afterAct<S>(
  environment: Environment<S>,
  rules: TurnRules,
  position: SearchPosition<S>,
  intent: Intent,
): SearchResult<S> {
  return afterWorldAgents(environment, rules, act(environment, rules, position, intent));
}

/** After those of agents of the world that come first. */
export function afterWorldAgents<S>(
  environment: Environment<S>,
  rules: TurnRules,
  result: SearchResult<S>,
): SearchResult<S> {
  let reached = result;
  while (reached.kind === 'position') {
    const { state, turn, waiting, free, memories = {} }: SearchPosition<S> = reached.position;
    const [agent = ''] = waiting;
    const worldAgent = rules.world?.get(agent);
    if (worldAgent === undefined) return reached;
    const { intent, memory } = worldAgent(environment, state, {
      turn,
      free,
      memory: lookUp(memories, agent) ?? null,
    });
    const informed = { ...reached.position, memories: { ...memories, [agent]: memory } };
    reached = act(environment, rules, informed, intent);
  }
  return reached;
}

function beginTurn<S>(
  environment: Environment<S>,
  rules: TurnRules,
  start: Pick<SearchPosition<S>, 'state' | 'turn' | 'memories'>,
): SearchResult<S> {
  const { status } = environment.outcome(start.state);
  if (status === 'succeeded') return { kind: 'won', turn: start.turn - 1 };
  const waiting = environment.active(start.state);
  if (status === 'failed' || waiting.length === 0 || start.turn > rules.turnsMax) return { kind: 'over' };
  return { kind: 'position', position: { ...start, waiting, decided: [], free: 0 } };
}

function act<S>(
  environment: Environment<S>,
  rules: TurnRules,
  position: SearchPosition<S>,
  intent: Intent,
): SearchResult<S> {
  const { state, waiting, turn } = position;
  if (environment.actions.get(intent.action)?.cost === 'free') {
    if (position.free >= rules.freeActs) return { kind: 'over' };
    const view = environment.advance(state, [intent]).state;
    return { kind: 'position', position: { ...position, state: view, free: position.free + 1 } };
  }
  const decided = [...position.decided, intent];
  const remaining = waiting.slice(1);
  if (rules.order === 'simultaneous' && remaining.length > 0)
    return { kind: 'position', position: { ...position, waiting: remaining, decided, free: 0 } };
  const after = environment.advance(state, decided).state;
  const { status } = environment.outcome(after);
  if (status !== 'running') return status === 'succeeded' ? { kind: 'won', turn } : { kind: 'over' };
  const active = environment.active(after);
  if (active.length === 0) return { kind: 'over' };
  const stillWaiting = remaining.filter((agent) => active.includes(agent));
  if (stillWaiting.length === 0)
    return beginTurn(environment, rules, {
      ...position,
      state: environment.endTurn(after).state,
      turn: turn + 1,
    });
  return {
    kind: 'position',
    position: { ...position, state: after, waiting: stillWaiting, decided: [], free: 0 },
  };
}

/** The time of a position, in steps since the run began, so that the order within a turn counts too. */
export function timeOf<S>(environment: Environment<S>, { turn, waiting }: SearchPosition<S>): number {
  const [next] = waiting;
  return (turn - 1) * environment.agents.length + environment.agents.indexOf(next ?? '');
}

/** The key of a position: equal only if the same actions lead to the same end. */
export function keyOf<S>(
  environment: Environment<S>,
  { state, waiting, decided, memories = {} }: SearchPosition<S>,
): string {
  const key = environment.search?.key?.(state) ?? stateHash(environment.parts(state));
  return canonicalJson([key, waiting, decided, memories]);
}
