/**
 * The first half of a turn: intents in, state and results out. Sequential is a list of one intent,
 * simultaneous one per robot, performed in the order of their ids or in a drawn one, each checked again on
 * the result of the others. Then all robots update their knowledge and learn of the events they saw.
 */
import { assert, known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import { shuffled } from '../../base/rng.js';
import type { Problem } from '../../base/problem.js';
import { problem } from '../../base/problem.js';
import type { Event, Intent } from '../../environment/action.js';
import type { ActResult, Advance } from '../../environment/environment.js';
import { setMind } from './change.js';
import { learn } from './knowledge.js';
import { tellEvents } from './perceive.js';
import type { WorkcellRegistry } from './registry.js';
import type { WorkcellState } from './state.js';
import type { Workcell } from './world.js';
import { activeRobots, isAllowed, mindOf } from './world.js';

/** Why an intent is refused before it is tried; undefined where nothing speaks against it. */
export function checkIntent(
  world: Workcell,
  actions: WorkcellRegistry,
  state: WorkcellState,
  { agent, action: verb, args }: Intent,
): Problem | undefined {
  const action = actions.get(verb);
  if (action === undefined) return problem('unknown-action', `There is no action ${JSON.stringify(verb)}.`);
  if (!activeRobots(world, state).includes(agent))
    return problem('illegal/not-active', 'You no longer act in this run.');
  if (!isAllowed(world, agent, action.name))
    return problem('not-offered', `${action.name} is not one of your actions.`);
  return action.check(state, agent, args);
}

interface WorkcellTick {
  readonly state: WorkcellState;
  readonly results: Readonly<Record<string, ActResult>>;
  readonly events: readonly Event[];
}

export function advanceState(
  world: Workcell,
  actions: WorkcellRegistry,
  before: WorkcellState,
  intents: readonly Intent[],
): Advance<WorkcellState> {
  assert(new Set(intents.map(({ agent }) => agent)).size === intents.length, 'two intents of one robot');
  const { order, state: drawn } = inTheirOrder(before, intents);
  const start: WorkcellTick = { state: order.reduce(emptyInbox, drawn), results: {}, events: [] };
  const { state, results, events } = order.reduce(
    (tick, intent) => perform(world, actions, tick, intent),
    start,
  );
  const told = tellEvents(world, tellActors(learn(world, state), results), events);
  return {
    state: told,
    results: intents.map(({ agent }) => known(lookUp(results, agent), `result of ${agent}`)),
    events,
  };
}

/** By id, or drawn where the state has a stream for it: of two that want the same the first gets it. */
function inTheirOrder(
  state: WorkcellState,
  intents: readonly Intent[],
): { readonly order: readonly Intent[]; readonly state: WorkcellState } {
  const byId = intents.toSorted((a, b) => compareText(a.agent, b.agent));
  if (state.ties === undefined || byId.length < 2) return { order: byId, state };
  const drawn = shuffled(state.ties, byId);
  return { order: drawn.value, state: { ...state, ties: drawn.state } };
}

/** A robot that spends its turn has read its inbox; speech of this tick stays for the next one. */
function emptyInbox(state: WorkcellState, { agent }: Intent): WorkcellState {
  return Object.hasOwn(state.minds, agent) && mindOf(state, agent).inbox.length > 0
    ? setMind(state, agent, { inbox: [] })
    : state;
}

function perform(
  world: Workcell,
  actions: WorkcellRegistry,
  tick: WorkcellTick,
  intent: Intent,
): WorkcellTick {
  const { agent, args } = intent;
  const action = actions.get(intent.action);
  const refusal = checkIntent(world, actions, tick.state, intent);
  if (action === undefined || refusal !== undefined)
    return refused(tick, agent, known(refusal, 'why an unknown action is refused'));
  const failure = action.attempt?.(tick.state, agent, args);
  if (failure !== undefined)
    return refused({ ...tick, state: action.tried?.(tick.state, agent) ?? tick.state }, agent, failure);
  const { state, message, events, path } = action.apply(tick.state, agent, args);
  const result = { ok: true, message, path: path ?? null } as const;
  return { state, results: { ...tick.results, [agent]: result }, events: [...tick.events, ...events] };
}

function refused(tick: WorkcellTick, agent: string, why: Problem): WorkcellTick {
  return { ...tick, results: { ...tick.results, [agent]: { ok: false, problem: why } } };
}

function tellActors(state: WorkcellState, results: WorkcellTick['results']): WorkcellState {
  return Object.entries(results)
    .filter(([agent]) => Object.hasOwn(state.minds, agent))
    .reduce((now, [agent, result]) => {
      const last = result.ok ? result.message : result.problem.message;
      return setMind(now, agent, { last, lastOk: result.ok });
    }, state);
}
