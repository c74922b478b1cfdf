/**
 * The table over all scenarios as two LaTeX floats for a paper (booktabs, graphicx): success with its
 * intervals, and each pair of players compared. In: the report; out: a file's text that compiles unchanged
 * and fits any text width: columns that don't fit go into a further block below. Names come from scenarios
 * and servers, so LaTeX markup in them is escaped. Best values are bold; the captions explain the methods.
 */
import { amount } from '../base/counted.js';
import { lookUp } from '../base/look-up.js';
import { oneLine } from '../base/text.js';
import { pointsOf } from './figure-text.js';
import { bestRows, overviewColumns, overviewLegend, overviewNotes } from './overview-columns.js';
import type { OverviewColumn } from './overview-columns.js';
import { lossyText, pairsTable, shareFigureText } from './overview-text.js';
import { grouped } from './grouped.js';
import type { Overview, OverviewRow } from './overview.js';
import { provenanceTexts } from '../log/provenance.js';
import type { RunReport } from './report.js';
import { COUNTS_LEGEND, addCounts } from './run-counts.js';

/** All texts are already LaTeX. */
interface LatexColumn {
  /** The text above the headings of adjacent columns, with their unit; '' for none. */
  readonly group: string;
  readonly head: string;
  readonly cells: readonly string[];
}

interface LatexFloat {
  readonly caption: string;
  readonly label: string;
  readonly columns: readonly LatexColumn[];
  readonly notes: readonly string[];
}

export function overviewLatex(report: RunReport): string {
  const { overview } = report;
  const floats = [rowsFloat(report), ...(overview.pairs.length === 0 ? [] : [pairsFloat(overview)])];
  return `% \\usepackage{booktabs,graphicx}\n${floats.map(floatText).join('\n\n')}\n`;
}

function rowsFloat(report: RunReport): LatexFloat {
  const { overview } = report;
  const { rows, scenarios } = overview;
  const columns = overviewColumns(overview).filter(
    // With one scenario, the mean repeats its column. The counts of runs are in the cells of success.
    ({ head, figure }) =>
      head !== 'runs' && !(figure.kind === 'share' && figure.isSummary && scenarios.length === 1),
  );
  return {
    caption: rowsCaption(overview),
    label: 'tab:success',
    columns: [
      { group: '', head: 'player', cells: rows.map(({ players }) => latex(players)) },
      ...columns.map((column) => latexColumn(column, columns, rows)),
    ],
    notes: [...overviewNotes(overview), overviewLegend(columns), COUNTS_NOTE, ...provenanceTexts(report)],
  };
}

const COUNTS_NOTE = `In brackets, the interval and the runs. ${COUNTS_LEGEND}.`;

function rowsCaption({ scenarios, rows }: Overview): string {
  const { played, unfinished, notPlayed } = addCounts(rows.map(({ counts }) => counts));
  const hasValueWithoutInterval = rows.some(({ cells }) => cells.some(({ interval }) => interval === null));
  const hasIncompleteRow = rows.some(({ isComplete }) => !isComplete);
  return [
    `Success in \\%, with 95\\,\\% Wilson intervals, of ${amount(played, 'distinct run')} played to the end; ${unfinished} unfinished, ${notPlayed} not played.`,
    ...(scenarios.length > 1
      ? ['The interval of the mean is from the hierarchical bootstrap over scenarios and seeds.']
      : []),
    ...(hasValueWithoutInterval ? ['A value without an interval comes from at most one distinct run.'] : []),
    `The best values${hasIncompleteRow ? ' of the rows without losses (s, u, n)' : ''} are in bold.`,
  ].join(' ');
}

function pairsFloat(overview: Overview): LatexFloat {
  const { heads, lines, notes = [], legend = '' } = pairsTable(overview);
  const method =
    overview.scenarios.length > 1
      ? 'hierarchical bootstrap over scenarios and seeds; Newcombe for success that differs alike on all seeds'
      : "Newcombe's for success, bootstrap over seeds for other figures";
  return {
    caption: [
      `Players compared on shared seeds: differences with 95\\,\\% intervals (${method}),`,
      "$p$-value of the paired randomisation test (McNemar's exact test for success if all scenarios have the same number of seeds),",
      `Holm's correction for all tests of the table, and Cohen's effect size~$h$.`,
    ].join(' '),
    label: 'tab:comparison',
    // The verdict is a sentence and belongs in the paper's text.
    columns: heads.slice(0, -1).map((head, i) => ({
      group: '',
      head: /^[ph]\b/.test(head) ? `$${head[0] ?? ''}$${head.slice(1)}` : latex(head),
      cells: lines.map((line) => latex(line[i] ?? '')),
    })),
    notes: [...notes, legend],
  };
}

function latexColumn(
  column: OverviewColumn,
  all: readonly OverviewColumn[],
  rows: readonly OverviewRow[],
): LatexColumn {
  const { figure, group, subhead } = column;
  switch (figure.kind) {
    case 'text':
      return {
        group,
        head: subhead.length === 1 ? `$${subhead}$` : latex(subhead),
        cells: rows.map((row) => latex(figure.of(row))),
      };
    case 'share': {
      const shares = rows.map((row) => figure.of(row));
      const points = shares.map(({ share }) => (share === null ? null : pointsOf(share)));
      const best = bestRows(column, rows, points);
      return {
        group: `${group} (\\%)`,
        head: latex(subhead),
        cells: shares.map((share, i) =>
          bold(latex(shareFigureText(share, true).replace(' %', '')), best[i] ?? false),
        ),
      };
    }
    case 'turns': {
      const printed = rows.map((row) => figure.of(row)?.toFixed(2) ?? null);
      const best = bestRows(
        column,
        rows,
        printed.map((one) => (one === null ? null : Number(one))),
      );
      return {
        group,
        head: latex(subhead),
        cells: rows.map((row, i) => {
          const text = printed[i] ?? null;
          return text === null ? '--' : bold(lossyText(text, row), best[i] ?? false);
        }),
      };
    }
    case 'tokens':
    case 'cost': {
      const [power, decimals] = scaleOf(
        all.flatMap((other) => (other.group === group ? amountsOf(other, rows) : [])),
      );
      const printed = amountsOf(column, rows).map((one) =>
        one === null || one === 0 ? null : (one / 10 ** power).toFixed(decimals),
      );
      const best = bestRows(
        column,
        rows,
        printed.map((one) => (one === null ? null : Number(one))),
      );
      return {
        group: `${group}${power === 0 ? '' : ` ($10^{${power}}$)`}`,
        head: latex(subhead),
        cells: printed.map((one, i) => {
          const row = rows[i];
          return one === null || row === undefined ? '--' : bold(lossyText(one, row), best[i] ?? false);
        }),
      };
    }
  }
}

function amountsOf({ figure }: OverviewColumn, rows: readonly OverviewRow[]): readonly (number | null)[] {
  return figure.kind === 'tokens' || figure.kind === 'cost' ? rows.map(figure.of) : [];
}

/** One power of a thousand and number of decimals for all amounts of a kind. */
function scaleOf(amounts: readonly (number | null)[]): readonly [power: number, decimals: number] {
  const highest = Math.max(...amounts.flatMap((one) => one || []));
  const power = 3 * Math.floor(Math.log10(highest) / 3);
  return [power, Math.max(0, 2 - Math.floor(Math.log10(highest / 10 ** power)))];
}

function bold(text: string, isBold: boolean): string {
  return isBold ? `\\textbf{${text}}` : text;
}

function floatText({ caption, label, columns, notes }: LatexFloat): string {
  return [
    '\\begin{table}',
    '\\centering\\footnotesize\\setlength{\\tabcolsep}{3pt}',
    `\\caption{${caption}}`,
    `\\label{${label}}\\vspace{4pt}`,
    bandsOf(columns).map(tabular).join('\n\\par\\medskip\n'),
    ...notes.map((note) => `\\par\\smallskip{\\raggedright ${latex(note)}\\par}`),
    '\\end{table}',
  ].join('\n');
}

/**
 * The width of an article's text, 345 pt, in letters of \footnotesize; the gap before a column has the same
 * unit.
 */
const [TEXT_WIDTH, COLUMN_GAP] = [84, 1.5];

/**
 * As many columns as fit next to the names, which are repeated in each block; at least one. Two columns with
 * one heading stay together.
 */
function bandsOf([names, ...columns]: readonly LatexColumn[]): readonly (readonly LatexColumn[])[] {
  if (names === undefined) return [];
  const bands: LatexColumn[][] = [];
  for (const group of grouped(columns, (column) => column.group))
    for (const unit of group.length === 2 ? [group] : group.map((column) => [column])) {
      const last = bands.at(-1);
      if (last !== undefined && widthOf([...last, ...unit]) <= TEXT_WIDTH) last.push(...unit);
      else bands.push([names, ...unit]);
    }
  return bands;
}

function widthOf(columns: readonly LatexColumn[]): number {
  const widths = columns.map(({ head, cells }) =>
    Math.max(...[head, ...cells].map((text) => plain(text).length)),
  );
  return widths.reduce((sum, width) => sum + width + COLUMN_GAP, 0);
}

/** Approximates the printed width. */
function plain(text: string): string {
  return text
    .replace(/\^\\\w+/g, '*')
    .replace(/\\text\w+|[\\{}$]/g, '')
    .replaceAll('--', '-');
}

/** Never wider than the text. */
function tabular(columns: readonly LatexColumn[]): string {
  const row = (cells: readonly string[]): string => `${cells.join(' & ')} \\\\`;
  const lines = columns[0]?.cells.map((_, i) => row(columns.map(({ cells }) => cells[i] ?? ''))) ?? [];
  return [
    '\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%',
    `\\begin{tabular}{@{}l${'r'.repeat(columns.length - 1)}@{}}`,
    '\\toprule',
    ...groupLines(columns),
    row(columns.map(({ head }) => head)),
    '\\midrule',
    ...lines,
    '\\bottomrule',
    '\\end{tabular}}',
  ].join('\n');
}

/** A line with the text above the headings, and rules below it. */
function groupLines(columns: readonly LatexColumn[]): readonly string[] {
  const groups: { readonly group: string; readonly from: number; to: number }[] = [];
  columns.forEach(({ group }, i) => {
    const last = groups.at(-1);
    if (last !== undefined && last.group === group) last.to = i + 1;
    else groups.push({ group, from: i + 1, to: i + 1 });
  });
  const named = groups.filter(({ group }) => group !== '');
  if (named.length === 0) return [];
  const heads = groups.map(({ group, from, to }) => `\\multicolumn{${to - from + 1}}{c}{${group}}`);
  return [`${heads.join(' & ')} \\\\`, named.map(({ from, to }) => `\\cmidrule(lr){${from}-${to}}`).join('')];
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '–': '--',
  '−': '$-$',
  '·': '$\\cdot$',
  '†': '$^\\dagger$',
  '‡': '$^\\ddagger$',
  '°': '$^\\circ$',
  // In LaTeX's default fonts, these are different characters in text.
  '<': '$<$',
  '>': '$>$',
  '|': '$|$',
};

function latex(text: string): string {
  return oneLine(text).replace(/[\\~^–−·†‡°<>|&%$#_{}]/g, (mark) => lookUp(LATEX, mark) ?? `\\${mark}`);
}
