/**
 * The table over all scenarios as text for a paper: LaTeX (booktabs) or Markdown. In: the overview; out: a file's text, rows and pairs each as one table. Names
 * come from scenarios and servers, so whatever either language reads as markup is escaped.
 */
import { lookUp } from '../base/look-up.js';
import { oneLine } from '../base/text.js';
import type { Overview, OverviewPair } from './overview.js';
import {
  chanceWords,
  costWords,
  signedWords,
  pairVerdictWords,
  percentWords,
  pointsOf,
  pointsWords,
  shareIntervalWords,
  tokenWords,
} from './words.js';
import { SIGNIFICANT_BELOW } from './verdict.js';

export const OVERVIEW_FORMATS = ['markdown', 'latex'] as const;
export type OverviewFormat = (typeof OVERVIEW_FORMATS)[number];

/** A table of words: heads, then lines of the same length; the first column is a name, the others are figures. */
export interface TextTable {
  readonly heads: readonly string[];
  readonly lines: readonly (readonly string[])[];
  /** The last column is a sentence. */
  readonly endsInWords?: boolean;
  /** Sentences that stand below. */
  readonly notes?: readonly string[];
}

export function overviewText(overview: Overview, format: OverviewFormat): string {
  const tables = [rowsTable(overview), ...(overview.pairs.length === 0 ? [] : [pairsTable(overview)])];
  const write = format === 'latex' ? latexTable : markdownTable;
  return `${tables.map(write).join(format === 'latex' ? '\n\n\\bigskip\n\n' : '\n\n')}\n`;
}

/** A row for each player and setting; money only where somebody's tokens have a price. */
export function rowsTable({ scenarios, rows }: Overview): TextTable {
  const hasPrices = rows.some(({ costPerRun }) => costPerRun > 0);
  return {
    heads: [
      'players',
      'T',
      'runs',
      ...scenarios,
      'mean (95 %)',
      'tokens/run',
      'tokens/success',
      ...(hasPrices ? ['cost/run', 'cost/success'] : []),
    ],
    lines: rows.map((row) => [
      row.players,
      row.temperature === '' ? '–' : row.temperature,
      String(row.runs),
      ...row.cells.map(({ success }) => percentWords(success)),
      shareIntervalWords(row.mean, row.interval),
      tokenWords(row.tokensPerRun),
      row.tokensPerSuccess === null ? '–' : tokenWords(row.tokensPerSuccess),
      ...(hasPrices ? [costWords(row.costPerRun), costWords(row.costPerSuccess)] : []),
    ]),
  };
}

const FIXED = '†';
const APART = '‡';
const NOTES = [
  [
    FIXED,
    'one of the two plays alike on every seed of a scenario: its run is compared with each run of the other',
  ],
  [
    APART,
    'the interval covers 0 though p < 0.05: p is of these scenarios, the interval of others like them too',
  ],
] as const;

/** A line for each two rows that share seeds. */
export function pairsTable({ pairs }: Overview): TextTable {
  const marks = pairs.flatMap((pair) => [fixedMark(pair), apartMark(pair)]);
  return {
    notes: NOTES.flatMap(([mark, words]) => (marks.includes(mark) ? [`${mark} ${words}.`] : [])),
    heads: ['compared', 'scenarios', 'pairs', 'difference (95 %)', 'p', 'p (Holm)', 'h', 'verdict'],
    endsInWords: true,
    lines: pairs.map((pair) => [
      `${pair.one} − ${pair.other}`,
      String(pair.scenarios),
      `${pair.pairs}${fixedMark(pair)}`,
      `${differenceWords(pair)}${apartMark(pair)}`,
      chanceWords(pair.p),
      chanceWords(pair.corrected),
      signedWords(pair.effect),
      pairVerdictWords(pair),
    ]),
  };
}

function fixedMark({ fixed }: OverviewPair): string {
  return fixed === 'one' ? FIXED : '';
}

/** Where the interval and the test seem to say two things. */
function apartMark({ interval, corrected, scenarios }: OverviewPair): string {
  if (interval === null || corrected === null || corrected >= SIGNIFICANT_BELOW || scenarios === 1) return '';
  return pointsOf(interval.low) <= 0 && pointsOf(interval.high) >= 0 ? APART : '';
}

function differenceWords({ difference, interval }: OverviewPair): string {
  if (interval === null) return pointsWords(difference);
  return `${pointsWords(difference)} (${pointsWords(interval.low)} to ${pointsWords(interval.high)})`;
}

/** Words stand on the left, figures on the right. */
function isWords(column: number, { length }: readonly string[], endsInWords = false): boolean {
  return column === 0 || (endsInWords && column === length - 1);
}

function markdownTable({ heads, lines, endsInWords, notes = [] }: TextTable): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(markdownCell).join(' | ')} |`;
  const rule = heads.map((_, i) => (isWords(i, heads, endsInWords) ? '---' : '--:'));
  const below = notes.flatMap((note) => ['', markdownCell(note)]);
  return [row(heads), `| ${rule.join(' | ')} |`, ...lines.map(row), ...below].join('\n');
}

function markdownCell(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>|#~]/g, (mark) => `\\${mark}`);
}

function latexTable({ heads, lines, endsInWords }: TextTable): string {
  const row = (cells: readonly string[]): string => `${cells.map(latexCell).join(' & ')} \\\\`;
  return [
    `\\begin{tabular}{${heads.map((_, i) => (isWords(i, heads, endsInWords) ? 'l' : 'r')).join('')}}`,
    '\\toprule',
    row(heads),
    '\\midrule',
    ...lines.map(row),
    '\\bottomrule',
    '\\end{tabular}',
  ].join('\n');
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '–': '--',
  '−': '$-$',
  '·': '$\\cdot$',
  // In LaTeX's first fonts these are other signs in text.
  '<': '$<$',
  '>': '$>$',
  '|': '$|$',
};

function latexCell(text: string): string {
  return oneLine(text).replace(/[\\~^–−·<>|&%$#_{}]/g, (mark) => lookUp(LATEX, mark) ?? `\\${mark}`);
}
