/**
 * Likely mistakes in an `export`: unknown names, empty splits. Those that can be found before anything is
 * written are errors; the others are warnings after the output.
 */
import { counted } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import { meantOf } from '../../base/nearest.js';
import type { PickedRun } from '../../export/picked-runs.js';
import { openRuns } from '../../export/opened-runs.js';
import type { ExportReport } from '../../export/report.js';
import type { ExportTally } from '../../export/tally.js';
import { namesIn } from '../../trajectory/player-names.js';
import type { RunNames } from '../../trajectory/player-names.js';
import type { ExportCommandOptions } from './export-options.js';

/** Throws UsageError if a named scenario has no run. */
export function assertScenarios(names: readonly string[], runs: readonly PickedRun[]): void {
  const known = [...new Set(runs.map(({ summary }) => summary.name))];
  const unknownName = names.find((name) => !known.includes(name));
  if (unknownName === undefined) return;
  throw new UsageError(`no run has the scenario "${unknownName}"`, [
    meantOf(unknownName, known, 'scenarios'),
  ]);
}

export function warningsOf(
  { tally }: ExportReport,
  { options, runs }: { options: ExportCommandOptions; runs: readonly PickedRun[] },
): readonly string[] {
  const { agent = [], player = [], model = [] } = options;
  // If no row is left, the logs show which names exist.
  const names =
    tally.rows === 0
      ? [agent, player, model].every(({ length }) => length === 0)
        ? { agents: [], players: [], models: [] }
        : namesInLogs(runs)
      : {
          agents: rowNames(tally, 'agents'),
          players: [...rowNames(tally, 'players'), ...rowNames(tally, 'lineups')],
          models: rowNames(tally, 'models'),
        };
  return [
    ...unknownNameWarnings(agent, 'agent', names.agents),
    ...unknownNameWarnings(player, 'player', names.players),
    ...unknownNameWarnings(model, 'model', names.models),
    ...(tally.rows === 0 ? [] : emptySplits(tally, options)),
  ];
}

function rowNames(
  tally: ExportTally,
  column: 'agents' | 'players' | 'lineups' | 'models',
): readonly string[] {
  return tally.countsBy(column).map(({ name }) => name);
}

/** The names on the command line that no row has. */
function unknownNameWarnings(
  names: readonly string[],
  kind: string,
  known: readonly string[],
): readonly string[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => `no ${kind} "${name}"; ${meantOf(name, known, `${kind}s`)}`);
}

function namesInLogs(runs: readonly PickedRun[]): Omit<RunNames, 'seats'> & { agents: readonly string[] } {
  const [agents, players, models] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { run, reader } of openRuns(runs)) {
    for (const { id } of reader.run(run.runId).scenario.agents) agents.add(id);
    const names = namesIn(reader.sessions(run.runId), { leases: reader.leases(run.runId) });
    for (const name of [...names.players, ...Object.values(names.seats)]) players.add(name);
    for (const name of names.models) models.add(name);
  }
  return { agents: [...agents], players: [...players], models: [...models] };
}

function emptySplits(
  tally: ExportTally,
  { shared, 'split-by': by }: ExportCommandOptions,
): readonly string[] {
  const empty = tally.splits.filter(({ rows }) => rows === 0).map(({ name }) => name);
  if (empty.length === 0) return [];
  if (shared === 'drop' && tally.shared > 0)
    return [
      `${emptySplitsText(empty)}: ${counted(tally.shared, 'row')} had a picture that is also in another split; --split-by image splits rows by picture`,
    ];
  if (by !== 'seed') return [`${emptySplitsText(empty)}: too few groups (--split-by ${by})`];
  const { groups } = tally;
  const explanation = `${emptySplitsText(empty)}: runs of one scenario and seed stay together`;
  if (groups < tally.splits.length) return [`${explanation}, and form only ${counted(groups, 'group')}`];
  return [`${explanation}; another --seed distributes the ${groups} groups differently`];
}

function emptySplitsText(names: readonly string[]): string {
  const [first = ''] = names;
  return names.length === 1 ? `split ${first} is empty` : `splits ${names.join(' and ')} are empty`;
}
