/**
 * The table over all scenarios as two LaTeX floats for a paper (booktabs, graphicx): success with its
 * intervals, and each pair of players compared. In: the overview; out: a file's text that compiles unchanged
 * and fits any text width: columns that don't fit go into a further block below. Names come from scenarios
 * and servers, so LaTeX markup in them is escaped. Best values are bold; the captions explain the methods.
 */
import { amount } from '../base/counted.js';
import { lookUp } from '../base/look-up.js';
import { oneLine } from '../base/text.js';
import type { Overview } from './overview.js';
import { pairsTable } from './overview-text.js';
import type { Interval } from './statistics.js';
import { pointsOf } from './figure-text.js';

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

export function overviewLatex(overview: Overview): string {
  const floats = [rowsFloat(overview), ...(overview.pairs.length === 0 ? [] : [pairsFloat(overview)])];
  return `% \\usepackage{booktabs,graphicx}\n${floats.map(floatText).join('\n\n')}\n`;
}

function rowsFloat(overview: Overview): LatexFloat {
  const { scenarios, rows } = overview;
  const hasSeveralScenarios = scenarios.length > 1;
  const shares = scenarios.map((head, i) => {
    const cells = rows.map((row) => row.cells[i]);
    return shareColumn(
      latex(head),
      cells.map((cell) => [cell?.success ?? null, cell?.interval ?? null]),
    );
  });
  const temperatures = rows.map(({ temperature }) => temperature);
  return {
    caption: rowsCaption(overview),
    label: 'tab:success',
    columns: [
      { group: '', head: 'player', cells: rows.map(({ players }) => latex(players)) },
      ...(temperatures.every((one) => one === '')
        ? []
        : [{ group: '', head: '$T$', cells: temperatures.map((one) => latex(one || '–')) }]),
      ...shares,
      ...(hasSeveralScenarios
        ? [
            shareColumn(
              'mean',
              rows.map(({ mean, interval }) => [mean, interval]),
            ),
          ]
        : []),
      ...amountColumns('tokens', [
        rows.map(({ tokensPerRun }) => tokensPerRun),
        rows.map(({ tokensPerSuccess }) => tokensPerSuccess),
      ]),
      ...amountColumns('cost', [
        rows.map(({ costPerRun }) => costPerRun),
        rows.map(({ costPerSuccess }) => costPerSuccess),
      ]),
    ],
    notes: [],
  };
}

function rowsCaption({ scenarios, shared, rows }: Overview): string {
  const sizes = rows.flatMap(({ cells }) => cells.map(({ runs }) => runs)).toSorted((a, b) => a - b);
  const [least = 0, most = 0] = [sizes[0], sizes.at(-1)];
  const cellSize =
    least === most ? `${amount(most, 'seed')} per cell` : `${least}--${most} distinct runs per cell`;
  const scope =
    shared.length === scenarios.length ? '' : ` over the ${shared.length} scenarios that every player played`;
  const hasValueWithoutInterval = rows.some(({ cells }) => cells.some(({ interval }) => interval === null));
  return [
    `Success in \\%, ${cellSize}, with 95\\,\\% Wilson intervals.`,
    ...(scenarios.length > 1
      ? [
          `The mean${scope} weights all scenarios equally; its interval is from the hierarchical bootstrap over scenarios and seeds.`,
        ]
      : []),
    ...(hasValueWithoutInterval ? ['A value without an interval comes from at most one distinct run.'] : []),
    ...(rows.some(({ tokensPerRun }) => tokensPerRun > 0)
      ? ['Tokens (and cost, in the currency of the prices) per run and per success.']
      : []),
    'The best values are in bold.',
  ].join(' ');
}

function pairsFloat(overview: Overview): LatexFloat {
  const { heads, lines, notes = [] } = pairsTable(overview);
  const method =
    overview.scenarios.length > 1 ? 'hierarchical bootstrap over scenarios and seeds' : 'Newcombe';
  return {
    caption: [
      `Players compared on shared seeds: difference of mean success in percentage points (pp) with its 95\\,\\% interval (${method}),`,
      "$p$-value of the paired randomisation test (McNemar's exact test if all scenarios have the same number of seeds),",
      `Holm's correction for ${amount(lines.length, 'comparison')}, and Cohen's effect size~$h$.`,
    ].join(' '),
    label: 'tab:comparison',
    // The verdict is a sentence and belongs in the paper's text.
    columns: heads.slice(0, -1).map((head, i) => ({
      group: '',
      head: /^[ph]\b/.test(head) ? `$${head[0] ?? ''}$${head.slice(1)}` : head,
      cells: lines.map((line) => latex(line[i] ?? '')),
    })),
    notes,
  };
}

/** `33 (10--57)`; the unit is in the heading. */
function shareColumn(
  head: string,
  values: readonly (readonly [number | null, Interval | null])[],
): LatexColumn {
  const points = values.map(([share]) => (share === null ? null : pointsOf(share)));
  const best = bestOf(points, Math.max);
  const cells = values.map(([, interval], i) => {
    const share = points[i] ?? null;
    if (share === null) return '--';
    const range = interval === null ? '' : ` (${pointsOf(interval.low)}--${pointsOf(interval.high)})`;
    return bold(`${share}${range}`, share === best);
  });
  return { group: 'success (\\%)', head, cells };
}

/** For a run and for a success, both in the same power of a thousand; nothing if nothing was spent. */
function amountColumns(
  name: string,
  amounts: readonly (readonly (number | null)[])[],
): readonly LatexColumn[] {
  const highest = Math.max(0, ...amounts.flat().map((one) => one ?? 0));
  if (highest === 0) return [];
  const power = 3 * Math.floor(Math.log10(highest) / 3);
  const unit = power === 0 ? '' : ` ($10^{${power}}$)`;
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(highest / 10 ** power)));
  return amounts.map((values, i) => {
    const amountTexts = values.map((one) =>
      one === null || one === 0 ? null : (one / 10 ** power).toFixed(decimals),
    );
    const best = bestOf(
      amountTexts.map((one) => (one === null ? null : Number(one))),
      Math.min,
    );
    const cells = amountTexts.map((one) => (one === null ? '--' : bold(one, Number(one) === best)));
    return { group: `${name}${unit}`, head: i === 0 ? 'run' : 'win', cells };
  });
}

/** Null if all are equal, so that none is the best. */
function bestOf(values: readonly (number | null)[], choose: (...all: number[]) => number): number | null {
  const known = values.flatMap((value) => value ?? []);
  return new Set(known).size < 2 ? null : choose(...known);
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

/** As many columns as fit next to the names, which are repeated in each block; at least one. */
function bandsOf([names, ...columns]: readonly LatexColumn[]): readonly (readonly LatexColumn[])[] {
  if (names === undefined) return [];
  const bands: LatexColumn[][] = [];
  for (const column of columns) {
    const last = bands.at(-1);
    if (last !== undefined && widthOf([...last, column]) <= TEXT_WIDTH) last.push(column);
    else bands.push([names, column]);
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
  return text.replace(/\\text\w+|[\\{}$]/g, '').replaceAll('--', '-');
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
  // In LaTeX's default fonts, these are different characters in text.
  '<': '$<$',
  '>': '$>$',
  '|': '$|$',
};

function latex(text: string): string {
  return oneLine(text).replace(/[\\~^–−·†‡<>|&%$#_{}]/g, (mark) => lookUp(LATEX, mark) ?? `\\${mark}`);
}
