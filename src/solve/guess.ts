/**
 * The estimated value of an act: the environment's own estimate after it, compared with the estimate after
 * each other offered act. In: a state and an act; out: whole turns. No search, so the effort is that of
 * trying each offered act once. It looks one act ahead, and is marked as an estimate.
 */
import type { Intent } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { movesOf } from './moves.js';
import type { SolveOptions } from './solve.js';

/** An estimate counts tenths of a turn. */
const TENTHS = 10;

/** How far success is at a guess, in tenths of a turn; null where there is no estimate, or success can come no more. */
export function guessOf<S>(
  environment: Environment<S>,
  state: S,
  withdrawn: readonly string[] = [],
): number | null {
  const { status } = environment.outcome(state);
  if (status === 'failed') return null;
  if (status === 'succeeded') return 0;
  return environment.search?.estimate?.(state, withdrawn) ?? null;
}

/** By how many turns of its agent an act is worse than the best one that costs a turn too, rounded down; null: no estimate. */
export function guessed<S>(
  environment: Environment<S>,
  state: S,
  intent: Intent,
  { withdrawn = [] }: Pick<SolveOptions, 'withdrawn'>,
): number | null {
  const after = (act: Intent): number | null =>
    guessOf(environment, environment.advance(state, [act]).state, withdrawn);
  const mine = after(intent);
  if (mine === null) return null;
  const { intents } = movesOf(environment, state, { agent: intent.agent, withdrawn });
  const others = intents
    .filter(({ action }) => environment.actions.get(action)?.cost !== 'free')
    .map((each) => after(each) ?? mine);
  return Math.floor((mine - Math.min(mine, ...others)) / TENTHS);
}
