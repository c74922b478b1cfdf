/**
 * Runs that were planned but are in no log, and seeds that other players of the scenario played: without
 * them, a report would show only the runs that survived.
 */
import type { BatchRecord, PlannedRecord } from '../scenario/batch-record.js';
import { isPlayedBy } from '../trajectory/player-names.js';
import type { PlayerFilter } from '../trajectory/player-names.js';
import { grouped } from '../base/grouped.js';
import { cellKey } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';

export interface NotPlayedRun extends Pick<RunMetrics, 'scenario' | 'players' | 'settings' | 'seed'> {
  /** The planned run; null if only others were to play the seed. */
  run: string | null;
}

/**
 * Plans without the players that are not wanted. `logged`: for each logged run, whether it is wanted; of runs
 * of which nothing is logged, the plan says who plays.
 */
export function plansFor(
  batches: readonly BatchRecord[],
  wanted: PlayerFilter,
  logged: ReadonlyMap<string, boolean>,
): readonly BatchRecord[] {
  if (wanted.players === null && wanted.models === null) return batches;
  return batches.map((batch) => {
    const runs = plannedCells(batch).flatMap((cell) => {
      const [{ players, models, seats = {} }] = cell;
      const [isWanted = isPlayedBy({ players: [players], models, seats }, wanted)] = cell.flatMap(
        ({ run }) => logged.get(run) ?? [],
      );
      return isWanted ? cell : [];
    });
    return { ...batch, runs };
  });
}

function plannedCells({ runs }: BatchRecord): readonly (readonly [PlannedRecord, ...PlannedRecord[]])[] {
  return grouped(runs, ({ scenario, players, switches }) => JSON.stringify([scenario, players, switches]));
}

export function notPlayedRuns(
  runs: readonly RunMetrics[],
  batches: readonly BatchRecord[],
): readonly NotPlayedRun[] {
  const logged = new Map(runs.map((run) => [run.run, run]));
  const planned = batches.flatMap((batch) =>
    plannedCells(batch).flatMap((cell) => {
      const played = cell.flatMap(({ run }) => logged.get(run) ?? []);
      const names = played[0] ?? namesInPlan(cell[0]);
      return cell
        .filter(({ run }) => !logged.has(run))
        .map(({ run, scenario, seed }): NotPlayedRun => {
          return { run, scenario, players: names.players, settings: names.settings, seed };
        });
    }),
  );
  const known = [...runs, ...planned];
  const seedsOf = new Map(
    grouped(known, ({ scenario }) => scenario).map((group) => [
      group[0].scenario,
      [...new Set(group.map(({ seed }) => seed))],
    ]),
  );
  const byOthersOnly = grouped(known, cellKey).flatMap((cell) => {
    const [{ scenario, players, settings }] = cell;
    const own = new Set(cell.map(({ seed }) => seed));
    const others = (seedsOf.get(scenario) ?? []).filter((seed) => !own.has(seed));
    return others.map((seed): NotPlayedRun => ({ run: null, scenario, players, settings, seed }));
  });
  return [...planned, ...byOthersOnly];
}

/** No log tells how these settings differ from others, so they have the names that the batch gives them. */
function namesInPlan({ players, switches }: PlannedRecord): Pick<RunMetrics, 'players' | 'settings'> {
  const settings = Object.entries(switches).map(([name, position]) => `${name}=${position}`);
  return { players: players || "the scenario's own players", settings: settings.join(', ') };
}
