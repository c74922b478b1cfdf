/**
 * The columns of the table over all scenarios. Each figure is defined here once, with its value, its meaning
 * and which values are better; terminal, page and Markdown (`overview-text.ts`), LaTeX (`overview-latex.ts`)
 * and the plot (`plot-sheet.ts`) only format them.
 */
import { amount } from '../base/counted.js';
import { decidedAtStartText, rowShortfallText } from './figure-text.js';
import type { Overview, OverviewRow } from './overview.js';
import { COUNTS_LEGEND, countsText } from './run-counts.js';
import type { RunCounts } from './run-counts.js';
import type { Interval } from './statistics.js';

export interface ShareFigure {
  /** Null if there is none. */
  readonly share: number | null;
  readonly interval: Interval | null;
  /** The runs behind it; null for a row that has nothing to do with the scenario. */
  readonly counts: RunCounts | null;
  readonly isTooSmall: boolean;
}

type Figure =
  | { readonly kind: 'text'; readonly of: (row: OverviewRow) => string }
  | { readonly kind: 'share'; readonly of: (row: OverviewRow) => ShareFigure; readonly isSummary: boolean }
  | { readonly kind: 'turns' | 'tokens' | 'cost'; readonly of: (row: OverviewRow) => number | null };

export interface OverviewColumn {
  readonly head: string;
  /** In LaTeX, below a heading for several columns, which has the unit; '' for none. */
  readonly group: string;
  readonly subhead: string;
  /** Below the table. */
  readonly meaning: string;
  /** Null for a column without best values. */
  readonly best: 'most' | 'least' | null;
  readonly figure: Figure;
}

/** Next to the names of the rows. */
export function overviewColumns(overview: Overview): readonly OverviewColumn[] {
  const { scenarios, rows } = overview;
  const shares = scenarios.map((scenario, i): OverviewColumn => ({
    head: scenario,
    group: 'success',
    subhead: scenario,
    meaning: SHARE_MEANING,
    best: 'most',
    figure: { kind: 'share', isSummary: false, of: ({ cells }) => cellShare(cells[i]) },
  }));
  return [
    ...(rows.every(({ temperature }) => temperature === '') ? [] : [TEMPERATURE]),
    RUNS,
    ...shares,
    meanColumn(overview),
    ...(rows.every(({ regret }) => regret === null) ? [] : [REGRET]),
    ...(rows.some(({ tokensPerRun }) => tokensPerRun !== null && tokensPerRun > 0) ? TOKENS : []),
    ...(rows.some(({ costPerRun }) => costPerRun !== null && costPerRun > 0) ? COSTS : []),
  ];
}

const SHARE_MEANING = 'success: the share of the runs with a result that succeeded';

function cellShare(cell: OverviewRow['cells'][number] | undefined): ShareFigure {
  const { success = null, interval = null, counts = null, isTooSmall = false } = cell ?? {};
  return { share: success, interval, counts, isTooSmall };
}

const TEMPERATURE: OverviewColumn = {
  head: 'T',
  group: '',
  subhead: 'T',
  meaning: "the temperature of the agents' models",
  best: null,
  figure: { kind: 'text', of: ({ temperature }) => temperature || '–' },
};

const RUNS: OverviewColumn = {
  head: 'runs',
  group: '',
  subhead: 'runs',
  meaning: COUNTS_LEGEND,
  best: null,
  figure: { kind: 'text', of: ({ counts }) => countsText(counts) },
};

function meanColumn({ scenarios, shared }: Overview): OverviewColumn {
  const scope =
    shared.length === scenarios.length
      ? 'over the scenarios'
      : `over the ${amount(shared.length, 'scenario')} of which every row with a result has one`;
  return {
    head: 'mean (95 %)',
    group: 'success',
    subhead: 'mean',
    meaning: `the mean success rate ${scope}, each with the same weight`,
    best: 'most',
    figure: {
      kind: 'share',
      isSummary: true,
      of: ({ mean, interval, counts }) => ({ share: mean, interval, counts, isTooSmall: false }),
    },
  };
}

export const SUCCESS_MEANING =
  'the share of the runs with a result that succeeded, with its interval (Wilson)';
export const TURNS_MEANING = 'the mean of the successful runs, with its interval (bootstrap)';

export const REGRET_MEANING =
  'turns lost per step, over the steps whose cost is known, exactly or as an estimate; a step that made success impossible lost the turns that were left, and steps after it do not count';

const REGRET: OverviewColumn = {
  head: 'regret',
  group: 'regret',
  subhead: 'turns/step',
  meaning: `${REGRET_MEANING}; of the runs played to the end, each scenario with the same weight`,
  best: 'least',
  figure: { kind: 'turns', of: ({ regret }) => regret },
};

const TOKENS: readonly OverviewColumn[] = [
  {
    head: 'tokens/run',
    group: 'tokens',
    subhead: 'run',
    meaning: 'prompt and reply tokens of the runs played to the end, by their number',
    best: 'least',
    figure: { kind: 'tokens', of: ({ tokensPerRun }) => tokensPerRun },
  },
  {
    head: 'tokens/success',
    group: 'tokens',
    subhead: 'success',
    meaning: 'tokens of all runs, unfinished ones too, by the number of successes',
    best: 'least',
    figure: { kind: 'tokens', of: ({ tokensPerSuccess }) => tokensPerSuccess },
  },
];

const COSTS: readonly OverviewColumn[] = [
  {
    head: 'cost/run',
    group: 'cost',
    subhead: 'run',
    meaning: 'as tokens/run, in the currency of the given prices',
    best: 'least',
    figure: { kind: 'cost', of: ({ costPerRun }) => costPerRun },
  },
  {
    head: 'cost/success',
    group: 'cost',
    subhead: 'success',
    meaning: 'as tokens/success, in the same currency',
    best: 'least',
    figure: { kind: 'cost', of: ({ costPerSuccess }) => costPerSuccess },
  },
];

/**
 * For each row, whether its value is the best of the column. A row with unfinished or not played runs, or
 * with runs that lost turns to a server, never is: what it lost might have changed the value. Nothing is the best if all values are equal as printed.
 */
export function bestRows(
  { best }: OverviewColumn,
  rows: readonly OverviewRow[],
  printed: readonly (number | null)[],
): readonly boolean[] {
  const candidates = rows.flatMap(({ isComplete }, i) => (isComplete ? (printed[i] ?? []) : []));
  if (best === null || new Set(candidates).size < 2) return rows.map(() => false);
  const value = best === 'most' ? Math.max(...candidates) : Math.min(...candidates);
  return rows.map(({ isComplete }, i) => isComplete && printed[i] === value);
}

export const PLAYERS_MEANING = 'players: names in the batch, otherwise models or controllers';
export const TOO_FEW_MARK = '°';
export const TOO_FEW_MEANING =
  'too few runs: the 95 % interval is wider than 40 percentage points, or there is none';
export const TOO_FEW_NOTE = `${TOO_FEW_MARK} ${TOO_FEW_MEANING}.`;

/** The definition of each figure, in the order of the columns. Scenarios have the same one. */
export function overviewLegend(columns: readonly OverviewColumn[]): string {
  const meanings = columns.map(({ head, meaning }) =>
    meaning === SHARE_MEANING ? meaning : `${head.replace(' (95 %)', '')}: ${meaning}`,
  );
  return `${[PLAYERS_MEANING, ...new Set(meanings)].join('; ')}.`;
}

/** What the table does not show by itself: losses of each row, and figures that rest on too little. */
export function overviewNotes({ rows, decidedAtStart }: Overview): readonly string[] {
  const losses = rows.flatMap((row) => {
    const words = rowShortfallText(row);
    return words === '' ? [] : [`${row.players}: ${words}.`];
  });
  const isMarked = rows.some((row) => row.cells.some(({ isTooSmall }) => isTooSmall));
  const early = decidedAtStart.map(({ scenario, seeds }) => `${scenario}: ${decidedAtStartText(seeds)}.`);
  return [...(isMarked ? [TOO_FEW_NOTE] : []), ...losses, ...early];
}
