/**
 * The figures of the report's tables, each once: its head, its value, how it is printed, what it means, and
 * which values are better. A figure of two tables stands in each, because a cell has it of its runs and a row
 * of several scenarios. `figure-table.ts` explains the fields; tables leave out what nobody has.
 */
import { amount, whole } from '../base/counted.js';
import { lookUp } from '../base/look-up.js';
import { duration } from '../base/duration.js';
import { REGRET_MEANING } from './compared.js';
import type { FigureColumn, FigureTable, ShareFigure } from './figure-table.js';
import { AT_LEAST_NOTE, columnsInUse, legendOf, withoutEmptyColumns } from './figure-table.js';
import { TOO_FEW_MARK, cachedText, estimateText, ratioText, successText, wilsonText } from './figure-text.js';
import { decidedAtStartText, failedRequestsText, rowShortfallText } from './run-notes.js';
import type { Overview, OverviewRow } from './overview.js';
import type { ReportCell } from './report-cell.js';
import { playersOf } from './run-labels.js';
import type { AgentFigures, RunMetrics } from './run-metrics.js';
import { COUNTS_LEGEND, countsOf, countsText } from './run-counts.js';
import { SCATTER_MIN } from './statistics.js';

const PLAYERS = 'names in the batch, otherwise models or controllers';
export const PLAYERS_MEANING = `players: ${PLAYERS}`;
export const SUCCESS_MEANING =
  'the share of the runs with a result that succeeded, with its interval (Wilson)';
export const TURNS_MEANING = 'the mean of the successful runs, with its interval (bootstrap)';
export const TOO_FEW_MEANING =
  'too few runs: the 95 % interval is wider than 40 percentage points, or there is none';
const TOO_FEW_NOTE = `${TOO_FEW_MARK} ${TOO_FEW_MEANING}.`;
const FEW_AMOUNTS_NOTE = `${TOO_FEW_MARK} Of an amount: fewer than ${SCATTER_MIN} runs played to the end.`;

/** Explains an amount's mark in a table that has one. */
function fewAmountsNotes<Row>(
  columns: readonly FigureColumn<Row>[],
  rows: readonly Row[],
): readonly string[] {
  const isMarked = columns.some(
    (column) =>
      'isFew' in column &&
      rows.some((row) => {
        const isShown = column.format === 'decimals' ? column.of(row) !== null : Boolean(column.of(row));
        return isShown && column.isFew?.(row);
      }),
  );
  return isMarked ? [FEW_AMOUNTS_NOTE] : [];
}

const TEMPERATURE: FigureColumn<{ temperature: string }> = {
  head: 'T',
  meaning: "the temperature of the agents' models",
  of: ({ temperature }) => temperature || '–',
  symbol: 'T',
};

const TOKENS: FigureColumn<Pick<ReportCell, 'promptTokens' | 'replyTokens'>> = {
  head: 'tokens',
  format: 'tokens',
  of: ({ promptTokens, replyTokens }) => promptTokens + replyTokens,
};

/** Of all runs of one scenario by the same players. */
const CELL_FIGURES: readonly FigureColumn<ReportCell>[] = [
  { head: 'players', meaning: PLAYERS, format: 'text', of: ({ players }) => players },
  TEMPERATURE,
  { head: 'runs', meaning: COUNTS_LEGEND, of: (cell) => countsText(countsOf(cell)) },
  {
    head: 'success (95 %)',
    meaning: SUCCESS_MEANING,
    of: (cell) => `${successText(cell)}${cell.isTooSmall ? TOO_FEW_MARK : ''}`,
  },
  {
    head: 'turns to win',
    meaning: TURNS_MEANING,
    of: ({ turns }) => estimateText(turns),
  },
  {
    head: 'first try',
    meaning: 'the share of steps whose first reply was accepted',
    of: ({ firstTries, steps }) => ratioText(firstTries, steps),
  },
  {
    head: 'repeated',
    meaning: 'the share of steps that did the same as the one before',
    of: ({ repeated, steps }) => ratioText(repeated, steps),
  },
  {
    head: 'heard',
    meaning: 'utterances that somebody heard, of all',
    of: ({ said, unheard }) => (said === 0 ? '–' : `${whole(said - unheard)}/${whole(said)}`),
  },
  { ...TOKENS, meaning: 'of prompts and replies, of all runs' },
  {
    head: 'cached',
    meaning: 'the share of prompt tokens that the server had cached',
    of: cachedText,
  },
  {
    head: 'time',
    meaning: 'played, of all runs',
    of: ({ seconds }) => duration(seconds * 1000),
  },
  {
    head: 'cost/success',
    meaning:
      'the cost of all runs, unfinished ones too, by the number of successes, in the currency of the given prices',
    format: 'cost',
    of: ({ costPerSuccess }) => costPerSuccess,
    isFew: hasFewRuns,
  },
  {
    head: 'return (95 %)',
    meaning: 'the mean reward of the runs played to the end',
    of: (cell) => estimateText(cell.return),
    isInUse: (cell) => cell.return !== null,
  },
  {
    head: 'regret',
    meaning: `${REGRET_MEANING}; the mean of the runs played to the end`,
    format: 'decimals',
    of: ({ regret }) => regret?.mean ?? null,
    isFew: hasFewRuns,
    isInUse: ({ regret }) => regret !== null,
  },
  {
    head: 'late ticks',
    meaning: 'the share of ticks that began late',
    of: ({ ticks, ticksLate }) => ratioText(ticksLate, ticks),
    isInUse: ({ ticks }) => ticks > 0,
  },
  {
    head: 'questions right (95 %)',
    meaning: 'the share of questions that were answered correctly',
    of: ({ probes, probesRight }) => wilsonText(probesRight, probes),
    isInUse: ({ probes }) => probes > 0,
  },
];

/** The table of one scenario, with a row for each of its players. `hasLegend`: the meaning of every figure. */
export function cellsTable(cells: readonly ReportCell[], hasLegend: boolean): FigureTable<ReportCell> {
  const columns = columnsInUse(CELL_FIGURES, cells);
  return {
    columns,
    rows: cells,
    isAtLeast,
    notes: [
      ...(cells.some(({ isTooSmall }) => isTooSmall) ? [TOO_FEW_NOTE] : []),
      ...fewAmountsNotes(columns, cells),
      ...(cells.some(isAtLeast) ? [AT_LEAST_NOTE] : []),
    ],
    ...(hasLegend ? { legend: legendOf(columns) } : {}),
  };
}

function hasFewRuns({ runs }: Pick<ReportCell, 'runs'>): boolean {
  return runs < SCATTER_MIN;
}

function isAtLeast({ unknownUsage }: Pick<ReportCell, 'unknownUsage'>): boolean {
  return unknownUsage > 0;
}

interface AgentRow extends AgentFigures {
  cell: ReportCell;
}

/** Of one agent of a cell with several. */
const AGENT_FIGURES: readonly FigureColumn<AgentRow>[] = [
  {
    head: 'agent · players',
    format: 'text',
    of: ({ agent, cell: { players, seats } }) => {
      const player = lookUp(seats, agent);
      return `${agent}${player === undefined ? '' : ` (${player})`} · ${players}`;
    },
  },
  {
    head: 'steps',
    meaning: 'of the agent, without those of the world at the end of turns',
    of: ({ steps }) => whole(steps),
  },
  {
    head: 'first try',
    meaning: 'first replies that were accepted',
    of: ({ firstTries, steps }) => ratioText(firstTries, steps),
  },
  {
    head: 'no answer',
    meaning: 'requests at which the server failed or held the answer back, or the model declined',
    of: ({ unanswered }) => countText(unanswered),
    isInUse: ({ unanswered }) => unanswered > 0,
  },
  {
    head: 'not understood',
    meaning: 'replies without a usable action',
    of: ({ unread }) => countText(unread),
  },
  {
    head: 'refused',
    meaning: 'actions that the world refused',
    of: ({ refused }) => countText(refused),
  },
  {
    head: 'waits',
    meaning: 'forced WAITs, when no usable answer came',
    of: ({ standIns }) => countText(standIns),
  },
  {
    head: 'refused waits',
    meaning: 'those after an action that was refused, and not after a reply that could not be read',
    of: ({ standInsRefused }) => countText(standInsRefused),
    isInUse: ({ standInsRefused }) => standInsRefused > 0,
  },
  { head: 'said', of: ({ said }) => countText(said) },
  TOKENS,
  {
    head: 'succeeded',
    meaning: 'runs that the agent won by its own conditions',
    of: ({ succeeded }) => countText(succeeded),
    isInUse: ({ succeeded }) => succeeded > 0,
  },
  {
    head: 'return',
    format: 'decimals',
    of: ({ reward, cell: { runs, open } }) => reward / Math.max(1, runs + open),
    isInUse: ({ cell }) => cell.return !== null,
  },
  {
    head: 'questions right',
    of: ({ probes, probesRight }) => wilsonText(probesRight, probes),
    isInUse: ({ cell }) => cell.probes > 0,
  },
];

/** The figures of each agent; null if no cell has more than one, because then everything is in the cells' table. */
export function agentsTable(cells: readonly ReportCell[]): FigureTable<AgentRow> | null {
  const rows = cells.flatMap((cell) =>
    cell.agents.length > 1 ? cell.agents.map((figures) => ({ ...figures, cell })) : [],
  );
  if (rows.length === 0) return null;
  const columns = columnsInUse(AGENT_FIGURES, rows);
  const others = rows.some(({ succeeded }) => succeeded > 0) ? ' that have no conditions of their own' : '';
  return {
    columns,
    rows,
    isAtLeast: ({ cell }) => isAtLeast(cell),
    legend: `${legendOf(columns)} A run succeeds or fails for all of its agents${others}.`,
  };
}

function countText(count: number): string {
  return count === 0 ? '–' : whole(count);
}

function hasFewInRow({ counts }: OverviewRow): boolean {
  return counts.played < SCATTER_MIN;
}

/** In the table over all scenarios, after success: each a mean. */
const AMOUNTS: readonly FigureColumn<OverviewRow>[] = [
  {
    head: 'regret',
    meaning: `${REGRET_MEANING}; of the runs played to the end, each scenario with the same weight`,
    format: 'decimals',
    of: ({ regret }) => regret,
    isFew: hasFewInRow,
    best: 'least',
    paper: { group: 'regret', head: 'turns/step' },
  },
  {
    head: 'tokens/run',
    meaning: 'prompt and reply tokens of the runs played to the end, by their number',
    format: 'tokens',
    of: ({ tokensPerRun }) => tokensPerRun,
    isFew: hasFewInRow,
    best: 'least',
    paper: { group: 'tokens', head: 'run' },
  },
  {
    head: 'tokens/success',
    meaning: 'tokens of all runs, unfinished ones too, by the number of successes',
    format: 'tokens',
    of: ({ tokensPerSuccess }) => tokensPerSuccess,
    isFew: hasFewInRow,
    best: 'least',
    paper: { group: 'tokens', head: 'success' },
  },
  {
    head: 'cost/run',
    meaning: 'as tokens/run, in the currency of the given prices',
    format: 'cost',
    of: ({ costPerRun }) => costPerRun,
    isFew: hasFewInRow,
    best: 'least',
    paper: { group: 'cost', head: 'run' },
  },
  {
    head: 'cost/success',
    meaning: 'as tokens/success, in the same currency',
    format: 'cost',
    of: ({ costPerSuccess }) => costPerSuccess,
    isFew: hasFewInRow,
    best: 'least',
    paper: { group: 'cost', head: 'success' },
  },
];

function overviewFigures({ scenarios, shared }: Overview): readonly FigureColumn<OverviewRow>[] {
  const scope =
    shared.length === scenarios.length
      ? 'over the scenarios'
      : `over the ${amount(shared.length, 'scenario')} of which every row with a result has one`;
  return [
    {
      head: 'players',
      meaning: PLAYERS,
      format: 'text',
      of: ({ players }) => players,
      paper: { group: '', head: 'player' },
    },
    TEMPERATURE,
    {
      head: 'runs',
      meaning: COUNTS_LEGEND,
      of: ({ counts }) => countsText(counts),
      // There, every share says of how many runs it is.
      paper: null,
    },
    ...scenarios.map((scenario, i): FigureColumn<OverviewRow> => ({
      head: scenario,
      name: 'success',
      meaning: 'the share of the runs with a result that succeeded',
      format: 'share',
      of: ({ cells }) => cellShare(cells[i]),
      best: 'most',
      paper: { group: 'success', head: scenario },
    })),
    {
      head: 'mean (95 %)',
      meaning: `the mean success rate ${scope}, each with the same weight`,
      format: 'share with interval',
      of: ({ mean, interval, counts, isMeanTooSmall }) => ({
        share: mean,
        interval,
        counts,
        isTooSmall: isMeanTooSmall,
      }),
      best: 'most',
      // Of one scenario, it repeats its column.
      paper: scenarios.length === 1 ? null : { group: 'success', head: 'mean' },
    },
    ...AMOUNTS,
  ];
}

function cellShare(cell: OverviewRow['cells'][number] | undefined): ShareFigure {
  const { success = null, interval = null, counts = null, isTooSmall = false } = cell ?? {};
  return { share: success, interval, counts, isTooSmall };
}

/** A row for each player and setting; below, what the table does not show by itself. */
export function overviewTable(overview: Overview): FigureTable<OverviewRow> {
  const { rows, decidedAtStart } = overview;
  const remarks = rows.flatMap((row) =>
    [rowShortfallText(row), failedRequestsText(row)].flatMap((words) =>
      words === '' ? [] : [`${row.players}: ${words}.`],
    ),
  );
  const isMarked = rows.some((row) => row.isMeanTooSmall || row.cells.some(({ isTooSmall }) => isTooSmall));
  const early = decidedAtStart.map(({ scenario, seeds }) => `${scenario}: ${decidedAtStartText(seeds)}.`);
  return withoutEmptyColumns({
    columns: overviewFigures(overview),
    rows,
    lossesOf: ({ isComplete, counts }) => (isComplete ? null : counts),
    isAtLeast,
    notes: [
      ...(isMarked ? [TOO_FEW_NOTE] : []),
      ...fewAmountsNotes(AMOUNTS, rows),
      ...(rows.some(isAtLeast) ? [AT_LEAST_NOTE] : []),
      ...remarks,
      ...early,
    ],
  });
}

const RUN_FIGURES: readonly FigureColumn<RunMetrics>[] = [
  { head: 'log', format: 'text', of: ({ log }) => log },
  { head: 'run', format: 'text', of: ({ run }) => run },
  { head: 'scenario', format: 'text', of: ({ scenario }) => scenario },
  { head: 'players', format: 'text', of: playersOf },
  { head: 'end', format: 'text', of: ({ status }) => status },
  { head: 'seed', of: ({ seed }) => seed },
  { head: 'turns', of: ({ turns }) => String(turns) },
  { head: 'steps of agents', of: ({ steps }) => whole(steps) },
];

export function runsTable(runs: readonly RunMetrics[]): FigureTable<RunMetrics> {
  return { columns: RUN_FIGURES, rows: runs };
}
