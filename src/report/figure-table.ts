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
  | {
      format: 'decimals' | 'tokens' | 'cost';
      of: (row: Row) => number | null;
      /** Whether a row's amount is a mean over too few runs, so that it is marked; absent for a sum. */
      isFew?: (row: Row) => boolean;
    }
);

export interface FigureTable<Row> {
  /** The first one has the names of the rows. */
  columns: readonly FigureColumn<Row>[];
  rows: readonly Row[];
  /** The runs behind a row's amounts, if some were lost: it never is the best. */
  lossesOf?: (row: Row) => RunCounts | null;
  /** Whether a row's tokens and costs are at least so much, because those of some requests are not known. */
  isAtLeast?: (row: Row) => boolean;
  /** Sentences below the table: explanations of marked cells. */
  notes?: readonly string[];
  /** The meaning of its heads, on one line below. */
  legend?: string;
}

/** Marks an amount to which something is added that nobody knows. */
const AT_LEAST_MARK = '≥';
export const AT_LEAST_NOTE = `${AT_LEAST_MARK} at least: the tokens of requests without an answer are not known (the server failed, or the program was stopped while it waited).`;

/** The columns of a table of these rows. */
export function columnsInUse<Row>(
  columns: readonly FigureColumn<Row>[],
  rows: readonly Row[],
): readonly FigureColumn<Row>[] {
  return columns.filter(({ isInUse }) => isInUse === undefined || rows.some(isInUse));
}

/** The table without the columns in which every row has a dash, and the definitions of the others. */
export function withoutEmptyColumns<Row>(table: FigureTable<Row>): FigureTable<Row> {
  const columns = table.columns.filter(
    (column, i) => i === 0 || columnTexts(column, table).some((text) => text !== '–'),
  );
  return { ...table, columns, legend: legendOf(columns) };
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
      return rows.map((row) =>
        lossyText(markedText(column.of(row)?.toFixed(2) ?? '–', column, row), table, row),
      );
    case 'tokens':
      return rows.map((row) =>
        spentText(markedText(tokenCountText(column.of(row) ?? 0), column, row), table, row),
      );
    case 'cost': {
      const costs = costColumn(rows.map(column.of));
      return rows.map((row, i) => spentText(markedText(costs[i] ?? '', column, row), table, row));
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

/** An amount that rests on too few runs has a mark; a dash has none. */
export function markedText<Row>(
  text: string,
  { isFew }: { isFew?: (row: Row) => boolean },
  row: Row,
): string {
  return text !== '–' && isFew?.(row) === true ? `${text}${TOO_FEW_MARK}` : text;
}

/** Of tokens or money: `≥ 17k (2p 1u)` if those of some requests are not known. */
export function spentText<Row>(text: string, table: FigureTable<Row>, row: Row): string {
  const isAtLeast = text !== '–' && table.isAtLeast?.(row) === true;
  return lossyText(isAtLeast ? `${AT_LEAST_MARK} ${text}` : text, table, row);
}

/** An amount of a row with losses says of which runs it is; a dash needs no such words. */
export function lossyText<Row>(text: string, { lossesOf }: FigureTable<Row>, row: Row): string {
  const losses = lossesOf?.(row) ?? null;
  return losses === null || text === '–' ? text : `${text} (${countsText(losses)})`;
}
