/**
 * A table of figures. A column knows its values, their format and their meaning; what writes the table
 * (`textTable` for terminal, page and Markdown, `latex.ts` for a paper) knows formats, and no single figure.
 */
import { costColumn, pointsOf, shareText, tokenCountText, TOO_FEW_MARK } from './figure-text.js';
import { countsText } from './run-counts.js';
import type { RunCounts } from './run-counts.js';
import type { Interval } from './statistics.js';

export interface ShareFigure {
  /** Null if there is none. */
  share: number | null;
  interval: Interval | null;
  /** The runs behind it; null for a row that has nothing to do with the scenario. */
  counts: RunCounts | null;
  isTooSmall: boolean;
}

export type FigureColumn<Row> = {
  head: string;
  /** Below the table, after the head or `name`; absent if the head says everything. */
  meaning?: string;
  name?: string;
  /** Shown only if a row has such a figure; always, if this is absent. */
  isInUse?: (row: Row) => boolean;
  /** Absent for a column without best values. */
  best?: 'most' | 'least';
  /** In a paper: its head below a heading of several columns, '' for none; null: not in a paper. */
  paper?: { group: string; head: string } | null;
  /** A letter at the beginning of its head that stands for a quantity. */
  symbol?: string;
} & (
  | {
      /** For names and sentences, which may wrap; absent for a figure in words. */
      format?: 'text';
      of: (row: Row) => string;
    }
  | { format: 'share' | 'share with interval'; of: (row: Row) => ShareFigure }
  | { format: 'decimals' | 'tokens' | 'cost'; of: (row: Row) => number | null }
);

export interface FigureTable<Row> {
  /** The first one has the names of the rows. */
  columns: readonly FigureColumn<Row>[];
  rows: readonly Row[];
  /** The runs behind a row's amounts, if some were lost: it never is the best. */
  lossesOf?: (row: Row) => RunCounts | null;
  /** Sentences below the table: explanations of marked cells. */
  notes?: readonly string[];
  /** The meaning of its heads, on one line below. */
  legend?: string;
}

/** The columns of a table of these rows. */
export function columnsInUse<Row>(
  columns: readonly FigureColumn<Row>[],
  rows: readonly Row[],
): readonly FigureColumn<Row>[] {
  return columns.filter(({ isInUse }) => isInUse === undefined || rows.some(isInUse));
}

/** The definition of each figure, in the order of the columns; columns of one name have the same one. */
export function legendOf<Row>(columns: readonly FigureColumn<Row>[]): string {
  const meanings = columns.flatMap(({ head, name = head.replace(' (95 %)', ''), meaning }) =>
    meaning === undefined ? [] : [`${name}: ${meaning}`],
  );
  return `${[...new Set(meanings)].join('; ')}.`;
}

/** A table of texts, not yet escaped: heads, then lines of the same length, and sentences below. */
export interface TextTable {
  heads: readonly string[];
  /** For each column, whether it has names or sentences rather than figures. */
  isText: readonly boolean[];
  lines: readonly (readonly string[])[];
  below: readonly string[];
}

export function textTable<Row>(table: FigureTable<Row>): TextTable {
  const { columns, rows, notes = [], legend } = table;
  const texts = columns.map((column) => columnTexts(column, table));
  return {
    heads: columns.map(({ head }) => head),
    isText: columns.map(({ format }) => format === 'text'),
    lines: rows.map((_, i) => texts.map((column) => column[i] ?? '')),
    below: legend === undefined ? notes : [...notes, legend],
  };
}

function columnTexts<Row>(column: FigureColumn<Row>, table: FigureTable<Row>): readonly string[] {
  const { rows } = table;
  switch (column.format) {
    case 'share':
    case 'share with interval':
      return rows.map((row) => shareFigureText(column.of(row), column.format === 'share with interval'));
    case 'decimals':
      return rows.map((row) => lossyText(column.of(row)?.toFixed(2) ?? '–', table, row));
    case 'tokens':
      return rows.map((row) => lossyText(tokenCountText(column.of(row) ?? 0), table, row));
    case 'cost': {
      const costs = costColumn(rows.map(column.of));
      return rows.map((row, i) => lossyText(costs[i] ?? '', table, row));
    }
    default:
      return rows.map(column.of);
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
export function lossyText<Row>(text: string, { lossesOf }: FigureTable<Row>, row: Row): string {
  const losses = lossesOf?.(row) ?? null;
  return losses === null || text === '–' ? text : `${text} (${countsText(losses)})`;
}
