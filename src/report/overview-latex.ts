/**
 * The tables over all scenarios as two LaTeX floats for a paper: success with its intervals, and each pair of
 * players compared. The captions explain the methods.
 */
import { amount } from '../base/counted.js';
import { provenanceTexts } from '../log/provenance.js';
import { legendOf } from './figure-table.js';
import type { FigureColumn } from './figure-table.js';
import { overviewTable } from './figures.js';
import { latexFile, latexFloat } from './latex.js';
import type { Overview } from './overview.js';
import { pairsTable, scenariosOfAll } from './pair-table.js';
import type { RunReport } from './report.js';
import { COUNTS_LEGEND, addCounts } from './run-counts.js';

export function overviewLatex(report: RunReport): string {
  const { overview } = report;
  const table = overviewTable(overview);
  const { notes = [], columns } = table;
  const floats = [
    latexFloat(table, {
      caption: successCaption(overview),
      label: 'tab:success',
      notes: [
        ...notes,
        paperLegend(columns),
        `In brackets, the interval and the runs. ${COUNTS_LEGEND}.`,
        ...provenanceTexts(report),
      ],
    }),
    ...(overview.pairs.length === 0 ? [] : [pairsFloat(overview)]),
  ];
  return latexFile(floats);
}

/** Of the columns that a paper has. */
function paperLegend<Row>(columns: readonly FigureColumn<Row>[]): string {
  return legendOf(columns.filter(({ paper }) => paper !== null));
}

function successCaption({ scenarios, rows }: Overview): string {
  const { played, unfinished, notPlayed } = addCounts(rows.map(({ counts }) => counts));
  const cells = rows.flatMap((row) => row.cells);
  const rowsToCompare = rows.every(({ isComplete }) => isComplete)
    ? ''
    : ' of the rows without losses (s, u, n)';
  const isUncertain = [
    ...rows.map(({ isMeanTooSmall }) => isMeanTooSmall),
    ...cells.map(({ isTooSmall }) => isTooSmall),
  ].includes(true);
  const exceptions = [
    ...(isUncertain ? ['rest on too few runs ($^\\circ$)'] : []),
    ...(rows.some(({ unknownUsage }) => unknownUsage > 0) ? ['are at least so much ($\\geq$)'] : []),
  ];
  const exception = exceptions.length === 0 ? '' : `, except those that ${exceptions.join(' or ')}`;
  return [
    `Success in \\%, with 95\\,\\% Wilson intervals, of ${amount(played, 'distinct run')} played to the end; ${unfinished} unfinished, ${notPlayed} not played.`,
    ...(scenarios.length > 1
      ? ['The interval of the mean is from the hierarchical bootstrap over scenarios and seeds.']
      : []),
    ...(cells.some(({ interval }) => interval === null)
      ? ['A value without an interval comes from at most one distinct run.']
      : []),
    `The best values${rowsToCompare} are in bold${exception}.`,
  ].join(' ');
}

function pairsFloat(overview: Overview): string {
  const table = pairsTable(overview);
  const { notes = [], columns } = table;
  const scenarios = scenariosOfAll(overview.pairs);
  const caption = [
    `Players compared on shared seeds${scenarios === null ? '' : ` of ${amount(scenarios, 'scenario')}`}.`,
    'Of each row alone: the difference with the 95\\,\\% interval of the paired randomisation test, and its $p$-value',
    "(McNemar's exact test for success if all scenarios have the same number of seeds), which is below 0.05 exactly if the interval excludes 0.",
    "Of all rows: the same $p$-value after Holm's correction for all tests of the table, which alone decides what is significant. Cohen's effect size~$h$.",
  ].join(' ');
  return latexFloat(table, { caption, label: 'tab:comparison', notes: [...notes, paperLegend(columns)] });
}
