/**
 * From a condition to what an agent does about it: the next of the acts that make it true, or that it has to find out
 * something first.
 */
import { lookUp } from '../../../base/look-up.js';
import type { CandidateAction } from '../../../agent/controllers/scripted-player.js';
import type { GridCondition, TriggerOccasion } from '../definition.js';
import type { Act, What } from './acts.js';
import { act, actsOf, commandOf, isOthers, read } from './acts.js';
import type { Belief } from './belief.js';
import { placeOf, truthOf } from './belief.js';
import type { Notebook } from './notebook.js';
import { stepTo } from './ways.js';

export interface Plan {
  /**
   * `act`: there is something to do, and without a wish, it has to look for what it needs; `unknown`: it depends on
   * something that it can't tell; `theirs`: others see to it; `never`: no act makes it true.
   */
  is: 'true' | 'act' | 'unknown' | 'theirs' | 'never';
  turns: number;
  wish: CandidateAction | null;
  rank: number;
}

function plan(is: Plan['is'], turns = 0, own: CandidateAction | null = null, rank = 0): Plan {
  return { is, turns, wish: own, rank };
}

/** In which order acts come that are all needed: to fetch and to use, to go somewhere, to speak, to be done. */
const RANKS: Readonly<Record<string, number>> = { GO: 1, SPEAK: 2, DONE: 3 };
/** What looking for something is taken to cost: more than any way, so that it is not given up for another one half way. */
export const SEARCH_TURNS = 1000;
const [TRUE, THEIRS, NEVER] = [plan('true'), plan('theirs'), plan('never')];
const UNKNOWN = plan('unknown', SEARCH_TURNS);
const FIND = plan('act', SEARCH_TURNS);

export function planFor(belief: Belief, condition: GridCondition): Plan {
  const { definition, firings } = belief;
  return read<Plan>(
    {
      definition,
      firings,
      settled: (what) => settledPlan(belief, what),
      all: (plans) => {
        const next = firstOf(plans, ['never', 'unknown', 'act', 'theirs', 'true'], (one) => one.rank) ?? TRUE;
        return next.is === 'act'
          ? { ...next, turns: plans.reduce((sum, { turns }) => sum + turns, 0) }
          : next;
      },
      any: (plans) => firstOf(plans, ['true', 'act', 'unknown', 'theirs', 'never'], () => 0) ?? NEVER,
      not: (fact) => planNot(belief, fact),
      trigger: (first, occasion) => {
        const own = first.is === 'true' ? occasion() : first;
        // What nobody's act sets off is waited for.
        if (own.is === 'theirs' || own.is === 'true') return UNKNOWN;
        // What a trigger did stays so; where the agent has to be in the end comes later.
        return own.rank === RANKS['GO'] ? { ...own, rank: 0 } : own;
      },
      acts: (acts, what) => planActs(belief, acts, what),
    },
    condition,
  );
}

/** The first in this order, then by rank, then the nearest. */
function firstOf(plans: readonly Plan[], order: readonly Plan['is'][], rank: (one: Plan) => number) {
  const place = ({ is }: Plan): number => order.indexOf(is);
  return plans.toSorted((a, b) => place(a) - place(b) || rank(a) - rank(b) || a.turns - b.turns)[0];
}

/** What is true already, and what others see to. */
function settledPlan(belief: Belief, what: GridCondition | TriggerOccasion): Plan | undefined {
  if (isCondition(what) && what.kind !== 'all' && what.kind !== 'not') {
    // If it only holds a thing where that belongs, it has to put it down.
    const isCarried = isPlacing(what) && placeOf(belief, what.thing)?.isHeld === true;
    if (truthOf(belief, what) === true && !isCarried) return TRUE;
  }
  return isOthers(what, belief.me) ? THEIRS : undefined;
}

function isCondition(what: GridCondition | TriggerOccasion): what is GridCondition {
  return !['used', 'entered-room', 'entered-tile', 'said', 'turn-over'].includes(what.kind);
}

function isPlacing(what: GridCondition | TriggerOccasion) {
  return what.kind === 'thing-inside' || what.kind === 'thing-in-room';
}

function planNot(belief: Belief, fact: GridCondition): Plan {
  const truth = truthOf(belief, fact);
  if (truth === false) return TRUE;
  if (isOthers(fact, belief.me)) return THEIRS;
  if (truth === undefined) return UNKNOWN;
  // After it has been brought to where it belongs.
  return fact.kind === 'holds' && belief.can('DROP')
    ? plan('act', 1, wishFor(act('DROP', fact.thing)), RANKS['GO'])
    : NEVER;
}

function wishFor(one: Act): CandidateAction {
  return { command: commandOf(one), why: 'This is what I am to do.' };
}

/** The first of the acts that is not done yet. */
export function planActs(belief: Belief, acts: readonly Act[], what: What): Plan {
  const isDone = ({ verb, object, at }: Act): boolean =>
    verb === 'TAKE' ? placeOf(belief, object)?.isHeld === true : verb === 'GO' && stepTo(belief, at) === null;
  const left = acts.filter((one) => !isDone(one));
  const isAble = left.every(({ verb }) => belief.can(verb));
  // Where a thing is that it can't bring is a fact.
  if (acts.length === 0 || (isPlacing(what) && !isAble))
    return isCondition(what) && truthOf(belief, what) === false ? NEVER : UNKNOWN;
  if (!isAble) return 'agent' in what && what.agent === belief.me ? NEVER : THEIRS;
  const [next] = left;
  if (next === undefined) return TRUE;
  // Which key fits shows only when it is tried.
  if (next.verb === 'OPEN' && placeOf(belief, next.object)?.lid !== 'closed') return FIND;
  const rank = RANKS[next.verb] ?? 0;
  const step = stepTo(belief, next.at);
  if (step === undefined) return planUnlocking(belief) ?? { ...FIND, rank };
  const { holds, carryMax } = belief.facts.self;
  const [spare] = next.verb === 'TAKE' && holds.length >= carryMax ? holds : [];
  // What it holds may have to be brought somewhere first.
  const turns = 1 + (step?.turns ?? 0) + (spare === undefined ? 0 : SEARCH_TURNS);
  if (step !== null) return plan('act', turns, step.wish, rank);
  if (spare !== undefined) return plan('act', turns, wishFor(act('DROP', spare.id)));
  const isFree = next.verb === 'SPEAK' && belief.definition.rules.speechFree;
  const note = next.verb === 'READ' ? { note: { read: next.object } } : {};
  return plan('act', 1, { ...wishFor(next), ...note, isFree }, rank);
}

/** Without a way, it opens a locked door if it knows how. */
function planUnlocking(belief: Belief): Plan | undefined {
  const { facts } = belief;
  const of = facts.doors
    .filter(({ state }) => state === 'locked')
    .map(({ id }) => ({ kind: 'door-is', door: id, state: 'open' }) as const);
  // For this, no other door is unlocked.
  const opening = planFor({ ...belief, facts: { ...facts, doors: [] } }, { kind: 'any', of });
  return opening.is === 'act' && opening.turns < SEARCH_TURNS ? opening : undefined;
}

/**
 * Tries what it can carry on the locks that it knows, the nearest first, because what opens which shows only so;
 * `fitting`: what a lock's name speaks of, a blue key for the blue-key door.
 */
export function toUnlock(belief: Belief, failed: Notebook['failed']) {
  const { definition, facts, me } = belief;
  const { doors, things, remembered, self } = facts;
  const wordsOf = ({ name }: { name: string }): readonly string[] => name.split(/[^\p{L}]+/u);
  const locks = [...doors, ...things, ...remembered].filter(
    (one) => ('state' in one ? one.state : one.lid) === 'locked',
  );
  const portable = definition.things.filter((one) => one.portable).map(({ id }) => id);
  const trials = [...self.holds, ...things, ...remembered]
    .filter(({ id }) => portable.includes(id))
    .flatMap((key) => locks.map((lock) => ({ key, lock })))
    .filter(({ key, lock }) => lookUp(failed, `USE ${key.id} ON ${lock.id}`) === undefined)
    .map(({ key, lock }) => {
      const what = { kind: 'used', thing: key.id, on: lock.id, agent: me } as const;
      const isFitting = wordsOf(key).filter((word) => wordsOf(lock).includes(word)).length > 1;
      return { isFitting, ...planActs(belief, actsOf(what), what) };
    })
    .toSorted((a, b) => a.turns - b.turns);
  const wishes = (of: typeof trials) => of.flatMap(({ wish }) => wish ?? []);
  return { fitting: wishes(trials.filter(({ isFitting }) => isFitting)), all: wishes(trials) };
}
