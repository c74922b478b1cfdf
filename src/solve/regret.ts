/**
 * What each step of a run cost: how far success was before and after it, found by search from both, with the others' help taken for granted.
 * In: the acts of a run in order; out: a distance where the search is certain, null where it is not.
 */
import { known } from '../base/assert.js';
import type { Intent } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import type { Position, Reached } from './position.js';
import { afterAct, startOfTurn } from './position.js';
import type { Solution, SolveOptions } from './solve.js';
import { solveFrom } from './solve.js';

/** What one agent did in one turn: its free acts, then the one that cost the turn. Refused tries are left out. */
export interface TakenStep {
  readonly turn: number;
  readonly agent: string;
  readonly intents: readonly Intent[];
}

/** Turns until success, this one included; `never`: it can come no more; null: the search can't tell. */
export type Distance = number | 'never' | null;

/** How far a step left success, in turns. */
export interface StepRegret {
  readonly turn: number;
  readonly agent: string;
  /** How far success was when the step began. */
  readonly before: Distance;
  /** Counted from the same turn; 1 where the step won. */
  readonly after: Distance;
  /** By how many turns success comes later than it could have; null where one of the distances is no number. */
  readonly lostTurns: number | null;
}

/** One entry for each step, up to the end of the run. The effort is that of one search; there is one before and after each step. */
export function regretOf<S>(
  environment: Environment<S>,
  run: { readonly state: S; readonly steps: readonly TakenStep[] },
  options: SolveOptions,
): readonly StepRegret[] {
  const found: StepRegret[] = [];
  let reached = startOfTurn(environment, options, { state: run.state, turn: 1 });
  let before = winningTurn(environment, reached, { turn: 1, options });
  for (const { turn, agent, intents } of run.steps) {
    for (const intent of intents) {
      if (reached.kind === 'position') reached = afterAct(environment, options, reached.position, intent);
    }
    const after = winningTurn(environment, reached, { turn, options });
    found.push({
      turn,
      agent,
      before: distance(before, turn),
      after: distance(after, turn),
      lostTurns: typeof before === 'number' && typeof after === 'number' ? after - before : null,
    });
    if (reached.kind !== 'position') break;
    before = after;
  }
  return found;
}

function distance(winning: Distance, turn: number): Distance {
  return typeof winning === 'number' ? winning - turn + 1 : winning;
}

/** The first turn in which success can come. `turn` is the one that was played when the run ended. */
function winningTurn<S>(
  environment: Environment<S>,
  reached: Reached<S>,
  { turn, options }: { readonly turn: number; readonly options: SolveOptions },
): Distance {
  if (reached.kind === 'won') return turn;
  if (reached.kind === 'over') return 'never';
  return certainTurn(solvePosition(environment, reached.position, options));
}

function solvePosition<S>(
  environment: Environment<S>,
  position: Position<S>,
  options: SolveOptions,
): Solution {
  return solveFrom(environment, position, { ...options, wantsFewest: true });
}

function certainTurn({ verdict, isFewest, turn }: Solution): Distance {
  if (verdict === 'impossible') return 'never';
  return isFewest ? known(turn ?? undefined, 'the turn of a way that was found') : null;
}
