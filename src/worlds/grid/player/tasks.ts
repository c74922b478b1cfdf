/**
 * From a condition to what an agent does about it: which act makes it true, or what it has to find out first. Each
 * kind of condition names its act once; what belongs together follows from `all`, `any`, `not` and the triggers.
 */
import type { CandidateAction } from '../../../agent/controllers/scripted-player.js';
import { assertNever } from '../../../base/assert.js';
import type { Point } from '../../../environment/space.js';
import type { AgentCondition, Belief } from './belief.js';
import { countOf, lidOf, placeOf, pointOf, truthOf } from './belief.js';
import type { GridCondition, Trigger } from '../definition.js';
import { ANY_AGENT, EVERY_AGENT } from '../definition.js';

/** In which order acts come that are all needed: to fetch and to use, to go somewhere, to speak, to be done. */
const RANK = { fetch: 0, go: 1, speak: 2, done: 3 } as const;

export type Plan =
  /** True already, impossible, or others see to it. */
  | { is: 'true' | 'never' | 'theirs' }
  /** It depends on something unknown, which these show; explore or wait if there are none. */
  | { is: 'unknown'; turns: number; wishes: readonly CandidateAction[] }
  /** Its next act; with none, it has to look for what it needs. */
  | {
      is: 'act';
      rank: number;
      turns: number;
      wishes: readonly CandidateAction[];
      /** Set if it picks something up, wherever that belongs; `ahead`: before it is known whether it is needed. */
      picksUp?: true | 'ahead';
    };

const TRUE: Plan = { is: 'true' };
const NEVER: Plan = { is: 'never' };
const THEIRS: Plan = { is: 'theirs' };
/** What looking for something is taken to cost: more than any way, so that it is not given up for another one half way. */
export const SEARCH_TURNS = 1000;
/** How far it goes out of its way. */
const DETOUR_TURNS = 6;
const FIND: Plan = { is: 'act', rank: RANK.fetch, turns: SEARCH_TURNS, wishes: [] };
const UNKNOWN = { is: 'unknown', turns: SEARCH_TURNS, wishes: [] } as const;

export interface Planner {
  belief: Belief;
  /** Whether a verb is one of the agent's actions. */
  can: (verb: string) => boolean;
  /** The first step to within so many tiles of something, by default within reach; null if it is there; undefined without a way. */
  approach: (
    target: Point & { id: string },
    within?: number,
  ) => { turns: number; wish: CandidateAction } | null | undefined;
  /** The first step into a room. */
  enter: (room: string) => { turns: number; wish: CandidateAction } | undefined;
}

export function planFor(planner: Planner, condition: GridCondition, within: readonly string[] = []): Plan {
  const { belief } = planner;
  const truth = truthOf(belief, condition);
  switch (condition.kind) {
    case 'all':
      return planAll(
        condition.of.filter((each) => !isOthers(belief, each)).map((each) => planFor(planner, each, within)),
        condition.of.length,
      );
    case 'any':
      if (truth === true) return TRUE;
      return planAny(condition.of.map((each) => planFor(planner, each, within)));
    case 'not':
      return planNot(planner, condition.of, within);
    case 'door-is':
    case 'container-is': {
      if (truth === true) return TRUE;
      const id = condition.kind === 'door-is' ? condition.door : condition.thing;
      return planLid(planner, id, condition.state, within);
    }
    case 'thing-inside':
    case 'thing-in-room':
      // If it only holds the thing there, it has to put it down.
      return truth === true && placeOf(belief, condition.thing)?.isHeld !== true
        ? TRUE
        : planPlace(planner, condition, truth);
    case 'work-done':
      if (truth === true) return TRUE;
      return planner.can('USE') ? planUse(planner, condition.thing, null) : THEIRS;
    case 'count':
      return truth === true ? TRUE : planCount(planner, condition, within);
    default:
      return truth === true ? TRUE : planForAgent(planner, condition, within);
  }
}

/** Whether a condition is about other agents alone. */
function isOthers(belief: Belief, condition: GridCondition): boolean {
  const agents = agentsIn(condition);
  const isMine = (agent: string): boolean => [belief.me, ANY_AGENT, EVERY_AGENT].includes(agent);
  return agents.length > 0 && !agents.some(isMine);
}

function agentsIn(condition: GridCondition): readonly string[] {
  if (condition.kind === 'all' || condition.kind === 'any') return condition.of.flatMap(agentsIn);
  if (condition.kind === 'not') return agentsIn(condition.of);
  return 'agent' in condition ? [condition.agent] : [];
}

/** Facts first; then acts by rank, the nearest first. */
function planAll(plans: readonly Plan[], size: number): Plan {
  if (plans.some(({ is }) => is === 'never')) return NEVER;
  const unknown = plans.filter((plan) => plan.is === 'unknown').toSorted(byTurns);
  // What lies on the way is picked up before it is known where it belongs.
  const pickUp = plans
    .filter((plan) => plan.is === 'act')
    .find((plan) => plan.picksUp !== undefined && plan.turns <= DETOUR_TURNS);
  if (unknown[0] !== undefined) return pickUp ? { ...pickUp, picksUp: 'ahead' } : unknown[0];
  const acts = plans.filter((plan) => plan.is === 'act').toSorted((a, b) => a.rank - b.rank || byTurns(a, b));
  const turns = acts.reduce((sum, one) => sum + one.turns, 0);
  if (acts[0] !== undefined) return { ...acts[0], turns };
  return plans.length < size || plans.some(({ is }) => is === 'theirs') ? THEIRS : TRUE;
}

/** An alternative whose facts are known comes before one that needs a fact. */
function planAny(plans: readonly Plan[]): Plan {
  const ahead = plans.flatMap((plan) =>
    plan.is === 'act' && plan.picksUp === 'ahead' ? [plan.wishes[0]?.command] : [],
  );
  // If alternatives need different things, none is picked up before it is known which is right.
  const acts = plans
    .filter((plan) => plan.is === 'act')
    .filter(({ picksUp }) => picksUp !== 'ahead' || new Set(ahead).size === 1)
    .toSorted(byTurns);
  const unknown = plans
    .filter((plan) => plan.is === 'unknown' || (plan.is === 'act' && !acts.includes(plan)))
    .map((plan) => (plan.is === 'unknown' ? plan : UNKNOWN))
    .toSorted(byTurns);
  return (
    plans.find(({ is }) => is === 'true') ??
    acts[0] ??
    unknown[0] ??
    plans.find(({ is }) => is === 'theirs') ??
    NEVER
  );
}

function byTurns(a: { turns: number }, b: { turns: number }): number {
  return a.turns - b.turns;
}

function planNot(planner: Planner, condition: GridCondition, within: readonly string[]): Plan {
  const { belief } = planner;
  const negated = (of: readonly GridCondition[]): readonly GridCondition[] =>
    of.map((each) => ({ kind: 'not', of: each }));
  if (condition.kind === 'not') return planFor(planner, condition.of, within);
  if (condition.kind === 'all') return planFor(planner, { kind: 'any', of: negated(condition.of) }, within);
  if (condition.kind === 'any') return planFor(planner, { kind: 'all', of: negated(condition.of) }, within);
  const truth = truthOf(belief, condition);
  if (truth === false) return TRUE;
  if (isOthers(belief, condition)) return THEIRS;
  if (truth === undefined) return UNKNOWN;
  switch (condition.kind) {
    case 'holds':
      // After it has been brought to where it belongs.
      return planner.can('DROP') ? act(RANK.go, 1, `DROP ${condition.thing}`) : NEVER;
    case 'in-room':
    case 'at':
    case 'near':
      return goBy(null);
    default:
      return NEVER;
  }
}

function planForAgent(planner: Planner, condition: AgentCondition, within: readonly string[]): Plan {
  const { belief } = planner;
  const { me } = belief;
  const isMine = [me, ANY_AGENT, EVERY_AGENT].includes(condition.agent);
  if (!isMine) {
    const isGift = condition.kind === 'holds' && placeOf(belief, condition.thing)?.isHeld === true;
    const body = belief.facts.bodies.find(({ id }) => id === condition.agent);
    return isGift && planner.can('GIVE')
      ? reach(planner, body, `GIVE ${condition.thing} TO ${condition.agent}`)
      : THEIRS;
  }
  if (condition.agent === EVERY_AGENT && truthOf(belief, { ...condition, agent: me }) === true) return THEIRS;
  switch (condition.kind) {
    case 'in-room':
      if (!planner.can('GO')) return NEVER;
      return planGo(planner, planner.enter(condition.room), within);
    case 'at':
    case 'near': {
      if (!planner.can('GO')) return NEVER;
      const [target, id, tiles] =
        condition.kind === 'at'
          ? [condition, '', 0]
          : [pointOf(belief, condition.target), condition.target, condition.within];
      return planGo(planner, target && planner.approach({ x: target.x, y: target.y, id }, tiles), within);
    }
    case 'holds':
      return planner.can('TAKE') ? planTake(planner, condition.thing) : NEVER;
    case 'heard':
      return planner.can('SPEAK') ? speak(belief, condition.phrase) : NEVER;
    case 'read':
      return near(planner, condition.thing, `READ ${condition.thing}`, { read: condition.thing });
    case 'done':
      return act(RANK.done, 1, 'DONE');
    case 'caught':
      return NEVER;
    default:
      return assertNever(condition, 'condition');
  }
}

function act(rank: number, turns: number, command: string, more: Partial<CandidateAction> = {}): Plan {
  return { is: 'act', rank, turns, wishes: [{ command, why: 'This is what I am to do.', ...more }] };
}

function speak({ definition }: Belief, phrase: string): Plan {
  return act(RANK.speak, 1, `SPEAK ${JSON.stringify(phrase)}`, { isFree: definition.rules.speechFree });
}

/** An act within reach of a thing, or what leads to it. */
function near(planner: Planner, id: string, command: string, note: CandidateAction['note'] = {}): Plan {
  const place = placeOf(planner.belief, id);
  if (place !== null && place.container !== null && lidOf(planner.belief, place.container) === 'closed')
    return near(planner, place.container, `OPEN ${place.container}`);
  return reach(planner, place && { ...place, id }, command, note);
}

function reach(
  planner: Planner,
  target: (Point & { id: string }) | null | undefined,
  command: string,
  note: CandidateAction['note'] = {},
): Plan {
  const step = target ? planner.approach(target) : undefined;
  return step === null ? act(RANK.fetch, 1, command, { note }) : fetchBy(step);
}

function fetchBy(step: { turns: number; wish: CandidateAction } | undefined): Plan {
  if (step === undefined) return FIND;
  return { is: 'act', rank: RANK.fetch, turns: step.turns + 1, wishes: [step.wish] };
}

/** To where it has to be in the end. */
function goBy(step: { turns: number; wish: CandidateAction } | null | undefined): Plan {
  return { is: 'act', rank: RANK.go, turns: step?.turns ?? SEARCH_TURNS, wishes: step ? [step.wish] : [] };
}

/** The same; without a way there, it first opens a locked door if it knows how. */
function planGo(planner: Planner, step: Parameters<typeof goBy>[0], within: readonly string[]): Plan {
  const locked = planner.belief.facts.doors.filter(({ state }) => state === 'locked');
  const unlocking = locked
    .map(({ id }) => planLid(planner, id, 'open', within))
    .filter((plan) => plan.is === 'act' && plan.turns < SEARCH_TURNS);
  return step === undefined && unlocking.length > 0 ? planAny(unlocking) : goBy(step);
}

function planTake(planner: Planner, id: string): Plan {
  const { belief } = planner;
  const { holds, carryMax } = belief.facts.self;
  const plan = near(planner, id, `TAKE ${id}`);
  if (plan.is !== 'act') return plan;
  if (holds.length < carryMax) return { ...plan, picksUp: true };
  // What it holds may have to be brought somewhere first.
  const [spare] = holds;
  const isReady = plan.wishes[0]?.command === `TAKE ${id}` && spare !== undefined && planner.can('DROP');
  const turns = plan.turns + SEARCH_TURNS;
  return isReady ? act(RANK.fetch, turns, `DROP ${spare.id}`) : { ...plan, turns };
}

/** A thing that the agent can carry is brought; where another one is, is a fact. */
function planPlace(
  planner: Planner,
  condition: Extract<GridCondition, { kind: 'thing-inside' | 'thing-in-room' }>,
  truth: boolean | undefined,
): Plan {
  const { belief, can } = planner;
  const { thing } = condition;
  const place = placeOf(belief, thing);
  const isPortable = belief.definition.things.find(({ id }) => id === thing)?.portable === true;
  if (!isPortable || !can('TAKE') || !can('DROP')) {
    if (truth !== undefined) return truth ? TRUE : NEVER;
    if (place === null) return UNKNOWN;
    const step = planner.approach({ ...place, id: thing });
    return step ? { is: 'unknown', turns: step.turns, wishes: [step.wish] } : UNKNOWN;
  }
  if (place?.isHeld !== true) return planTake(planner, thing);
  if (condition.kind === 'thing-inside') {
    const { container } = condition;
    if (lidOf(belief, container) === 'closed') return near(planner, container, `OPEN ${container}`);
    return near(planner, container, `DROP ${thing} IN ${container}`);
  }
  if (belief.facts.self.room === condition.room) return act(RANK.fetch, 1, `DROP ${thing}`);
  return fetchBy(planner.enter(condition.room));
}

function planLid(
  planner: Planner,
  id: string,
  state: 'open' | 'closed' | 'locked' | 'unlocked',
  within: readonly string[],
): Plan {
  const { belief } = planner;
  const lid = lidOf(belief, id);
  const byTrigger = planTriggers(
    planner,
    (belief.definition.triggers ?? []).filter(({ effects }) =>
      effects.some(
        (one) => one.kind === 'set-lid' && one.target === id && (one.to === state || one.to === 'open'),
      ),
    ),
    within,
  );
  if (byTrigger.is !== 'never') return byTrigger;
  // Which key fits shows only when it is tried.
  if (lid === undefined || lid === 'locked') return FIND;
  const place = pointOf(belief, id);
  const target = place === null || state === 'locked' ? null : { ...place, id };
  return reach(planner, target, `${state === 'closed' ? 'CLOSE' : 'OPEN'} ${id}`);
}

function planUse(planner: Planner, thing: string, on: string | null): Plan {
  const { belief } = planner;
  const isEaten = belief.definition.things.some((one) => one.id === thing && one.consumable !== null);
  if (on === null && !isEaten) return near(planner, thing, `USE ${thing}`);
  if (placeOf(belief, thing)?.isHeld !== true) return planTake(planner, thing);
  return on === null ? act(RANK.fetch, 1, `USE ${thing}`) : near(planner, on, `USE ${thing} ON ${on}`);
}

function planCount(
  planner: Planner,
  { counter, min, max }: Extract<GridCondition, { kind: 'count' }>,
  within: readonly string[],
): Plan {
  const { belief } = planner;
  const count = countOf(belief, counter);
  const mark = `count ${counter}`;
  // Of the triggers that count it, those come first that need no other count of it.
  if (min === null || count >= min || within.includes(mark)) return NEVER;
  const after = ({ effects }: Trigger): number =>
    effects.reduce(
      (sum, one) =>
        one.kind === 'count' && one.counter === counter ? sum + (one.by === 'amount' ? 1 : one.by) : sum,
      count,
    );
  const counting = (belief.definition.triggers ?? []).filter(
    (trigger) => after(trigger) > count && (max === null || after(trigger) <= max),
  );
  const enough = planTriggers(
    planner,
    counting.filter((trigger) => after(trigger) >= min),
    [...within, mark],
  );
  const plan = enough.is === 'never' ? planTriggers(planner, counting, [...within, mark]) : enough;
  // What is counted stays so; where the agent has to be in the end comes later.
  return plan.is === 'act' && plan.rank === RANK.go ? { ...plan, rank: RANK.fetch } : plan;
}

/** The easiest of some triggers that can still fire. What nobody's act sets off is waited for. */
function planTriggers(planner: Planner, triggers: readonly Trigger[], within: readonly string[]): Plan {
  const { fired } = planner.belief.firings;
  const plans = triggers
    .filter(({ id, repeats }) => !within.includes(id) && (repeats || fired[id] === undefined))
    .map((trigger) => planTrigger(planner, trigger, [...within, trigger.id]));
  const best = planAny(plans);
  return best.is === 'theirs' || best.is === 'true' ? UNKNOWN : best;
}

function planTrigger(planner: Planner, { when, condition }: Trigger, within: readonly string[]): Plan {
  const { belief } = planner;
  const first =
    condition === null ? TRUE : isOthers(belief, condition) ? THEIRS : planFor(planner, condition, within);
  if (first.is !== 'true') return first;
  if (when === null) return TRUE;
  if (when.kind === 'turn-over') return THEIRS;
  if (when.agent !== ANY_AGENT && when.agent !== belief.me) return THEIRS;
  switch (when.kind) {
    case 'used':
      return planner.can('USE') ? planUse(planner, when.thing, when.on) : THEIRS;
    case 'said': {
      const inRoom =
        when.room === null
          ? TRUE
          : planFor(planner, { kind: 'in-room', agent: belief.me, room: when.room }, within);
      if (inRoom.is !== 'true') return inRoom;
      return planner.can('SPEAK') ? speak(belief, when.phrase) : NEVER;
    }
    case 'entered-room':
      if (belief.facts.self.room === when.room) return { is: 'act', rank: RANK.go, turns: 2, wishes: [] };
      return planForAgent(planner, { kind: 'in-room', agent: belief.me, room: when.room }, within);
    case 'entered-tile':
      return planForAgent(planner, { kind: 'at', agent: belief.me, x: when.x, y: when.y }, within);
    default:
      return assertNever(when, 'occasion');
  }
}
