/**
 * The table over all scenarios, as text tables for rows and pairs, and both as Markdown. In: the report;
 * out: text, and a file's text. Names come from scenarios and servers, so Markdown markup in them is escaped.
 * For LaTeX: `overview-latex.ts`.
 */
import { amount, whole } from '../base/counted.js';
import { oneLine } from '../base/text.js';
import type { OverviewPair } from './comparisons.js';
import type { Overview, OverviewRow } from './overview.js';
import {
  TOO_FEW_MARK,
  overviewColumns,
  overviewLegend,
  overviewNotes,
  REGRET_MEANING,
} from './overview-columns.js';
import type { OverviewColumn, ShareFigure } from './overview-columns.js';
import { provenanceTexts } from '../log/provenance.js';
import type { RunReport } from './report.js';
import { countsText } from './run-counts.js';
import { SCATTER_MIN } from './statistics.js';
import {
  pValueText,
  costColumn,
  signedText,
  pairVerdictText,
  shareText,
  pointsOf,
  pointsText,
  tokenCountText,
} from './figure-text.js';
import { SIGNIFICANT_BELOW } from './verdict.js';

/**
 * A table of texts: headings, then lines of the same length; the first column is a name, the others are
 * figures.
 */
export interface TextTable {
  readonly heads: readonly string[];
  readonly lines: readonly (readonly string[])[];
  /** The last column is a sentence. */
  readonly endsInText?: boolean;
  /** Sentences below the table: explanations of marked cells. */
  readonly notes?: readonly string[];
  /** The meaning of its headings, on one line below. */
  readonly legend?: string;
}

export function overviewMarkdown(report: RunReport): string {
  const { overview } = report;
  const tables = [rowsTable(overview), ...(overview.pairs.length === 0 ? [] : [pairsTable(overview)])];
  const parts = [...tables.map(markdownTable), ...provenanceTexts(report).map(markdownCell)];
  return `${parts.join('\n\n')}\n`;
}

/** A row for each player and setting. */
export function rowsTable(overview: Overview): TextTable {
  const { rows } = overview;
  const columns = overviewColumns(overview);
  const texts = columns.map((column) => columnTexts(column, rows));
  return {
    heads: ['players', ...columns.map(({ head }) => head)],
    lines: rows.map(({ players }, i) => [players, ...texts.map((column) => column[i] ?? '')]),
    notes: overviewNotes(overview),
    legend: overviewLegend(columns),
  };
}

function columnTexts({ figure }: OverviewColumn, rows: readonly OverviewRow[]): readonly string[] {
  switch (figure.kind) {
    case 'text':
      return rows.map(figure.of);
    case 'share':
      return rows.map((row) => shareFigureText(figure.of(row), figure.isSummary));
    case 'turns':
      return rows.map((row) => lossyText(figure.of(row)?.toFixed(2) ?? '–', row));
    case 'tokens':
      return rows.map((row) => lossyText(tokenCountText(figure.of(row) ?? 0), row));
    case 'cost': {
      const costs = costColumn(rows.map(figure.of));
      return rows.map((row, i) => lossyText(costs[i] ?? '', row));
    }
  }
}

/** `90 % (10p)`, with the interval `90 % (60–98; 10p)`; a dash without a result. */
export function shareFigureText(
  { share, interval, counts, isTooSmall }: ShareFigure,
  hasInterval: boolean,
): string {
  const range =
    hasInterval && interval !== null ? [`${pointsOf(interval.low)}–${pointsOf(interval.high)}`] : [];
  const parts = [...range, ...(counts === null ? [] : [countsText(counts)])];
  const mark = isTooSmall ? TOO_FEW_MARK : '';
  return `${shareText(share)}${mark}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
}

/** An amount of a row with losses says of which runs it is; a dash needs no such words. */
export function lossyText(text: string, { isComplete, counts }: OverviewRow): string {
  return isComplete || text === '–' ? text : `${text} (${countsText(counts)})`;
}

const FIXED_MARK = '†';
const CONTRADICTION_MARK = '‡';
const NOTES = [
  [
    FIXED_MARK,
    'one of the two plays identically on every seed of a scenario: its run is compared with each run of the other',
  ],
  [
    CONTRADICTION_MARK,
    'the interval includes 0 although p < 0.05: p applies only to these scenarios, the interval also to similar ones',
  ],
  [TOO_FEW_MARK, `too few runs: fewer than ${SCATTER_MIN} pairs have no interval`],
] as const;

/** A line for each figure and each two rows with shared seeds. */
export function pairsTable({ pairs }: Overview): TextTable {
  const marks = pairs.flatMap(marksOf);
  const tested = pairs.filter(({ p, isAlike }) => p !== null && !isAlike).length;
  return {
    legend: `pairs: seeds that both played and that have the figure${pairs.every(({ lost }) => lost === 0) ? '' : ' (lost: seeds that one of the two did not play to the end, or not at all)'}; success, first try: shares, difference in percentage points (pp); turns: of seeds that both won; first try: steps whose first reply was accepted; tokens: per run;${pairs.some(({ figure }) => figure === 'regret') ? ` regret: ${REGRET_MEANING};` : ''} difference: the first minus the second, the mean with equal weights for scenarios, with 95 % interval; p: paired randomisation test; p (Holm): corrected for all ${amount(tested, 'test')} of this table (where both are equal on every seed, there is nothing to test); h: Cohen's effect size.`,
    notes: NOTES.flatMap(([mark, words]) => (marks.includes(mark) ? [`${mark} ${words}.`] : [])),
    heads: ['compared', 'scenarios', 'pairs', 'difference (95 %)', 'p', 'p (Holm)', 'h', 'verdict'],
    endsInText: true,
    lines: pairs.map((pair) => {
      const [fixed, contradiction, few] = marksOf(pair);
      return [
        // In a narrow terminal, further columns have only this one beside them.
        `${pair.figure}: ${pair.one} − ${pair.other}`,
        String(pair.scenarios),
        `${whole(pair.pairs)}${fixed}${pair.lost === 0 ? '' : ` (${whole(pair.lost)} lost)`}`,
        `${differenceText(pair)}${contradiction}${few}`,
        pValueText(pair.p),
        pValueText(pair.corrected),
        pair.effect === null ? '–' : signedText(pair.effect),
        pairVerdictText(pair),
      ];
    }),
  };
}

function marksOf(pair: OverviewPair): readonly [fixed: string, contradiction: string, few: string] {
  return [fixedMark(pair), contradictionMark(pair), pair.pairs < SCATTER_MIN ? TOO_FEW_MARK : ''];
}

function fixedMark({ fixed }: OverviewPair): string {
  return fixed === 'one' ? FIXED_MARK : '';
}

/** If the interval and the test seem to contradict each other, as printed. */
function contradictionMark({ figure, interval, corrected, scenarios }: OverviewPair): string {
  if (interval === null || corrected === null || corrected >= SIGNIFICANT_BELOW || scenarios === 1) return '';
  const [low, high] = [interval.low, interval.high].map((end) =>
    figure === 'success' || figure === 'first try' ? pointsOf(end) : end,
  ) as [number, number];
  return low <= 0 && high >= 0 ? CONTRADICTION_MARK : '';
}

/** With its unit: `+12 pp (+3 to +20)`, `−9.6 (−11.0 to −8.2)`. */
function differenceText({ figure, difference, interval }: OverviewPair): string {
  const texts = [difference, ...(interval === null ? [] : [interval.low, interval.high])].map(
    DIFFERENCE_TEXTS[figure],
  );
  const unit = figure === 'success' || figure === 'first try' ? ' pp' : '';
  return `${texts[0] ?? ''}${unit}${interval === null ? '' : ` (${texts.slice(1).join(' to ')})`}`;
}

const DIFFERENCE_TEXTS: Readonly<Record<OverviewPair['figure'], (value: number) => string>> = {
  success: pointsText,
  'first try': pointsText,
  turns: (value) => withSign(value, value.toFixed(1)),
  tokens: (value) => withSign(value, tokenCountText(Math.abs(Math.round(value)))),
  regret: (value) => withSign(value, value.toFixed(2)),
};

/** With a minus sign as wide as a plus; nothing before what is printed as zero. */
function withSign(value: number, text: string): string {
  const digits = text.replace('-', '');
  if (!/[1-9]/.test(digits)) return '0';
  return `${value > 0 ? '+' : '−'}${digits}`;
}

/** Line by line. */
export function belowTable({ notes = [], legend }: TextTable): readonly string[] {
  return legend === undefined ? notes : [...notes, legend];
}

/** Words are aligned left, figures right. */
function isTextColumn(column: number, { length }: readonly string[], endsInWords = false): boolean {
  return column === 0 || (endsInWords && column === length - 1);
}

function markdownTable(table: TextTable): string {
  const { heads, lines, endsInText } = table;
  const row = (cells: readonly string[]): string => `| ${cells.map(markdownCell).join(' | ')} |`;
  const rule = heads.map((_, i) => (isTextColumn(i, heads, endsInText) ? '---' : '--:'));
  const notesBelow = belowTable(table).flatMap((note) => ['', markdownCell(note)]);
  return [row(heads), `| ${rule.join(' | ')} |`, ...lines.map(row), ...notesBelow].join('\n');
}

/**
 * Escapes markup within a line: `<` only where a tag or an address might begin, `_` only at the edge of a
 * word.
 */
function markdownCell(text: string): string {
  return oneLine(text).replace(
    /[\\`*[\]|~]|<(?=[\p{L}/!?])|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    (mark) => `\\${mark}`,
  );
}
