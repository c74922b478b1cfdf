/** The decisions of a logged run and the turns that they lost, for `report --funnel`. */
import { sightedLosses } from '../../assembly/sighted-losses.js';
import type { LogReader } from '../../log/reader.js';
import { seatFunnels } from '../../report/seat-funnel.js';
import type { DecidedSeat } from '../../report/seat-funnel.js';
import { total } from '../../trajectory/named-counts.js';
import type { RunRecord } from '../../trajectory/records.js';
import { costsOfLogged, ifUsable, openEnvironment, turnsLost } from './logged-costs.js';

/** The default number of decisions of an agent in a run at which the sighted player plays on. */
export const ROLLOUTS = 10;

/** `search` is null for no turns lost. Throws StorageError if the log is damaged. */
export function decidedSeats(
  reader: LogReader,
  run: RunRecord,
  search: (Parameters<typeof costsOfLogged>[2] & { rollouts: number }) | null,
): readonly DecidedSeat[] {
  const all = seatFunnels(reader, run);
  if (search === null || openEnvironment(search.open, run)?.hasGoal !== true)
    return all.map((seat) => ({ ...seat, decided: null }));
  const seats = all.map((seat) => {
    const informedFrom = seat.reached?.step ?? Infinity;
    const others = seat.decisions.filter(({ step }) => step < informedFrom);
    const stride = Math.max(1, others.length / search.rollouts);
    return {
      seat,
      informed: seat.decisions.filter(({ step }) => step >= informedFrom),
      others,
      // Evenly over the run: the first of each stride.
      played: others.filter((_, i) => Math.floor(i / stride) !== Math.floor((i - 1) / stride)),
    };
  });
  const isAnyInformed = seats.some(({ informed }) => informed.length > 0);
  const costs = isAnyInformed ? costsOfLogged(reader, run.runId, search) : null;
  const steps = new Set(seats.flatMap(({ played }) => played.map(({ step }) => step)));
  const losses = ifUsable(() => sightedLosses(reader, run, search.open, steps));
  return seats.map(({ seat, informed, others, played }) => {
    const kinds = informed.flatMap(({ step }) => costs?.get(step)?.regretKind ?? []);
    const estimated = kinds.filter((kind) => kind === 'estimate').length;
    const lost = total(informed.flatMap((one) => turnsLost(costs?.get(one.step), one, run.scenario) ?? []));
    const known = played.flatMap(({ step }) => losses?.get(step) ?? []);
    const undecided = played.length - known.length;
    const decided = {
      informed: { steps: informed.length, exact: kinds.length - estimated, estimated, lost },
      sighted: losses && { steps: others.length, played: played.length, undecided, lost: total(known) },
    };
    return { ...seat, decided };
  });
}
