/** The turns that decisions of a logged run lost, for `report --funnel`: by the search, and against the sighted player. */
import { sightedLosses } from '../../assembly/sighted-losses.js';
import { UsageError } from '../../base/errors.js';
import type { LogReader } from '../../log/reader.js';
import type { DecidedTurns, SeatFunnel } from '../../report/seat-funnel.js';
import type { RunRecord } from '../../trajectory/records.js';
import { costsOfLogged, openEnvironment } from './logged-costs.js';

/** The default number of decisions of an agent in a run at which the sighted player plays on. */
export const ROLLOUTS = 10;

/** Null if the environment is not available, or nothing counts as success. */
export function decidedTurns(
  reader: LogReader,
  run: RunRecord,
  { reached, decisions }: SeatFunnel,
  { rollouts, ...search }: Parameters<typeof costsOfLogged>[2] & { rollouts: number },
): DecidedTurns | null {
  const environment = openEnvironment(search.open, run);
  if (environment?.hasGoal !== true) return null;
  const isInformed = ({ step }: { step: number }): boolean => reached !== null && step >= reached.step;
  const informed = decisions.filter(isInformed);
  const costs = informed.length === 0 ? null : costsOfLogged(reader, run.runId, search);
  const known = informed.map(({ step, turn }) => {
    const { regret = null, regretKind = null } = costs?.get(step) ?? {};
    return { kind: regretKind, lost: regretKind === 'fatal' ? run.scenario.turns.max - turn + 1 : regret };
  });
  const others = decisions.filter((one) => !isInformed(one));
  const stride = Math.max(1, others.length / rollouts);
  // Evenly over the run: the first of each stride.
  const chosen = others.filter((_, i) => Math.floor(i / stride) !== Math.floor((i - 1) / stride));
  const losses = lossesAt(() =>
    sightedLosses(reader, run, search.open, new Set(chosen.map(({ step }) => step))),
  );
  const sum = (values: readonly (number | null)[]): number =>
    values.reduce<number>((all, value) => all + (value ?? 0), 0);
  return {
    informed: {
      steps: informed.length,
      exact: known.filter(({ kind }) => kind === 'exact' || kind === 'fatal').length,
      estimated: known.filter(({ kind }) => kind === 'estimate').length,
      lost: sum(known.map(({ lost }) => lost)),
    },
    sighted:
      losses === null
        ? null
        : {
            steps: others.length,
            played: losses.size,
            undecided: [...losses.values()].filter((lost) => lost === null).length,
            lost: sum([...losses.values()]),
          },
  };
}

/** Null if the sighted player can't play this scenario. */
function lossesAt(play: () => ReturnType<typeof sightedLosses>): ReturnType<typeof sightedLosses> {
  try {
    return play();
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}
