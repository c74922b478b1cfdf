/**
 * The table over all scenarios, as text tables for rows and pairs, and both as Markdown. In: the overview;
 * out: text, and a file's text. Names come from scenarios and servers, so Markdown markup in them is escaped.
 * For LaTeX: `overview-latex.ts`.
 */
import { whole } from '../base/counted.js';
import { oneLine } from '../base/text.js';
import type { Overview, OverviewPair } from './overview.js';
import {
  pValueText,
  costColumn,
  signedText,
  pairVerdictText,
  shareText,
  pointsOf,
  pointsText,
  shareIntervalText,
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

export function overviewMarkdown(overview: Overview): string {
  const tables = [rowsTable(overview), ...(overview.pairs.length === 0 ? [] : [pairsTable(overview)])];
  return `${tables.map(markdownTable).join('\n\n')}\n`;
}

/** The meaning of the headings of every table of players. */
export function playersLegend(hasPrices: boolean): string {
  const cost = hasPrices ? '; cost: in the currency of the given prices' : '';
  return `players: names in the batch, otherwise models or controllers; T: temperature; runs: distinct runs${cost}.`;
}

/** A row for each player and setting; a cost column only if some tokens have a price. */
export function rowsTable({ scenarios, rows }: Overview): TextTable {
  const hasPrices = rows.some(({ costPerRun }) => costPerRun > 0);
  const costColumns = [
    costColumn(rows.map((row) => row.costPerRun)),
    costColumn(rows.map((row) => row.costPerSuccess)),
  ];
  return {
    legend: playersLegend(hasPrices),
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
    lines: rows.map((row, i) => [
      row.players,
      row.temperature === '' ? '–' : row.temperature,
      whole(row.runs),
      ...row.cells.map(({ success }) => shareText(success)),
      shareIntervalText(row.mean, row.interval),
      tokenCountText(row.tokensPerRun),
      row.tokensPerSuccess === null ? '–' : tokenCountText(row.tokensPerSuccess),
      ...(hasPrices ? costColumns.map((column) => column[i] ?? '') : []),
    ]),
  };
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
] as const;

/** A line for each two rows with shared seeds. */
export function pairsTable({ pairs }: Overview): TextTable {
  const marks = pairs.flatMap((pair) => [fixedMark(pair), contradictionMark(pair)]);
  return {
    legend:
      "pairs: seeds that both played; difference: in success rate, in percentage points (pp), with 95 % interval; p (Holm): corrected for all comparisons; h: Cohen's effect size.",
    notes: NOTES.flatMap(([mark, words]) => (marks.includes(mark) ? [`${mark} ${words}.`] : [])),
    heads: ['compared', 'scenarios', 'pairs', 'difference (pp)', 'p', 'p (Holm)', 'h', 'verdict'],
    endsInText: true,
    lines: pairs.map((pair) => [
      `${pair.one} − ${pair.other}`,
      String(pair.scenarios),
      `${whole(pair.pairs)}${fixedMark(pair)}`,
      `${differenceText(pair)}${contradictionMark(pair)}`,
      pValueText(pair.p),
      pValueText(pair.corrected),
      signedText(pair.effect),
      pairVerdictText(pair),
    ]),
  };
}

function fixedMark({ fixed }: OverviewPair): string {
  return fixed === 'one' ? FIXED_MARK : '';
}

/** If the interval and the test seem to contradict each other. */
function contradictionMark({ interval, corrected, scenarios }: OverviewPair): string {
  if (interval === null || corrected === null || corrected >= SIGNIFICANT_BELOW || scenarios === 1) return '';
  return pointsOf(interval.low) <= 0 && pointsOf(interval.high) >= 0 ? CONTRADICTION_MARK : '';
}

function differenceText({ difference, interval }: OverviewPair): string {
  if (interval === null) return pointsText(difference);
  return `${pointsText(difference)} (${pointsText(interval.low)} to ${pointsText(interval.high)})`;
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
