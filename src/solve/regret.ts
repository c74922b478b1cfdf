/**
 * The regret of each step of a run: the distances to success before and after it, found by search and
 * assuming that all other agents help; and an estimate by the environment, which is much cheaper. A distance
 * is null if the search is not certain.
 */
import { assert, known } from '../base/assert.js';
import type { Intent } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { afterAct, startOfTurn } from './position.js';
import type { SearchResult } from './position.js';
import { solveFrom } from './solve.js';
import type { SolveOptions } from './solve.js';
import { movesOf } from './moves.js';

/** The number of units of an estimate per turn. */
const TENTHS = 10;

/**
 * The estimated distance to success, in tenths of a turn; null if there is no estimate, or success is no
 * longer possible.
 */
function estimateOf<S>(
  environment: Environment<S>,
  state: S,
  withdrawn: readonly string[] = [],
): number | null {
  const { status } = environment.outcome(state);
  if (status === 'failed') return null;
  if (status === 'succeeded') return 0;
  return environment.search?.estimate?.(state, withdrawn) ?? null;
}

/**
 * By how many of its agent's turns an act is worse than the best offered one that also costs a turn, rounded
 * down, as estimated one act ahead, without a search; null if there is no estimate.
 */
function estimateLoss<S>(
  environment: Environment<S>,
  state: S,
  intent: Intent,
  { withdrawn = [] }: Pick<SolveOptions, 'withdrawn'>,
): number | null {
  const estimateAfter = (act: Intent): number | null =>
    estimateOf(environment, environment.advance(state, [act]).state, withdrawn);
  const estimate = estimateAfter(intent);
  if (estimate === null) return null;
  const { intents } = movesOf(environment, state, { agent: intent.agent, withdrawn });
  const alternatives = intents
    .filter(({ action }) => environment.actions.get(action)?.cost !== 'free')
    .map((each) => estimateAfter(each) ?? estimate);
  return Math.floor((estimate - Math.min(estimate, ...alternatives)) / TENTHS);
}

/**
 * The acts of one agent in one turn: its free acts, then the one that cost the turn. Refused tries are left
 * out.
 */
export interface TakenStep {
  turn: number;
  agent: string;
  intents: readonly Intent[];
}

/** Turns until success, including this one; `never`: success is impossible; null: the search gave up. */
export type GoalDistance = number | 'never' | null;

/** How far a step delayed success, in turns. */
export interface StepRegret {
  turn: number;
  agent: string;
  /** The distance to success when the step began. */
  before: GoalDistance;
  /** The distance to success after the step, counted from the same turn; 1 if the step achieved success. */
  after: GoalDistance;
  /**
   * By how many turns success comes later than was possible; null if one of the distances is not a number.
   */
  lostTurns: number | null;
  /**
   * Whether the step made success impossible: before it, a plan of any length was found, and after it, there
   * is none.
   */
  isFatal: boolean;
  /**
   * By how many turns of its agent the step was worse than the best offered action, as estimated by the
   * environment: 0 or more; null if there is no estimate, or success is no longer possible.
   */
  guessedTurns: number | null;
  /**
   * The share of the distance from the start of the run that was covered after the step, in percent, rounded
   * down; below 0 if success was farther away than at the start.
   */
  progress: number | null;
  /** Whether the progress is based on exact distances or on the estimate; null if there is neither. */
  progressKind: 'exact' | 'estimate' | null;
}

export interface RegretOptions extends SolveOptions {
  /**
   * The maximum number of steps of all searches of one run together. Default: each search may use its full
   * effort.
   */
  effortOfRun?: number;
}

/**
 * One entry for each step, up to the end of the run. `effort` is that of one search; there is at most one
 * before and after each step.
 */
export function regretOf<S>(
  environment: Environment<S>,
  run: { state: S; steps: readonly TakenStep[] },
  options: RegretOptions,
): readonly StepRegret[] {
  const positions = timedPositions(environment, run, options);
  const turns = new WinningTurns(environment, positions, options);
  const winning = turns.all();
  const firstEstimate = estimateOf(environment, run.state);
  return positions.slice(1).map((timed, i): StepRegret => {
    const { turn, agent } = known(run.steps[i], `step ${i + 1}`);
    const [before, after] = [winning[i] ?? null, winning[i + 1] ?? null];
    const isCertain = typeof before === 'number' && typeof after === 'number';
    return {
      turn,
      agent,
      before: distance(before, turn),
      after: distance(after, turn),
      lostTurns: isCertain ? after - before : null,
      isFatal: after === 'never' && i <= turns.lastWinnable,
      guessedTurns: timed.guessedTurns,
      ...progressOf(environment, timed, { start: winning[0] ?? null, current: after, firstEstimate }),
    };
  });
}

/** The positions of a run before its first step, and after each. */
interface TimedPosition<S> {
  reached: SearchResult<S>;
  /** The turn of the step that led there. */
  turn: number;
  guessedTurns: number | null;
}

function timedPositions<S>(
  environment: Environment<S>,
  { state, steps }: { state: S; steps: readonly TakenStep[] },
  options: RegretOptions,
): readonly TimedPosition<S>[] {
  let reached = startOfTurn(environment, options, { state, turn: 1 });
  const positions: TimedPosition<S>[] = [{ reached, turn: 1, guessedTurns: null }];
  for (const { turn, intents } of steps) {
    let guessedTurns: number | null = null;
    for (const [i, intent] of intents.entries()) {
      if (reached.kind !== 'position') break;
      if (i === intents.length - 1)
        guessedTurns = estimateLoss(environment, reached.position.state, intent, options);
      reached = afterAct(environment, options, reached.position, intent);
    }
    positions.push({ reached, turn, guessedTurns });
    if (reached.kind !== 'position') break;
  }
  return positions;
}

/**
 * The earliest turn in which success is possible, for each position of a run. No act makes it earlier, so if
 * it is the same for two positions, it is the same for all positions between them. The last and the first
 * are searched, then recursively the middle.
 */
class WinningTurns<S> {
  readonly #environment: Environment<S>;
  readonly #positions: readonly TimedPosition<S>[];
  readonly #options: RegretOptions;
  readonly #distances: GoalDistance[];
  #effortLeft: number;
  #lastWinnable = -1;

  constructor(environment: Environment<S>, positions: readonly TimedPosition<S>[], options: RegretOptions) {
    this.#environment = environment;
    this.#positions = positions;
    this.#options = options;
    this.#distances = positions.map(() => null);
    this.#effortLeft = options.effortOfRun ?? Number.MAX_SAFE_INTEGER;
  }

  /**
   * The index of the last position from which a solution was found, not necessarily the shortest; -1 if there
   * is none. All earlier positions can be won too.
   */
  get lastWinnable(): number {
    return this.#lastWinnable;
  }

  all(): readonly GoalDistance[] {
    const last = this.#positions.length - 1;
    this.#search(last);
    if (last > 0) this.#search(0);
    this.#searchBetween(0, last);
    return this.#distances;
  }

  /** Searches the later half first, because positions near success need the least effort. */
  #searchBetween(from: number, to: number): void {
    if (to - from < 2) return;
    const [first, last] = [this.#distances[from] ?? null, this.#distances[to] ?? null];
    if (first !== null && first === last) return void this.#distances.fill(first, from, to);
    const middle = Math.floor((from + to) / 2);
    this.#search(middle);
    this.#searchBetween(middle, to);
    this.#searchBetween(from, middle);
  }

  #search(index: number): void {
    const { reached, turn } = known(this.#positions[index], `moment ${index}`);
    this.#distances[index] =
      reached.kind === 'won'
        ? turn
        : reached.kind === 'over'
          ? 'never'
          : this.#searchPosition(index, reached.position);
  }

  #searchPosition(
    index: number,
    position: Extract<SearchResult<S>, { kind: 'position' }>['position'],
  ): GoalDistance {
    const effort = Math.min(this.#options.effort, this.#effortLeft);
    if (effort <= 0) return null;
    const { verdict, isFewest, turn, tried } = solveFrom(this.#environment, position, {
      ...this.#options,
      effort,
      wantsFewest: true,
    });
    this.#effortLeft -= tried;
    if (verdict === 'winnable') this.#lastWinnable = Math.max(this.#lastWinnable, index);
    if (verdict === 'impossible') return 'never';
    return isFewest ? known(turn ?? undefined, 'the turn of the plan that was found') : null;
  }
}

function distance(winning: GoalDistance, turn: number): GoalDistance {
  return typeof winning === 'number' ? winning - turn + 1 : winning;
}

/** Compares exact distances if possible, otherwise estimates, but never one with the other. */
function progressOf<S>(
  environment: Environment<S>,
  { reached }: TimedPosition<S>,
  {
    start,
    current,
    firstEstimate,
  }: { start: GoalDistance; current: GoalDistance; firstEstimate: number | null },
): Pick<StepRegret, 'progress' | 'progressKind'> {
  if (reached.kind === 'won') return { progress: 100, progressKind: 'exact' };
  if (reached.kind === 'over') return { progress: null, progressKind: null };
  const { turn, state } = reached.position;
  if (typeof start === 'number' && typeof current === 'number')
    return { progress: percent(start, current - turn + 1), progressKind: 'exact' };
  const guess = current === 'never' ? null : estimateOf(environment, state);
  if (firstEstimate === null || guess === null || firstEstimate === 0)
    return { progress: null, progressKind: null };
  return { progress: percent(firstEstimate, guess), progressKind: 'estimate' };
}

function percent(start: number, remaining: number): number {
  assert(start > 0, 'the plan of a step that was taken has a length');
  return Math.floor((100 * (start - remaining)) / start);
}
