/**
 * Likely mistakes in an `export`: unknown names, empty splits. In: options and result; out: an error before
 * anything is written if possible, otherwise warnings after the output.
 */
import { counted } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import { meantOf } from '../../base/nearest.js';
import type { PickedRun } from '../../export/picked-runs.js';
import { openRuns } from '../../export/found-rows.js';
import type { ExportReport } from '../../export/report.js';
import type { ExportTally } from '../../export/tally.js';
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
  { options, runs }: { readonly options: ExportCommandOptions; readonly runs: readonly PickedRun[] },
): readonly string[] {
  const agents = options.agent ?? [];
  // If no row is left, the logs show which agents exist.
  if (tally.rows === 0)
    return agents.length === 0 ? [] : unknownNameWarnings(agents, 'agent', agentsIn(runs));
  const namesBy = (column: 'agents' | 'models') => tally.countsBy(column).map(({ name }) => name);
  return [
    ...unknownNameWarnings(agents, 'agent', namesBy('agents')),
    ...unknownNameWarnings(options.model ?? [], 'model', namesBy('models')),
    ...emptySplits(tally, options),
  ];
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

function agentsIn(runs: readonly PickedRun[]): readonly string[] {
  const ids = new Set<string>();
  for (const { run, reader } of openRuns(runs))
    for (const { id } of reader.run(run.runId).scenario.agents) ids.add(id);
  return [...ids];
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
