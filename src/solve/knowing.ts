/**
 * Whether a world can be won with the agents' own knowledge, without a lucky guess. The search looks for a
 * joint policy that wins in the real world and in each indistinguishable one: worlds that look the same until
 * something is read, heard or tried. An agent that has perceived the same in two worlds so far must act the
 * same in both. The plan is the policy's part for the real
 * world.
 */
import { assert, known } from '../base/assert.js';
import { canonicalJson, hashJson } from '../base/canonical.js';
import { lookUp } from '../base/look-up.js';
import type { Intent } from '../environment/action.js';
import { WAIT } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { stateHash } from '../environment/state-hash.js';
import { movesOf } from './moves.js';
import type { SearchPosition } from './position.js';
import { afterAct, keyOf, startOfTurn, timeOf } from './position.js';
import { RankedQueue } from './queue.js';
import type { PlannedAct, Solution, SolveOptions } from './solve.js';
import { ACT_COST, ESTIMATE_WEIGHT, planWins, solveFrom } from './solve.js';

/** One world's run so far; `position` is null if it is won. */
interface BeliefRun<S> {
  position: SearchPosition<S> | null;
  /** By agent: a hash of everything that it has perceived and done in this world. */
  past: Readonly<Record<string, string>>;
}

/** The runs of all worlds, the real one first, and their predecessor. */
interface BeliefNode<S> {
  runs: readonly BeliefRun<S>[];
  key: string;
  /** The time of the world that is furthest behind. */
  cost: number;
  acts: number;
  parent: BeliefNode<S> | null;
  /** The act in the real world, if it was done there. */
  act: PlannedAct | null;
}

/** The worlds in which an agent must act now and has perceived the same. */
interface KnowledgeChoice {
  agent: string;
  worlds: readonly number[];
  past: string;
}

/**
 * A solution that wins in `environment` and in all that are indistinguishable from it. All have the same
 * agents and actions. If no solution wins in the first two worlds, none wins in all of them; this is checked
 * first because it is faster.
 */
export function solveKnowing<S>(
  environment: Environment<S>,
  indistinguishable: readonly Environment<S>[],
  { seed, ...options }: KnowingOptions & { seed: string },
): Solution {
  const firstTwo = new BeliefSearch([environment, ...indistinguishable.slice(0, 1)], options).run(seed);
  if (firstTwo.verdict === 'impossible' || indistinguishable.length < 2) return firstTwo;
  const solution = new BeliefSearch([environment, ...indistinguishable], options).run(seed);
  if (solution.plan !== null) {
    const start = startOfTurn(environment, options, { state: environment.create(seed), turn: 1 });
    const isWon =
      start.kind === 'position'
        ? planWins(environment, options, start.position, solution.plan)
        : start.kind === 'won';
    assert(isWon, 'a plan must win when it is played again');
  }
  return solution;
}

export interface KnowingOptions extends SolveOptions {
  /**
   * By world, the real one first, and agent: what the agent is told before the first turn. Default: the same
   * in all worlds.
   */
  briefings?: readonly Readonly<Record<string, string>>[];
}

/** What each world that an agent can't yet distinguish from another one adds to the rank in the queue. */
const DOUBT_WEIGHT = 20;

class BeliefSearch<S> {
  readonly #worlds: readonly Environment<S>[];
  readonly #options: KnowingOptions;
  /** The agents for which the search decides. */
  readonly #seats: readonly string[];
  readonly #queue = new RankedQueue<BeliefNode<S>>();
  readonly #reached = new Map<string, number>();
  #tried = 0;
  #isComplete = true;

  constructor(worlds: readonly Environment<S>[], options: KnowingOptions) {
    this.#worlds = worlds;
    this.#options = options;
    const { agents } = known(worlds[0], 'a world');
    this.#seats = agents.filter((agent) => options.world?.has(agent) !== true);
  }

  run(seed: string): Solution {
    const runs = this.#worlds.map((world, index) => this.#begin(world, index, seed));
    if (runs.every((run) => run !== null)) {
      this.#consider({ runs, acts: 0, parent: null, act: null });
    }
    for (let node = this.#queue.pop(); node !== undefined; node = this.#queue.pop()) {
      if (node.runs.every(({ position }) => position === null)) return this.#solved(node, []);
      if ((this.#reached.get(node.key) ?? 0) < node.cost) continue;
      if (this.#tried >= this.#options.effort) return this.#unsolved('unknown');
      const separate = this.#isAllKnown(node.runs) ? this.#solveSeparately(node.runs) : null;
      if (separate === null) this.#expand(node);
      else if (separate.isWon) return this.#solved(node, separate.plan);
    }
    return this.#unsolved(this.#isComplete ? 'impossible' : 'unknown');
  }

  /** The run of a world at its start; null if it is lost before it begins. */
  #begin(world: Environment<S>, index: number, seed: string): BeliefRun<S> | null {
    const reached = startOfTurn(world, this.#options, { state: world.create(seed), turn: 1 });
    if (reached.kind === 'over') return null;
    const briefing = this.#options.briefings?.[index] ?? {};
    const past = Object.fromEntries(this.#seats.map((agent) => [agent, lookUp(briefing, agent) ?? '']));
    return { position: reached.kind === 'position' ? reached.position : null, past };
  }

  /** Whether every agent can distinguish all worlds: from there on each world is searched separately. */
  #isAllKnown(runs: readonly BeliefRun<S>[]): boolean {
    return this.#seats.every(
      (agent) => new Set(runs.map(({ past }) => lookUp(past, agent) ?? '')).size === runs.length,
    );
  }

  /** Solves each world separately; the plan is the one for the rest of the real world. */
  #solveSeparately(runs: readonly BeliefRun<S>[]): {
    isWon: boolean;
    plan: readonly PlannedAct[];
  } {
    let plan: readonly PlannedAct[] = [];
    for (const [index, { position }] of runs.entries()) {
      if (position === null) continue;
      const effort = this.#options.effort - this.#tried;
      const solution = solveFrom(known(this.#worlds[index], 'a world'), position, {
        ...this.#options,
        effort,
      });
      this.#tried += solution.tried;
      this.#isComplete &&= solution.verdict !== 'unknown';
      if (solution.plan === null) return { isWon: false, plan };
      if (index === 0) plan = solution.plan;
    }
    return { isWon: true, plan };
  }

  #expand(node: BeliefNode<S>): void {
    const choice = this.#choiceAt(node.runs);
    const [first] = choice.worlds;
    const world = known(this.#worlds[first ?? -1], 'a world');
    const { state } = known(node.runs[first ?? -1]?.position ?? undefined, 'a position');
    const { withdrawn = [] } = this.#options;
    const { intents, isComplete } = movesOf(world, state, { agent: choice.agent, withdrawn });
    this.#isComplete &&= isComplete;
    for (const intent of intents) {
      this.#tried += choice.worlds.length;
      const runs = this.#applyChoice(node.runs, choice, intent);
      if (runs === null) continue;
      const isReal = choice.worlds.includes(0);
      const turn = known(node.runs[first ?? -1]?.position ?? undefined, 'a position').turn;
      const acts = node.acts + (intent.action === WAIT ? 0 : 1);
      this.#consider({ runs, acts, parent: node, act: isReal ? { turn, intent } : null });
    }
  }

  /**
   * Who acts next: in the worlds that are furthest behind, and among those in the ones that the agent can't
   * distinguish from the first.
   */
  #choiceAt(runs: readonly BeliefRun<S>[]): KnowledgeChoice {
    const earliest = Math.min(...runs.map((run, index) => this.#timeIn(run, index)));
    const behind = runs.flatMap((run, at) => (this.#timeIn(run, at) === earliest ? [at] : []));
    const observed = behind.map((index) => ({ index, ...this.#pastIn(runs, index) }));
    const { agent, past } = known(observed[0], 'a world that is not over');
    const worlds = observed
      .filter((entry) => entry.agent === agent && entry.past === past)
      .map(({ index }) => index);
    return { agent, past, worlds };
  }

  #timeIn({ position }: BeliefRun<S>, index: number): number {
    if (position === null) return Infinity;
    const world = known(this.#worlds[index], 'a world');
    return timeOf(world, position) * (this.#options.freeActs + 1) + position.free;
  }

  /** Everything that the agent whose turn it is has perceived so far. */
  #pastIn(runs: readonly BeliefRun<S>[], index: number): { agent: string; past: string } {
    const { position, past } = known(runs[index], 'a run');
    const { state, waiting } = known(position ?? undefined, 'a position');
    const agent = known(waiting[0], 'an agent that is waiting');
    const observation = known(this.#worlds[index], 'a world').observe(state, agent);
    return { agent, past: hashJson('past', [lookUp(past, agent) ?? '', canonicalJson(observation)]) };
  }

  /** The runs after the intent in all worlds of the choice; null if it loses one of them. */
  #applyChoice(
    runs: readonly BeliefRun<S>[],
    choice: KnowledgeChoice,
    intent: Intent,
  ): readonly BeliefRun<S>[] | null {
    const nextRuns = [...runs];
    for (const index of choice.worlds) {
      const { position, past } = known(runs[index], 'a run');
      const world = known(this.#worlds[index], 'a world');
      const before = known(position ?? undefined, 'a position');
      // Whoever perceives the same has the same actions, but what hides may refuse one: then it is no plan.
      if (world.check(before.state, intent) !== undefined) {
        this.#isComplete = false;
        return null;
      }
      const reached = afterAct(world, this.#options, before, intent);
      if (reached.kind === 'over') return null;
      nextRuns[index] = {
        position: reached.kind === 'position' ? reached.position : null,
        past: { ...past, [choice.agent]: hashJson('past', [choice.past, intent]) },
      };
    }
    return nextRuns;
  }

  #consider(node: Omit<BeliefNode<S>, 'key' | 'cost'>): void {
    const rank = this.#rankOf(node);
    if (rank === null) return;
    const cost = this.#earliestTime(node.runs);
    const key = this.#keyOf(node.runs);
    const knownCost = this.#reached.get(key);
    if (knownCost !== undefined && knownCost <= cost) return;
    this.#reached.set(key, cost);
    this.#queue.push({ ...node, key, cost }, rank);
  }

  #earliestTime(runs: readonly BeliefRun<S>[]): number {
    const times = runs.map((run, at) => this.#timeIn(run, at)).filter((time) => time !== Infinity);
    return Math.min(...times, Number.MAX_SAFE_INTEGER);
  }

  /** The key of the runs. An agent's perceptions are part of it only as far as they distinguish worlds. */
  #keyOf(runs: readonly BeliefRun<S>[]): string {
    const first = this.#earliestTime(runs);
    const positions = runs.map((run, at) =>
      run.position === null
        ? null
        : [keyOf(known(this.#worlds[at], 'a world'), run.position), this.#timeIn(run, at) - first],
    );
    const apart = this.#seats.map((agent) => this.#indistinguishable(runs, agent));
    return canonicalJson([positions, apart]);
  }

  /**
   * By world, the first one that an agent can't distinguish from it: by its perceptions when it last acted,
   * and by its current knowledge.
   */
  #indistinguishable(runs: readonly BeliefRun<S>[], agent: string): readonly (readonly number[])[] {
    const pasts = runs.map(({ past }) => lookUp(past, agent) ?? '');
    const current = runs.map(({ position }, at) =>
      position === null
        ? ''
        : canonicalJson([pasts[at], mindOf(known(this.#worlds[at], 'a world'), position.state, agent)]),
    );
    return [pasts.map((past) => pasts.indexOf(past)), current.map((now) => current.indexOf(now))];
  }

  /** The number of worlds that an agent can't distinguish from an earlier one, over all agents. */
  #countDoubts(runs: readonly BeliefRun<S>[]): number {
    const doubts = this.#seats.map(
      (agent) => runs.length - new Set(this.#indistinguishable(runs, agent)[1]).size,
    );
    return doubts.reduce((sum, each) => sum + each, 0);
  }

  /** Null if one of the worlds can no longer be won. */
  #rankOf({ runs, acts }: Pick<BeliefNode<S>, 'runs' | 'acts'>): number | null {
    const { withdrawn = [] } = this.#options;
    let rank = ACT_COST * acts + DOUBT_WEIGHT * this.#countDoubts(runs);
    for (const [index, { position }] of runs.entries()) {
      if (position === null) continue;
      const { agents, search } = known(this.#worlds[index], 'a world');
      const estimate = search?.estimate === undefined ? 0 : search.estimate(position.state, withdrawn);
      if (estimate === null) return null;
      const passed = timeOf(known(this.#worlds[index], 'a world'), position);
      rank += passed + Math.floor((ESTIMATE_WEIGHT * agents.length * estimate) / 10);
    }
    return rank;
  }

  #unsolved(verdict: 'impossible' | 'unknown'): Solution {
    const counts = { states: this.#reached.size, tried: this.#tried };
    return { verdict, plan: null, steps: null, turn: null, isFewest: false, ...counts };
  }

  #solved(end: BeliefNode<S>, remaining: readonly PlannedAct[]): Solution {
    const plan = [...remaining];
    for (let node: BeliefNode<S> | null = end; node !== null; node = node.parent) {
      if (node.act !== null) plan.unshift(node.act);
    }
    return {
      verdict: 'winnable',
      plan,
      steps: this.#stepsOf(plan.at(-1)),
      turn: plan.at(-1)?.turn ?? 1,
      isFewest: false,
      states: this.#reached.size,
      tried: this.#tried,
    };
  }

  #stepsOf(last: PlannedAct | undefined): number {
    const { agents } = known(this.#worlds[0], 'a world');
    return last === undefined ? 0 : (last.turn - 1) * agents.length + agents.indexOf(last.intent.agent) + 1;
  }
}

function mindOf<S>(environment: Environment<S>, state: S, agent: string): string {
  return environment.search?.mind?.(state, agent) ?? stateHash(environment.parts(state));
}
