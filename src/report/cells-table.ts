/**
 * The table of one scenario, with a row for each of its players. Each figure is defined here once, with its
 * meaning; terminal and page show the same table.
 */
import { whole } from '../base/counted.js';
import { duration } from '../base/duration.js';
import {
  cachedText,
  cellTokensText,
  costColumn,
  estimateText,
  probeText,
  ratioText,
  successText,
} from './figure-text.js';
import {
  PLAYERS_MEANING,
  REGRET_MEANING,
  SUCCESS_MEANING,
  TURNS_MEANING,
  TOO_FEW_MARK,
  TOO_FEW_NOTE,
} from './overview-columns.js';
import type { TextTable } from './overview-text.js';
import type { ReportCell } from './report-cell.js';
import { COUNTS_LEGEND, countsOf, countsText } from './run-counts.js';

interface CellColumn {
  readonly head: string;
  readonly meaning: string;
  readonly texts: (cells: readonly ReportCell[]) => readonly string[];
  /** Shown only if a cell has such a figure; always, if this is absent. */
  readonly isInUse?: (cell: ReportCell) => boolean;
}

const each =
  (of: (cell: ReportCell) => string) =>
  (cells: readonly ReportCell[]): readonly string[] =>
    cells.map(of);

const COLUMNS: readonly CellColumn[] = [
  {
    head: 'T',
    meaning: "the temperature of the agents' models",
    texts: each(({ temperature }) => temperature || '–'),
  },
  { head: 'runs', meaning: COUNTS_LEGEND, texts: each((cell) => countsText(countsOf(cell))) },
  {
    head: 'success (95 %)',
    meaning: SUCCESS_MEANING,
    texts: each((cell) => `${successText(cell)}${cell.isTooSmall ? TOO_FEW_MARK : ''}`),
  },
  {
    head: 'turns to win',
    meaning: TURNS_MEANING,
    texts: each(({ turns }) => estimateText(turns)),
  },
  {
    head: 'first try',
    meaning: 'the share of steps whose first reply was accepted',
    texts: each(({ firstTries, steps }) => ratioText(firstTries, steps)),
  },
  {
    head: 'repeated',
    meaning: 'the share of steps that did the same as the one before',
    texts: each(({ repeated, steps }) => ratioText(repeated, steps)),
  },
  {
    head: 'heard',
    meaning: 'utterances that somebody heard, of all',
    texts: each(({ said, unheard }) => (said === 0 ? '–' : `${whole(said - unheard)}/${whole(said)}`)),
  },
  { head: 'tokens', meaning: 'of prompts and replies, of all runs', texts: each(cellTokensText) },
  {
    head: 'cached',
    meaning: 'the share of prompt tokens that the server had cached',
    texts: each(cachedText),
  },
  {
    head: 'time',
    meaning: 'played, of all runs',
    texts: each(({ seconds }) => duration(seconds * 1000)),
  },
  {
    head: 'cost/success',
    meaning:
      'the cost of all runs, unfinished ones too, by the number of successes, in the currency of the given prices',
    texts: (cells) => costColumn(cells.map(({ costPerSuccess }) => costPerSuccess)),
  },
  {
    head: 'return (95 %)',
    meaning: 'the mean reward of the runs played to the end',
    texts: each((cell) => estimateText(cell.return)),
    isInUse: (cell) => cell.return !== null,
  },
  {
    head: 'regret',
    meaning: `${REGRET_MEANING}; the mean of the runs played to the end`,
    texts: each(({ regret }) => regret?.mean.toFixed(2) ?? '–'),
    isInUse: ({ regret }) => regret !== null,
  },
  {
    head: 'late ticks',
    meaning: 'the share of ticks that began late',
    texts: each(({ ticks, ticksLate }) => (ticks === 0 ? '–' : ratioText(ticksLate, ticks))),
    isInUse: ({ ticks }) => ticks > 0,
  },
  {
    head: 'questions right (95 %)',
    meaning: 'the share of questions that were answered correctly',
    texts: each(probeText),
    isInUse: ({ probes }) => probes > 0,
  },
];

/** `hasLegend`: below the table, the meaning of every figure. */
export function cellsTable(cells: readonly ReportCell[], hasLegend: boolean): TextTable {
  const columns = COLUMNS.filter(({ isInUse }) => isInUse === undefined || cells.some(isInUse));
  const texts = columns.map((column) => column.texts(cells));
  const meanings = columns.map(({ head, meaning }) => `${head.replace(' (95 %)', '')}: ${meaning}`);
  return {
    heads: ['players', ...columns.map(({ head }) => head)],
    lines: cells.map(({ players }, i) => [players, ...texts.map((column) => column[i] ?? '')]),
    notes: cells.some(({ isTooSmall }) => isTooSmall) ? [TOO_FEW_NOTE] : [],
    ...(hasLegend ? { legend: `${[PLAYERS_MEANING, ...meanings].join('; ')}.` } : {}),
  };
}
