/**
 * The cost of a step as columns: the exact cost if the search found it, otherwise an estimate, labelled as
 * such.
 */
import type { LogReader } from '../log/reader.js';
import type { StepRegret } from '../solve/regret.js';
import type { ActRecord } from '../trajectory/act.js';

/** `fatal`: success was possible before the step and is impossible after it, both proven. */
export type RegretKind = 'exact' | 'estimate' | 'fatal';

export interface StepCost {
  /**
   * The number of turns by which the step delays the earliest success; null if it is unknown or success is
   * impossible.
   */
  regret: number | null;
  regretKind: RegretKind | null;
  /** How much of the way from the start of the run to success is done after the step, in percent. */
  progress: number | null;
  progressKind: StepRegret['progressKind'];
}

/** The costs of one run, by step; null if its world can't be opened, or nothing counts as success in it. */
export type Costs = ReadonlyMap<number, StepCost> | null;

/** Computes the costs of the steps of a logged run. */
export type CostsOf = (reader: LogReader, runId: string) => Costs;

/** For exports without `--regret`. */
export const NO_COSTS: CostsOf = () => null;

/** The same, computed once per run. */
export function cachedPerRun(costsOf: CostsOf): CostsOf {
  const cache = new Map<string, ReturnType<CostsOf>>();
  return (reader: LogReader, runId: string) => {
    const key = JSON.stringify([reader.path, runId]);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const costs = costsOf(reader, runId);
    cache.set(key, costs);
    return costs;
  };
}

/**
 * Whether the step's cost is that of this act: the act settled the step, or the agent had to wait because
 * this act, its last attempt, was refused.
 */
export function hasStepCost(acts: readonly ActRecord[], act: ActRecord): boolean {
  const last = acts.at(-1);
  if (last === act) return true;
  if (last?.insteadOf == null || acts.at(-2) !== act || act.result.ok) return false;
  return last.insteadOf.code === act.result.problem.code;
}

export function stepCost(regret: StepRegret): StepCost {
  const { after, lostTurns, isFatal, guessedTurns, progress, progressKind } = regret;
  const estimate = after === 'never' ? null : guessedTurns;
  if (lostTurns !== null) return { regret: lostTurns, regretKind: 'exact', progress, progressKind };
  if (isFatal) return { regret: null, regretKind: 'fatal', progress, progressKind };
  return {
    regret: estimate,
    regretKind: estimate === null ? null : 'estimate',
    progress,
    progressKind,
  };
}
