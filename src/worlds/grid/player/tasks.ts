/**
 * From a condition to what an agent does about it: the next of the acts that make it true, or what it has to find out
 * first.
 */
import type { CandidateAction } from '../../../agent/controllers/scripted-player.js';
import type { Point } from '../../../environment/space.js';
import type { GridCondition, TriggerOccasion } from '../definition.js';
import { EVERY_AGENT } from '../definition.js';
import type { Act, What } from './acts.js';
import { act, isOthers, read } from './acts.js';
import type { Belief } from './belief.js';
import { placeOf, truthOf } from './belief.js';

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

/** A step on a way that takes so many turns. */
export interface Step {
  turns: number;
  wish: CandidateAction;
}

export interface Planner {
  belief: Belief;
  /** Whether a verb is one of the agent's actions. */
  can: (verb: string) => boolean;
  /** The first step to within so many tiles of something, by default within reach; null if it is there; undefined without a way. */
  approach: (target: Point & { id: string }, within?: number) => Step | null | undefined;
  /** The first step into a room. */
  enter: (room: string) => Step | undefined;
}

export function planFor(planner: Planner, condition: GridCondition, within: readonly string[] = []): Plan {
  const { definition, firings } = planner.belief;
  return read<Plan>(
    {
      definition,
      firings,
      settled: (what) => settledPlan(planner, what),
      all: planAll,
      any: planAny,
      not: (fact) => planNot(planner, fact),
      trigger: (first, occasion) => {
        const plan = first.is === 'true' ? occasion() : first;
        // What nobody's act sets off is waited for.
        if (plan.is === 'theirs' || plan.is === 'true') return UNKNOWN;
        // What a trigger did stays so; where the agent has to be in the end comes later.
        return plan.is === 'act' && plan.rank === RANK.go ? { ...plan, rank: RANK.fetch } : plan;
      },
      acts: (acts, what, inside) => planActs(planner, acts, what, inside),
      isHopeless: ({ is }) => is === 'never',
    },
    condition,
    within,
  );
}

/** What is true already, and what others see to. */
function settledPlan(planner: Planner, what: GridCondition | TriggerOccasion): Plan | undefined {
  const { belief, can } = planner;
  const { me, facts } = belief;
  if (isOccasion(what)) return isOthers(what, me) ? THEIRS : undefined;
  if (what.kind === 'all' || what.kind === 'not') return undefined;
  // If it only holds a thing where that belongs, it has to put it down.
  const isPlaced = what.kind === 'thing-inside' || what.kind === 'thing-in-room';
  const isCarried = isPlaced && placeOf(belief, what.thing)?.isHeld === true;
  if (truthOf(belief, what) === true && !isCarried) return TRUE;
  if (!('agent' in what)) return undefined;
  if (what.agent === EVERY_AGENT && truthOf(belief, { ...what, agent: me }) === true) return THEIRS;
  if (!isOthers(what, me)) return undefined;
  const isGift = what.kind === 'holds' && placeOf(belief, what.thing)?.isHeld === true && can('GIVE');
  const body = facts.bodies.find(({ id }) => id === what.agent);
  if (!isGift || body === undefined) return isGift ? FIND : THEIRS;
  return afterWay(planner.approach(body), wish(`GIVE ${what.thing} TO ${what.agent}`));
}

function isOccasion(what: GridCondition | TriggerOccasion): what is TriggerOccasion {
  return ['used', 'entered-room', 'entered-tile', 'said', 'turn-over'].includes(what.kind);
}

/** Facts first; then acts by rank, the nearest first. */
function planAll(plans: readonly Plan[]): Plan {
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
  return plans.some(({ is }) => is === 'theirs') ? THEIRS : TRUE;
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

function planNot({ belief, can }: Planner, fact: GridCondition): Plan {
  const truth = truthOf(belief, fact);
  if (truth === false) return TRUE;
  if (isOthers(fact, belief.me)) return THEIRS;
  if (truth === undefined) return UNKNOWN;
  switch (fact.kind) {
    case 'holds':
      // After it has been brought to where it belongs.
      return can('DROP') ? planned(RANK.go, 1, wish(`DROP ${fact.thing}`)) : NEVER;
    case 'in-room':
    case 'at':
    case 'near':
      return planned(RANK.go, SEARCH_TURNS);
    default:
      return NEVER;
  }
}

function wish(command: string, more: Partial<CandidateAction> = {}): CandidateAction {
  return { command, why: 'This is what I am to do.', ...more };
}

function planned(rank: number, turns: number, ...wishes: readonly CandidateAction[]): Plan {
  return { is: 'act', rank, turns, wishes };
}

/** The first of the acts that is not done yet. */
export function planActs(
  planner: Planner,
  acts: readonly Act[],
  what: What,
  within: readonly string[] = [],
): Plan {
  const { belief, can } = planner;
  const isDone = ({ verb, object, at }: Act): boolean => {
    if (verb === 'TAKE') return placeOf(belief, object)?.isHeld === true;
    return verb === 'GO' && at !== null && stepTo(planner, at) === null;
  };
  const left = acts.filter((one) => !isDone(one));
  const isAble = left.every(({ verb }) => can(verb));
  // Where a thing is that it can't bring is a fact.
  const isBringing = what.kind === 'thing-inside' || what.kind === 'thing-in-room';
  if (acts.length === 0 || (isBringing && !isAble)) return planFact(planner, what);
  if (!isAble) return 'agent' in what && what.agent === belief.me ? NEVER : THEIRS;
  const [next] = left;
  // It has to leave a place to come to it again.
  if (next === undefined) return planned(RANK.go, 2);
  if (next.verb === 'GO' && next.at !== null) return planGo(planner, stepTo(planner, next.at), within);
  const isLid = what.kind === 'door-is' || what.kind === 'container-is';
  const lid = placeOf(belief, next.object)?.lid ?? 'locked';
  // Which key fits shows only when it is tried.
  return isLid && lid === 'locked' ? FIND : planAct(planner, next);
}

function planFact({ belief, approach }: Planner, what: What): Plan {
  if (isOccasion(what)) return THEIRS;
  const truth = truthOf(belief, what);
  if (truth !== undefined) return truth ? TRUE : NEVER;
  const place = 'thing' in what ? placeOf(belief, what.thing) : undefined;
  const step = place && approach(place);
  return step ? { is: 'unknown', turns: step.turns, wishes: [step.wish] } : UNKNOWN;
}

/** The first step to where an act is done; null if it is there; undefined without a way. */
function stepTo({ belief, enter, approach }: Planner, at: NonNullable<Act['at']>): Step | null | undefined {
  if ('room' in at) return belief.facts.self.room === at.room ? null : enter(at.room);
  if ('x' in at) return approach({ ...at, id: '' }, 0);
  const place = placeOf(belief, at.id);
  return place && approach(place, at.tiles);
}

/** To where it has to be; without a way there, it first opens a locked door if it knows how. */
function planGo(planner: Planner, step: Step | null | undefined, within: readonly string[]): Plan {
  const locked = planner.belief.facts.doors.filter(({ state }) => state === 'locked');
  const unlocking = locked
    .map(({ id }) => planFor(planner, { kind: 'door-is', door: id, state: 'open' }, within))
    .filter((plan) => plan.is === 'act' && plan.turns < SEARCH_TURNS);
  if (step === undefined && unlocking.length > 0) return planAny(unlocking);
  return planned(RANK.go, step?.turns ?? SEARCH_TURNS, ...(step ? [step.wish] : []));
}

function planAct(planner: Planner, { verb, object, rest, at }: Act): Plan {
  const { belief, can } = planner;
  const { self } = belief.facts;
  const step = at === null ? null : stepTo(planner, at);
  if (verb === 'SPEAK')
    return planned(
      RANK.speak,
      1,
      wish(`SPEAK ${JSON.stringify(object)}`, { isFree: belief.definition.rules.speechFree }),
    );
  if (verb === 'DONE') return planned(RANK.done, 1, wish('DONE'));
  // What lies in something closed is reached when that is open.
  const id = at !== null && 'id' in at ? at.id : object;
  const shut = id === object ? (placeOf(belief, id)?.container ?? null) : id;
  if (shut !== null && placeOf(belief, shut)?.lid === 'closed' && (verb === 'DROP' || shut !== id))
    return planAct(planner, act('OPEN', shut));
  const own = wish(`${verb} ${object}${rest}`, verb === 'READ' ? { note: { read: object } } : {});
  const plan = afterWay(step, own);
  if (verb !== 'TAKE' || plan.is !== 'act') return plan;
  const [spare] = self.holds;
  if (self.holds.length < self.carryMax || spare === undefined) return { ...plan, picksUp: true };
  // What it holds may have to be brought somewhere first.
  const turns = plan.turns + SEARCH_TURNS;
  return step === null && can('DROP')
    ? planned(RANK.fetch, turns, wish(`DROP ${spare.id}`))
    : { ...plan, turns };
}

/** An act after the way to where it is done. */
function afterWay(step: Step | null | undefined, own: CandidateAction): Plan {
  if (step === undefined) return FIND;
  return step === null ? planned(RANK.fetch, 1, own) : planned(RANK.fetch, step.turns + 1, step.wish);
}
