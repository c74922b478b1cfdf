/**
 * The first half of a turn: intents in, state and results out. Sequential order passes a single intent,
 * simultaneous order one per agent. The phases: all walks, which are resolved together; the other actions in
 * the order of `turn-order.ts`, on the positions after the walks; triggers; what the actors learn; and what each
 * agent notices. Pure: random draws come from the state. Every intent is checked again, because intents are
 * not trusted. The order of the intents affects only the order of the results.
 */
import { assert, known } from '../../base/assert.js';
import { lookUp } from '../../base/look-up.js';
import type { Problem } from '../../base/problem.js';
import { problem } from '../../base/problem.js';
import { REST, WAIT } from '../../environment/action.js';
import type { Event, Intent } from '../../environment/action.js';
import { resultOf } from '../../environment/own-failure.js';
import type { ActResult, Advance } from '../../environment/environment.js';
import { intentProblem } from '../../environment/intents.js';
import { lastResult } from '../../environment/news.js';
import { bearing } from '../../environment/space.js';
import type { GridAction } from './actions/grid-action.js';
import { wakeUp } from './actions/rest.js';
import { setMinds } from './change.js';
import { activeAgents, isActive } from './conditions.js';
import { traitsOf } from './event-kinds.js';
import { asData, happened, tilesOf, withWitnesses } from './events.js';
import { learn, learnAlong } from './learning.js';
import { showHandled } from './revealed.js';
import type { TileClaim } from './movement.js';
import { claimOf, enact, resolve, shortenClaims } from './movement.js';
import { withOutcomes } from './own-outcomes.js';
import { deliverEvents } from './perceive.js';
import type { GridRegistry } from './registry.js';
import { viewpointOf } from './sight.js';
import type { GridState, GridMindState } from './state.js';
import { told, toldRefusal } from './told.js';
import { applyTriggers } from './triggers.js';
import { TIES, precedence } from '../../environment/turn-order.js';
import { theName } from '../../environment/wording.js';
import { tiles } from './wording.js';
import type { GridWorld } from './world.js';
import { bodyOf, isAllowed, roomAt } from './world.js';

/** The reason why an intent is refused before it is tried; undefined if there is none. */
export function checkIntent(
  world: GridWorld,
  registry: GridRegistry,
  state: GridState,
  intent: Intent,
): Problem | undefined {
  const action = registry.get(intent.action);
  const problemOfAny = intentProblem(registry, intent, {
    isActive: isActive(world, state, intent.agent),
    isAllowed: (name) => isAllowed(world, intent.agent, name),
  });
  if (action === undefined || problemOfAny !== undefined) return problemOfAny;
  const isAble = bodyOf(state, intent.agent)?.incapacitated !== true;
  if (!isAble && action.name !== WAIT && action.name !== REST)
    return problem('illegal/incapacitated', 'You are incapacitated: you can only WAIT.');
  const refusal = action.check(state, intent.agent, intent.args);
  return refusal && toldRefusal(refusal, { world, registry, action, agent: intent.agent });
}

/** An intent with its action; undefined if there is no such action. */
interface Act {
  intent: Intent;
  action: GridAction | undefined;
}

/** What each phase of a tick passes to the next. */
interface GridTick {
  state: GridState;
  results: Readonly<Record<string, ActResult>>;
  events: readonly Event[];
}

export function advanceState(
  world: GridWorld,
  registry: GridRegistry,
  before: GridState,
  intents: readonly Intent[],
): Advance<GridState> {
  const stream = lookUp(before.rng, TIES);
  const { order, ties } = precedence(
    stream,
    intents.map(({ agent }) => agent),
  );
  const isDrawn = ties !== undefined && ties !== stream;
  const ordered = isDrawn ? { ...before, rng: { ...before.rng, [TIES]: ties } } : before;
  const acts = sortActs(registry, intents, order);
  // Based on the state in which the intents were checked, so that cached plans are found again.
  const woken = wakeUp(
    ordered,
    acts.flatMap(({ intent }) => (intent.action === REST ? [] : [intent.agent])),
  );
  const moved = moveWalkers(world, registry, { state: woken, results: {}, events: [] }, acts);
  const performed = acts
    .filter(({ action }) => action?.plan === undefined)
    .reduce((tick, act) => perform(world, registry, tick, act), {
      ...moved,
      state: clearInboxes(moved.state, acts),
    });
  const checksConditions = acts.some(({ action }) => action?.cost !== 'free');
  const { state: unfolded, events } = applyTriggers(world, performed, { checksConditions, turnOver: null });
  const state = checksConditions ? withOutcomes(world, unfolded) : unfolded;
  const learnt = learnFrom(world, { state, results: performed.results, events });
  const actors = Object.keys(performed.results).filter(
    (agent) => bodyOf(learnt, agent) !== undefined && Object.hasOwn(learnt.minds, agent),
  );
  const resultFor = (agent: string): ActResult =>
    known(lookUp(performed.results, agent), `result of ${agent}`);
  const recorded = setMinds(learnt, actors, (_mind, agent) => lastResult(resultFor(agent)));
  const reported = deliverEvents(world, before, recorded, events);
  const results = intents.map(({ agent }) => resultFor(agent));
  return { state: reported, results, events };
}

function sortActs(
  registry: GridRegistry,
  intents: readonly Intent[],
  order: readonly string[],
): readonly Act[] {
  assert(new Set(intents.map(({ agent }) => agent)).size === intents.length, 'two intents of one agent');
  const acts = intents.map((intent) => ({ intent, action: registry.get(intent.action) }));
  assert(
    acts.length === 1 || acts.every(({ action }) => action?.cost !== 'free'),
    "a free action is its agent's only action",
  );
  return acts.toSorted((a, b) => order.indexOf(a.intent.agent) - order.indexOf(b.intent.agent));
}

/** Clears the inboxes of agents that spend their turn, before this tick's speech is added. */
function clearInboxes(state: GridState, acts: readonly Act[]): GridState {
  const readers = acts.filter(
    ({ intent, action }) =>
      action?.cost !== 'free' &&
      Object.hasOwn(state.minds, intent.agent) &&
      lookUp(state.minds, intent.agent)?.inbox.length !== 0,
  );
  return setMinds(
    state,
    readers.map(({ intent }) => intent.agent),
    () => ({ inbox: EMPTY_INBOX }),
  );
}

/** A constant object, so that its hash stays cached. */
const EMPTY_INBOX: GridMindState['inbox'] = [];

/** Claim → resolve → enact for every intent that is a walk. */
function moveWalkers(
  world: GridWorld,
  registry: GridRegistry,
  tick: GridTick,
  acts: readonly Act[],
): GridTick {
  const { state } = tick;
  const results: Record<string, ActResult> = { ...tick.results };
  const claims: TileClaim[] = [];
  for (const { intent, action } of acts) {
    if (action?.plan === undefined) continue;
    const { agent, args } = intent;
    const refusal = checkIntent(world, registry, state, intent);
    const plan = refusal ? ({ ok: false, problem: refusal } as const) : action.plan(state, agent, args);
    if (plan.ok) claims.push(claimOf(world, state, { agent, planned: plan.path }));
    else results[agent] = told(plan, { world, registry, action, agent });
  }
  const shortened = shortenClaims(world, state, claims);
  const grants = resolve(
    world,
    state,
    shortened,
    acts.map(({ intent }) => intent.agent),
  );
  const after = enact(state, shortened, grants);
  for (const claim of shortened) {
    const { action } = known(
      acts.find(({ intent }) => intent.agent === claim.agent),
      'the act of a walk',
    );
    const teller = { world, registry, action: known(action, 'GO'), agent: claim.agent };
    const grant = known(grants.get(claim.agent), `grant of ${claim.agent}`);
    const result: ActResult = grant.ok
      ? { ok: true, message: walkMessage(world, claim), path: claim.path }
      : grant;
    results[claim.agent] = told(result, teller);
  }
  const walked = shortened.filter((claim) => grants.get(claim.agent)?.ok === true);
  const events = walked.map(({ agent, path }) =>
    withWitnesses(world, after, happened('moved', agent, known(path.at(-1), 'end'), { path: asData(path) })),
  );
  return { state: after, results, events: [...tick.events, ...events] };
}

function walkMessage(world: GridWorld, { path, stopped }: TileClaim): string {
  const start = known(path[0], 'start');
  const end = known(path.at(-1), 'end');
  const room = roomAt(world, end.x, end.y);
  const isEntered = room !== null && room.id !== roomAt(world, start.x, start.y)?.id;
  const enteredText = isEntered ? ` into ${theName(room.name)}` : '';
  const stopText = stopped === null ? '.' : ` and stopped: ${stopped}.`;
  const distanceText = path.length === 2 ? (bearing(start, end) ?? '') : tiles(path.length - 1);
  return `You went ${distanceText}${enteredText}${stopText}`;
}

/** One action that is not a walk: `check`, `attempt`, then `apply`. */
function perform(
  world: GridWorld,
  registry: GridRegistry,
  tick: GridTick,
  { intent, action }: Act,
): GridTick {
  const { agent, args, outside } = intent;
  const refusal =
    checkIntent(world, registry, tick.state, intent) ?? action?.attempt?.(tick.state, agent, args);
  if (action === undefined || refusal !== undefined) {
    const refused = { ok: false, problem: known(refusal, 'why an unknown action is refused') } as const;
    const result = action === undefined ? refused : told(refused, { world, registry, action, agent });
    return { ...tick, results: { ...tick.results, [agent]: result } };
  }
  const applied = action.apply(tick.state, agent, args, outside);
  const { state, events } = applied;
  const seen = events.map((event) => withWitnesses(world, state, event));
  const result = told(resultOf(applied), { world, registry, action, agent }, applied.told);
  const results = { ...tick.results, [agent]: result };
  return { state, results, events: [...tick.events, ...seen] };
}

/**
 * Updates what agents know: actors by what they see now, walkers by what they saw along their whole path,
 * others by what changed near them.
 */
function learnFrom(world: GridWorld, { state, results, events }: GridTick): GridState {
  const changed = events.filter(({ kind }) => traitsOf(kind)?.changesThings !== false);
  const actors = Object.keys(results).filter((agent) => isActive(world, state, agent));
  // If only bodies changed, no other checks are needed.
  return (changed.length === 0 ? actors : activeAgents(world, state)).reduce((now, agent) => {
    const result = lookUp(results, agent);
    const path = result?.ok === true ? result.path : null;
    if (path !== null) return showHandled(world, learnAlong(world, now, agent, path), agent);
    const isNear = changed.some((event) => mayAffect(world, now, agent, event));
    return result !== undefined || isNear ? showHandled(world, learn(world, now, agent), agent) : now;
  }, state);
}

/** Like `learnFrom`, if no agent acted. */
export function learnFromEvents(world: GridWorld, state: GridState, events: readonly Event[]): GridState {
  return learnFrom(world, { state, results: {}, events });
}

/** Whether an event is within an agent's sight radius; beyond it nothing can have changed for it. */
function mayAffect(world: GridWorld, state: GridState, agent: string, event: Event): boolean {
  const { from, radius } = viewpointOf(world, state, agent);
  return tilesOf(event).some(
    ({ x, y }) => Math.abs(x - from.x) <= radius + 1 && Math.abs(y - from.y) <= radius + 1,
  );
}
