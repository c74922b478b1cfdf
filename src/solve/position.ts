/**
 * A position of the search: a point of a run between two actions, with the state, the turn, and the agents
 * that have yet to act in it. A turn proceeds as in the orchestrator: free actions at once, intents one by
 * one or all together, the outcome checked after every step, then the world's own part.
 */
import { canonicalJson } from '../base/canonical.js';
import type { Intent } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { stateHash } from '../environment/state-hash.js';

export interface TurnRules {
  order: 'sequential' | 'simultaneous';
  /** The last turn, from 1. */
  turnsMax: number;
  /** The maximum number of free actions of an agent in a turn. */
  freeActs: number;
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
}

export type SearchResult<S> =
  | { kind: 'position'; position: SearchPosition<S> }
  | { kind: 'won' }
  /** Failed, no agent left to act, or out of turns. */
  | { kind: 'over' };

/** The start of a turn. */
export function startOfTurn<S>(
  environment: Environment<S>,
  rules: TurnRules,
  start: { state: S; turn: number },
): SearchResult<S> {
  const { status } = environment.outcome(start.state);
  if (status === 'succeeded') return { kind: 'won' };
  const waiting = environment.active(start.state);
  if (status === 'failed' || waiting.length === 0 || start.turn > rules.turnsMax) return { kind: 'over' };
  return { kind: 'position', position: { ...start, waiting, decided: [], free: 0 } };
}

/** The position after an act of the first waiting agent; `check` must not refuse the act. */
export function afterAct<S>(
  environment: Environment<S>,
  rules: TurnRules,
  position: SearchPosition<S>,
  intent: Intent,
): SearchResult<S> {
  const { state, turn, waiting } = position;
  if (environment.actions.get(intent.action)?.cost === 'free') {
    if (position.free >= rules.freeActs) return { kind: 'over' };
    const after = environment.advance(state, [intent]).state;
    return { kind: 'position', position: { ...position, state: after, free: position.free + 1 } };
  }
  const decided = [...position.decided, intent];
  const remaining = waiting.slice(1);
  if (rules.order === 'simultaneous' && remaining.length > 0) {
    return { kind: 'position', position: { ...position, waiting: remaining, decided, free: 0 } };
  }
  return afterStep(environment, rules, { state: environment.advance(state, decided).state, turn, remaining });
}

function afterStep<S>(
  environment: Environment<S>,
  rules: TurnRules,
  { state, turn, remaining }: { state: S; turn: number; remaining: readonly string[] },
): SearchResult<S> {
  const { status } = environment.outcome(state);
  if (status !== 'running') return { kind: status === 'succeeded' ? 'won' : 'over' };
  const active = environment.active(state);
  if (active.length === 0) return { kind: 'over' };
  const waiting = remaining.filter((agent) => active.includes(agent));
  if (waiting.length > 0)
    return { kind: 'position', position: { state, turn, waiting, decided: [], free: 0 } };
  return startOfTurn(environment, rules, { state: environment.endTurn(state).state, turn: turn + 1 });
}

/** The time of a position, in steps since the run began, so that the order within a turn counts too. */
export function timeOf<S>(environment: Environment<S>, { turn, waiting }: SearchPosition<S>): number {
  const [next] = waiting;
  return (turn - 1) * environment.agents.length + environment.agents.indexOf(next ?? '');
}

/** The key of a position: equal only if the same actions lead to the same end. */
export function keyOf<S>(
  environment: Environment<S>,
  { state, waiting, decided }: SearchPosition<S>,
): string {
  const key = environment.search?.key?.(state) ?? stateHash(environment.parts(state));
  return canonicalJson([key, waiting, decided]);
}
