/**
 * Whether a world can be won, found by best-first search over its real rules, ordered by the environment's
 * own estimate. Every position is stored by its key and expanded again if it is reached with a lower cost. A
 * plan that it finds was replayed from the start and won; otherwise it is certain that there is none, or the
 * search gave up. The number of tried steps is the only limit, so that the answer is the same on every
 * machine.
 */
import { assert, known } from '../base/assert.js';
import type { Intent } from '../environment/action.js';
import { WAIT } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { movesOf } from './moves.js';
import type { SearchPosition, TurnRules } from './position.js';
import { afterAct, keyOf, startOfTurn, timeOf } from './position.js';
import { RankedQueue } from './queue.js';

/** The rules for turns, and the limit of the search. */
export interface SolveOptions extends TurnRules {
  /** The maximum number of steps to try. */
  effort: number;
  /**
   * Whether to use all the remaining effort to improve on the plan that was found. Default: as much effort as
   * finding it took.
   */
  wantsFewest?: boolean;
  /** Names of actions that no agent may use. Default: none. */
  withdrawn?: readonly string[];
}

/** One act of a plan. */
export interface PlannedAct {
  turn: number;
  intent: Intent;
}

/** The result of a search. */
export interface Solution {
  /** `impossible`: everything that can happen within the turns was tried. `unknown`: the search gave up. */
  verdict: 'winnable' | 'impossible' | 'unknown';
  /** The actions in order; null unless winnable. */
  plan: readonly PlannedAct[] | null;
  /** Steps until success, one for each agent in each turn begun, including waits; null unless winnable. */
  steps: number | null;
  /** The turn in which success comes; null unless winnable. */
  turn: number | null;
  /** Whether it is certain that no plan is shorter. */
  isFewest: boolean;
  /** The number of different positions reached. */
  states: number;
  /** The number of steps that were tried, which is never much more than the effort. */
  tried: number;
}

/**
 * Whether success can be reached from `state`, at the start of `turn`, with full knowledge of the state: for
 * a custom environment without a scenario. `winnable` is stricter: each agent uses only what it knows.
 */
export function solve<S>(
  environment: Environment<S>,
  from: { state: S; turn: number },
  options: SolveOptions,
): Solution {
  const start = startOfTurn(environment, options, from);
  if (start.kind === 'position') return solveFrom(environment, start.position, options);
  const isWon = start.kind === 'won';
  return {
    verdict: isWon ? 'winnable' : 'impossible',
    plan: isWon ? [] : null,
    steps: isWon ? 0 : null,
    turn: isWon ? from.turn : null,
    isFewest: isWon,
    states: 1,
    tried: 0,
  };
}

/** Like `solve`, from within a turn. */
export function solveFrom<S>(
  environment: Environment<S>,
  position: SearchPosition<S>,
  options: SolveOptions,
): Solution {
  const search = new StateSearch(environment, position, options);
  search.run();
  const solution = search.solution();
  if (solution.plan !== null) {
    assert(
      planWins(environment, options, position, solution.plan),
      'a plan must win when it is played again',
    );
  }
  return solution;
}

/** Whether acts, done one after another under the rules, win. */
export function planWins<S>(
  environment: Environment<S>,
  rules: TurnRules,
  start: SearchPosition<S>,
  plan: readonly PlannedAct[],
): boolean {
  let position = start;
  for (const [index, { turn, intent }] of plan.entries()) {
    const isRefused = environment.check(position.state, intent) !== undefined;
    if (isRefused || intent.agent !== position.waiting[0] || turn !== position.turn) return false;
    const reached = afterAct(environment, rules, position, intent);
    if (reached.kind !== 'position') return reached.kind === 'won' && index === plan.length - 1;
    position = reached.position;
  }
  return false;
}

/** A position and its predecessor. */
interface SearchNode<S> {
  position: SearchPosition<S>;
  key: string;
  /** Lower is better: steps since the start; free acts count as less than one. */
  cost: number;
  /** The number of acts so far that were not waiting. */
  acts: number;
  parent: SearchNode<S> | null;
  intent: Intent | null;
}

/**
 * The weight of the estimate compared with the steps so far; with 1, the search would only look for the
 * shortest plan.
 */
export const ESTIMATE_WEIGHT = 4;

/** The minimum number of steps to try for a shorter plan. */
const MIN_IMPROVEMENT_EFFORT = 500;

/**
 * The additional cost of an act besides a step's time: plans in which few agents act are tried before those
 * in which all do.
 */
export const ACT_COST = 3;

class StateSearch<S> {
  readonly #environment: Environment<S>;
  readonly #options: SolveOptions;
  readonly #start: number;
  readonly #queue = new RankedQueue<SearchNode<S>>();
  /** The lowest cost at which each key was reached. */
  readonly #reached = new Map<string, number>();
  #tried = 0;
  #isComplete = true;
  #won: { last: SearchNode<S>; intent: Intent } | null = null;
  /** The number of steps tried when the first plan was found. */
  #triedFirst: number | null = null;

  constructor(environment: Environment<S>, position: SearchPosition<S>, options: SolveOptions) {
    this.#environment = environment;
    this.#options = options;
    this.#start = timeOf(environment, position);
    this.#consider(position, null, null);
  }

  /**
   * Runs until nothing is left, the effort is used up, or a plan was found and a shorter one was searched for
   * as long again.
   */
  run(): void {
    for (let node = this.#queue.pop(); node !== undefined; node = this.#queue.pop()) {
      if ((this.#reached.get(node.key) ?? 0) < node.cost || this.#isTooLate(node.position)) continue;
      if (this.#tried >= this.#limit()) {
        this.#isComplete = false;
        return;
      }
      this.#expand(node);
    }
  }

  #limit(): number {
    const { effort, wantsFewest = false } = this.#options;
    return this.#triedFirst === null || wantsFewest
      ? effort
      : Math.min(effort, 2 * this.#triedFirst + MIN_IMPROVEMENT_EFFORT);
  }

  /** Whether a position is not earlier than the end of the plan that was found. */
  #isTooLate(position: SearchPosition<S>): boolean {
    return (
      this.#won !== null &&
      timeOf(this.#environment, position) >= timeOf(this.#environment, this.#won.last.position)
    );
  }

  #expand(node: SearchNode<S>): void {
    const { position } = node;
    const agent = known(position.waiting[0], 'an agent that is waiting');
    const { withdrawn = [] } = this.#options;
    const { intents, isComplete } = movesOf(this.#environment, position.state, { agent, withdrawn });
    this.#isComplete &&= isComplete;
    for (const intent of intents) {
      this.#tried += 1;
      const reached = afterAct(this.#environment, this.#options, position, intent);
      if (reached.kind === 'position') this.#consider(reached.position, node, intent);
      else if (reached.kind === 'won') {
        this.#won = { last: node, intent };
        this.#triedFirst ??= this.#tried;
        return;
      }
    }
  }

  #consider(position: SearchPosition<S>, parent: SearchNode<S> | null, intent: Intent | null): void {
    if (this.#isTooLate(position)) return;
    const cost = timeOf(this.#environment, position) * (this.#options.freeActs + 1) + position.free;
    const key = keyOf(this.#environment, position);
    const knownCost = this.#reached.get(key);
    if (knownCost !== undefined && knownCost <= cost) return;
    this.#reached.set(key, cost);
    const isWait = intent === null || intent.action === WAIT;
    const acts = (parent?.acts ?? 0) + (isWait ? 0 : 1);
    const rank = this.#rankOf(position, acts);
    if (rank !== null) this.#queue.push({ position, key, cost, acts, parent, intent }, rank);
  }

  /** Null if success is no longer possible. */
  #rankOf(position: SearchPosition<S>, acts: number): number | null {
    const { agents, search } = this.#environment;
    const { withdrawn = [] } = this.#options;
    const estimate = search?.estimate === undefined ? 0 : search.estimate(position.state, withdrawn);
    if (estimate === null) return null;
    const stepsTaken = timeOf(this.#environment, position) - this.#start;
    return stepsTaken + ACT_COST * acts + Math.floor((ESTIMATE_WEIGHT * agents.length * estimate) / 10);
  }

  solution(): Solution {
    const counts = { states: this.#reached.size, tried: this.#tried };
    if (this.#won === null) {
      const verdict = this.#isComplete ? 'impossible' : 'unknown';
      return { verdict, plan: null, steps: null, turn: null, isFewest: false, ...counts };
    }
    const { last, intent } = this.#won;
    return {
      verdict: 'winnable',
      plan: [...actsTo(last), { turn: last.position.turn, intent }],
      steps: timeOf(this.#environment, last.position) - this.#start + 1,
      turn: last.position.turn,
      isFewest: this.#isComplete,
      ...counts,
    };
  }
}

function actsTo<S>(end: SearchNode<S>): readonly PlannedAct[] {
  const acts: PlannedAct[] = [];
  for (let node = end; node.parent !== null; node = node.parent) {
    const intent = known(node.intent, 'the act that led to a position');
    acts.unshift({ turn: node.parent.position.turn, intent });
  }
  return acts;
}
