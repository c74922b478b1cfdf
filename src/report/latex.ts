/**
 * A table of figures as a LaTeX float (booktabs, graphicx) that compiles unchanged and fits any text width:
 * columns that don't fit go into a further block below. Best values are bold. Names come from scenarios and
 * servers, so LaTeX markup in them is escaped.
 */
import { lookUp } from '../base/look-up.js';
import { oneLine } from '../base/text.js';
import { wrapped } from '../base/wrap.js';
import { pointsOf } from './figure-text.js';
import { lossyText, markedText, shareFigureText, spentText, textTable } from './figure-table.js';
import type { FigureColumn, FigureTable } from './figure-table.js';
import { grouped } from '../base/grouped.js';

/** All texts are already LaTeX. */
interface LatexColumn {
  /** The text above the heads of adjacent columns, with their unit; '' for none. */
  group: string;
  head: string;
  /** A name that is too long has several lines. */
  cells: readonly string[];
}

export function latexFile(floats: readonly string[]): string {
  return `% \\usepackage{booktabs,graphicx}\n${floats.join('\n\n')}\n`;
}

/** `caption`: LaTeX; `notes`: plain sentences below the table. Default: those of the table. */
export function latexFloat<Row>(
  table: FigureTable<Row>,
  {
    caption,
    label,
    notes = textTable(table).below,
  }: { caption: string; label: string; notes?: readonly string[] },
): string {
  const columns = table.columns.flatMap((column) =>
    column.paper === null ? [] : [latexColumn(column, table)],
  );
  return [
    '\\begin{table}',
    '\\centering\\footnotesize\\setlength{\\tabcolsep}{3pt}',
    `\\caption{${caption}}`,
    `\\label{${label}}\\vspace{4pt}`,
    bandsOf(columns).map(tabular).join('\n\\par\\medskip\n'),
    ...notes.map((note) => `\\par\\smallskip{\\raggedright ${sentence(note)}\\par}`),
    '\\end{table}',
  ].join('\n');
}

function latexColumn<Row>(column: FigureColumn<Row>, table: FigureTable<Row>): LatexColumn {
  const { symbol, best } = column;
  const { group, head } = column.paper ?? { group: '', head: column.head };
  const { unit, texts, numbers } = inPaper(column, table);
  const candidates = numbers.flatMap((number) => number ?? []);
  const isEqual = new Set(candidates).size < 2;
  const bestNumber =
    best === undefined || isEqual
      ? null
      : best === 'most'
        ? Math.max(...candidates)
        : Math.min(...candidates);
  return {
    group: `${group}${unit}`,
    head: symbol === undefined ? latex(head) : latex(head).replace(symbol, () => `$${symbol}$`),
    cells: texts.map((text, i) =>
      bestNumber !== null && numbers[i] === bestNumber
        ? `\\textbf{${latex(text)}}`
        : wrapped(oneLine(text), TEXT_WIDTH).map(latex).join('\n'),
    ),
  };
}

/**
 * `numbers`: the values as printed, among which the best is looked for. Null where there is none, where it
 * rests on too few runs or is at least so much, and in a row with losses, because what it lost might have
 * changed the value.
 */
function inPaper<Row>(column: FigureColumn<Row>, table: FigureTable<Row>) {
  const { rows, lossesOf } = table;
  const numberIn = (row: Row, number: number | null): number | null =>
    (lossesOf?.(row) ?? null) === null ? number : null;
  switch (column.format) {
    case 'share':
    case 'share with interval':
      return {
        unit: ' (\\%)',
        texts: rows.map((row) => shareFigureText(column.of(row), true).replace(' %', '')),
        numbers: rows.map((row) => {
          const { share, interval, isTooSmall } = column.of(row);
          const isUncertain = isTooSmall || interval === null;
          return numberIn(row, share === null || isUncertain ? null : pointsOf(share));
        }),
      };
    case 'decimals':
    case 'tokens':
    case 'cost': {
      const [power, decimals] = scaleOf(column, table);
      const isSpent = column.format !== 'decimals';
      const textOf = isSpent ? spentText : lossyText;
      const printed = rows.map((row) => {
        const amount = column.of(row);
        const isNone = amount === null || (amount === 0 && isSpent);
        return isNone ? null : (amount / 10 ** power).toFixed(decimals);
      });
      return {
        unit: power === 0 ? '' : ` ($10^{${power}}$)`,
        texts: rows.map((row, i) => textOf(markedText(printed[i] ?? '–', column, row), table, row)),
        numbers: rows.map((row, i) => {
          const text = printed[i] ?? null;
          const isOpen = isSpent && table.isAtLeast?.(row) === true;
          const isUncertain = isOpen || column.isFew?.(row) === true;
          return numberIn(row, text === null || isUncertain ? null : Number(text));
        }),
      };
    }
    default:
      return { unit: '', texts: rows.map(column.of), numbers: [] };
  }
}

/** One power of a thousand and number of decimals for all amounts below one heading. */
function scaleOf<Row>(
  { format, paper }: FigureColumn<Row>,
  { columns, rows }: FigureTable<Row>,
): readonly [power: number, decimals: number] {
  if (format === 'decimals') return [0, 2];
  const amounts = columns.flatMap((other) =>
    (other.format === 'tokens' || other.format === 'cost') && other.paper?.group === paper?.group
      ? rows.flatMap((row) => other.of(row) || [])
      : [],
  );
  const highest = Math.max(...amounts);
  const power = 3 * Math.floor(Math.log10(highest) / 3);
  return [power, Math.max(0, 2 - Math.floor(Math.log10(highest / 10 ** power)))];
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
    Math.max(...[head, ...cells].flatMap((text) => text.split('\n').map((line) => plain(line).length))),
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
  const stacked = (cell: string): string =>
    cell.includes('\n')
      ? `\\begin{tabular}[t]{@{}l@{}}${cell.replaceAll('\n', ' \\\\ ')}\\end{tabular}`
      : cell;
  const row = (cells: readonly string[]): string => `${cells.map(stacked).join(' & ')} \\\\`;
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

/** TeX breaks no word that it doesn't know, and a name may be one that is longer than a line. */
function sentence(text: string): string {
  const words = oneLine(text).split(' ');
  return words
    .map((word) =>
      wrapped(word, TEXT_WIDTH / 2)
        .map(latex)
        .join('\\allowbreak{}'),
    )
    .join(' ');
}

/** A line with the text above the headings, and rules below it. */
function groupLines(columns: readonly LatexColumn[]): readonly string[] {
  const groups: { group: string; from: number; to: number }[] = [];
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
  '°': '$^\\circ$',
  '≥': '$\\geq$',
  '§': '$^\\S$',
  '¶': '$^\\P$',
  // In LaTeX's default fonts, these are different characters in text.
  '<': '$<$',
  '>': '$>$',
  '|': '$|$',
};

function latex(text: string): string {
  return oneLine(text).replace(/[\\~^–−·†°≥§¶<>|&%$#_{}]/g, (mark) => lookUp(LATEX, mark) ?? `\\${mark}`);
}
