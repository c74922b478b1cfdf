/**
 * The cost of a step as columns: exact if the search was, else the estimate, labelled as such. In: the regret
 * of a run's steps, from a caller that can open its world; out: one cost per step.
 */
import type { LogReader } from '../log/reader.js';
import type { StepRegret } from '../solve/regret.js';

/** `fatal`: success was possible before the step and is impossible after it, both for certain. */
export type RegretKind = 'exact' | 'estimate' | 'fatal';

export interface StepCost {
  /** Turns by which success comes later than it could have; null if that is not known, or it comes no more. */
  readonly regret: number | null;
  readonly regretKind: RegretKind | null;
  /** Percent of the way from the start of the run that is done after the step. */
  readonly progress: number | null;
  readonly progressKind: StepRegret['progressKind'];
}

/** By step, of one run; null if its world can't be opened, or nothing counts as success in it. */
export type Costs = ReadonlyMap<number, StepCost> | null;

/** Works out what the steps of a logged run cost. */
export type CostsOf = (reader: LogReader, runId: string) => Costs;

/** If it was not requested. */
export const NO_COSTS: CostsOf = () => null;

/** The same, worked out once a run. */
export function remembered(costsOf: CostsOf): CostsOf {
  const found = new Map<string, ReturnType<CostsOf>>();
  return (reader: LogReader, runId: string) => {
    const name = JSON.stringify([reader.path, runId]);
    const before = found.get(name);
    if (before !== undefined) return before;
    const costs = costsOf(reader, runId);
    found.set(name, costs);
    return costs;
  };
}

export function stepCost(one: StepRegret): StepCost {
  const { progress, progressKind } = one;
  return { ...regretIn(one), progress, progressKind };
}

function regretIn({
  after,
  lostTurns,
  isFatal,
  guessedTurns,
}: StepRegret): Pick<StepCost, 'regret' | 'regretKind'> {
  if (lostTurns !== null) return { regret: lostTurns, regretKind: 'exact' };
  if (isFatal) return { regret: null, regretKind: 'fatal' };
  if (guessedTurns === null || after === 'never') return { regret: null, regretKind: null };
  return { regret: guessedTurns, regretKind: 'estimate' };
}
