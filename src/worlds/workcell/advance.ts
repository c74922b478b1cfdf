/**
 * The first half of a turn: intents in, state and results out. Sequential order passes a single intent,
 * simultaneous order one per robot. They are performed in the order of the robots' ids or in a drawn order,
 * each checked again in the state after the previous ones. Then the knowledge of all robots is updated, and
 * they are told of the events that they saw.
 */
import { assert, known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import { shuffled } from '../../base/rng.js';
import type { Problem } from '../../base/problem.js';
import { problem } from '../../base/problem.js';
import type { Event, Intent } from '../../environment/action.js';
import type { ActResult, Advance } from '../../environment/environment.js';
import { setMind, addInbox } from './change.js';
import { learn } from './knowledge.js';
import type { WorkcellRegistry } from './registry.js';
import type { WorkcellState } from './state.js';
import type { Workcell } from './world.js';
import { activeRobots, isAllowed, mindOf, partDefinition, itemName, robotName, robotOf } from './world.js';
import type { Json } from '../../base/json.js';
import { capitalised, nameText, theName, theSide } from './wording.js';
import { ANGLES } from './definition.js';

/** The reason why an intent is refused before it is tried; undefined if there is none. */
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
  const { order, state: ordered } = orderIntents(before, intents);
  const start: WorkcellTick = { state: order.reduce(clearInbox, ordered), results: {}, events: [] };
  const { state, results, events } = order.reduce(
    (tick, intent) => perform(world, actions, tick, intent),
    start,
  );
  const reported = deliverEvents(world, recordResults(learn(world, state), results), events);
  return {
    state: reported,
    results: intents.map(({ agent }) => known(lookUp(results, agent), `result of ${agent}`)),
    events,
  };
}

/** The intents in order of priority: by the robots' ids, or drawn if the state has a random stream for it. */
function orderIntents(
  state: WorkcellState,
  intents: readonly Intent[],
): { readonly order: readonly Intent[]; readonly state: WorkcellState } {
  const byId = intents.toSorted((a, b) => compareText(a.agent, b.agent));
  if (state.ties === undefined || byId.length < 2) return { order: byId, state };
  const drawn = shuffled(state.ties, byId);
  return { order: drawn.value, state: { ...state, ties: drawn.state } };
}

/** Clears the inbox of a robot that spends its turn, before this tick's speech is added. */
function clearInbox(state: WorkcellState, { agent }: Intent): WorkcellState {
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
    return withRefusal(tick, agent, known(refusal, 'why an unknown action is refused'));
  const failure = action.attempt?.(tick.state, agent, args);
  if (failure !== undefined)
    return withRefusal(
      { ...tick, state: action.afterAttempt?.(tick.state, agent) ?? tick.state },
      agent,
      failure,
    );
  const { state, message, events, path } = action.apply(tick.state, agent, args);
  const result = { ok: true, message, path: path ?? null } as const;
  return { state, results: { ...tick.results, [agent]: result }, events: [...tick.events, ...events] };
}

function withRefusal(tick: WorkcellTick, agent: string, problemFound: Problem): WorkcellTick {
  return { ...tick, results: { ...tick.results, [agent]: { ok: false, problem: problemFound } } };
}

function recordResults(state: WorkcellState, results: WorkcellTick['results']): WorkcellState {
  return Object.entries(results)
    .filter(([agent]) => Object.hasOwn(state.minds, agent))
    .reduce((now, [agent, result]) => {
      const last = result.ok ? result.message : result.problem.message;
      return setMind(now, agent, { last, lastOk: result.ok });
    }, state);
}

/**
 * The state with a line for every event in the inbox of each robot that saw it, except its actor. Speech is
 * delivered by SPEAK itself.
 */
function deliverEvents(world: Workcell, state: WorkcellState, events: readonly Event[]): WorkcellState {
  return events.reduce(
    (now, event) =>
      event.seenBy
        .filter((id) => id !== event.actor)
        .reduce((after, id) => deliverEvent(world, after, event, id), now),
    state,
  );
}

function deliverEvent(world: Workcell, state: WorkcellState, event: Event, robot: string): WorkcellState {
  const line = describeEvent(world, state, event, robot);
  return line === null ? state : addInbox(state, robot, { kind: 'noticed', line });
}

function describeEvent(world: Workcell, state: WorkcellState, event: Event, robot: string): string | null {
  const { kind, actor, data } = event;
  if (actor === null) return null;
  const actorName = capitalised(theName(robotName(world, actor)));
  const item = textOf(data['item']);
  switch (kind) {
    case 'turned': {
      const to = ANGLES.find((angle) => angle === data['to']);
      if (to === undefined) return null;
      return robotOf(state, robot).orientation === to
        ? `${actorName} came to ${theSide(to)}.`
        : `${actorName} left for ${theSide(to)}.`;
    }
    case 'removed':
      return `${actorName} removed the ${nameText(partDefinition(world, state, textOf(data['part'])).name)}.`;
    case 'attached':
      return `${actorName} attached the ${itemName(world, state, item)}.`;
    case 'burnt':
      return `${actorName} burnt a part.`;
    case 'fetched':
      return `${actorName} took a part from the shelf.`;
    case 'handed-over':
      return textOf(data['to']) === robot
        ? `${actorName} gave you the ${itemName(world, state, item)}.`
        : `${actorName} handed a part over.`;
    default:
      return null;
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
