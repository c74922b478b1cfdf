/**
 * The values of the report's dot plots, the same on the page and in the files of `--plots`. A bar without a
 * value keeps its line, so that no player disappears whose runs were lost.
 */
import { estimateText, shareIntervalText, successText } from './figure-text.js';
import { SUCCESS_MEANING, TOO_FEW_MEANING, TURNS_MEANING } from './figures.js';
import type { OverviewRow } from './overview.js';
import type { ReportCell } from './report-cell.js';
import { countsOf, countsText } from './run-counts.js';

/** A value with its interval, in shares of the plot's width. */
export interface PlotBar {
  name: string;
  /** Null if too little is known for an interval. */
  low: number | null;
  /** Null if there is no value. */
  at: number | null;
  high: number | null;
  words: string;
}

export interface DotPlot {
  title: string;
  /** The definition of its figure. */
  meaning: string;
  bars: readonly PlotBar[];
  /** At the beginning, in the middle and at the end. */
  marks: readonly string[];
}

const MEAN_MEANING =
  'mean: of the scenarios that every player with a result played, with equal weights (interval: hierarchical bootstrap over scenarios and seeds)';

const PERCENT_MARKS = ['0 %', '50 %', '100 %'];

const TOO_FEW_WORDS = ' (too few runs)';

export function successPlot(title: string, cells: readonly ReportCell[]): DotPlot {
  const bars = cells.map((cell): PlotBar => {
    const { low = null, high = null } = cell.success?.interval ?? {};
    const few = cell.isTooSmall ? TOO_FEW_WORDS : '';
    const words = `${successText(cell)}${few} · ${countsText(countsOf(cell))}`;
    return { name: cell.players, low, at: cell.success?.share ?? null, high, words };
  });
  return { title, meaning: `success: ${SUCCESS_MEANING}; ${TOO_FEW_MEANING}`, bars, marks: PERCENT_MARKS };
}

export function meanPlot(title: string, rows: readonly OverviewRow[]): DotPlot {
  const bars = rows.map(({ players, mean, interval, isMeanTooSmall, counts }): PlotBar => {
    const few = isMeanTooSmall ? TOO_FEW_WORDS : '';
    const words = `${shareIntervalText(mean, interval)}${few} · ${countsText(counts)}`;
    return { name: players, low: interval?.low ?? null, at: mean, high: interval?.high ?? null, words };
  });
  return { title, meaning: MEAN_MEANING, bars, marks: PERCENT_MARKS };
}

export function turnsPlot(title: string, cells: readonly ReportCell[]): DotPlot {
  const most = roundedUp(Math.max(1, ...cells.map(({ turns }) => turns?.interval?.high ?? turns?.mean ?? 0)));
  const scaled = (turns: number | undefined): number | null => (turns === undefined ? null : turns / most);
  const bars = cells.map((cell): PlotBar => ({
    name: cell.players,
    low: scaled(cell.turns?.interval?.low),
    at: scaled(cell.turns?.mean),
    high: scaled(cell.turns?.interval?.high),
    words: `${estimateText(cell.turns)} · ${countsText(countsOf(cell))}`,
  }));
  return { title, meaning: `turns to win: ${TURNS_MEANING}`, bars, marks: marksTo(most) };
}

/** The next number that halves well: 2, 4, 10, 20, 40, 100 … */
export function roundedUp(value: number): number {
  let unit = 1;
  while (unit * 10 < value) unit *= 10;
  return unit * ([1, 2, 4, 10].find((times) => unit * times >= value) ?? 10);
}

/** At the beginning, in the middle and at the end. */
export function marksTo(most: number): readonly string[] {
  return ['0', String(most / 2), String(most)];
}
