/** The progress of a batch: by cell, how many runs are finished, their results and costs. */
import { compareText } from '../base/ids.js';
import { isOver } from '../replay/restored-history.js';
import type { RunEnd } from '../trajectory/records.js';
import type { LedgerRun } from './ledger.js';
import type { BatchNews } from './play-batch.js';
import type { BatchCell, PlannedRun } from './plan.js';
import { cellName } from './plan.js';
import { NO_SPENDING, addSpending, unansweredAgents } from '../trajectory/spending.js';
import type { Spending } from '../trajectory/spending.js';

/** The progress of a cell's runs. */
export interface CellStanding {
  cell: BatchCell;
  planned: number;
  /** Being played now. */
  running: number;
  succeeded: number;
  failed: number;
  /** Finished, in a scenario without a success condition. */
  ended: number;
  /** Could not be played. */
  broken: number;
  /** Steps and turns of finished runs. */
  steps: number;
  turns: number;
  spent: Spending;
  /** Seeds of which the world is won or lost before anybody acts. */
  decidedAtStart: readonly string[];
}

export type CellCounts = Omit<CellStanding, 'cell' | 'decidedAtStart'>;

type MutableStanding = { -readonly [K in keyof CellStanding]: CellStanding[K] };

export class BatchProgress {
  /** By the cell's name, in the order of the plan. */
  readonly #cells = new Map<string, MutableStanding>();
  /** The number of runs that finished during this session, to estimate the remaining time. */
  #finishedNow = 0;

  constructor(runs: readonly PlannedRun[], ledger: ReadonlyMap<string, LedgerRun>) {
    for (const run of runs) {
      const cell = this.#cellOf(run);
      cell.planned += 1;
      const stored = ledger.get(run.id);
      if (stored === undefined) continue;
      cell.spent = addSpending(cell.spent, stored.spent);
      if (stored.end !== null) countEnd(cell, run, stored.end);
    }
  }

  update(news: BatchNews): void {
    if (news.kind === 'set-aside') {
      for (const run of news.runs) this.#cellOf(run).broken += 1;
      return;
    }
    const cell = this.#cellOf(news.run);
    if (news.kind === 'begun') cell.running += 1;
    else if (news.kind === 'spent') cell.spent = addSpending(cell.spent, news.spent);
    else this.#finishRun(cell, news);
  }

  get cells(): readonly CellStanding[] {
    return [...this.#cells.values()];
  }

  get all(): CellCounts {
    const cells = this.cells;
    const sum = (of: (cell: CellStanding) => number): number =>
      cells.reduce((all, cell) => all + of(cell), 0);
    return {
      planned: sum(({ planned }) => planned),
      running: sum(({ running }) => running),
      succeeded: sum(({ succeeded }) => succeeded),
      failed: sum(({ failed }) => failed),
      ended: sum(({ ended }) => ended),
      broken: sum(({ broken }) => broken),
      steps: sum(({ steps }) => steps),
      turns: sum(({ turns }) => turns),
      spent: cells.reduce((all, { spent }) => addSpending(all, spent), NO_SPENDING),
    };
  }

  /** The remaining time at the rate so far; null if unknown. */
  remainingMs(passedMs: number): number | null {
    const all = this.all;
    const remaining = all.planned - finishedCount(all) - all.broken;
    return this.#finishedNow === 0 ? null : (passedMs / this.#finishedNow) * remaining;
  }

  #finishRun(cell: MutableStanding, news: Extract<BatchNews, { kind: 'ended' | 'failed' }>): void {
    cell.running -= 1;
    if (news.kind === 'failed') {
      if (!news.willRetry) cell.broken += 1;
      return;
    }
    if (!isOver(news.end.status)) return;
    this.#finishedNow += 1;
    countEnd(cell, news.run, news.end);
  }

  #cellOf({ cell }: PlannedRun): MutableStanding {
    const name = cellName(cell);
    const entry = this.#cells.get(name) ?? emptyCell(cell);
    this.#cells.set(name, entry);
    return entry;
  }
}

/** Agents of a cell whose model's server answered none of its requests, although runs were played and not all were won. */
export function unansweredIn({ spent, failed, ended }: CellStanding): readonly string[] {
  return failed + ended === 0 ? [] : unansweredAgents(spent).toSorted(compareText);
}

/** Runs that are over. */
export function finishedCount({ succeeded, failed, ended }: CellCounts): number {
  return succeeded + failed + ended;
}

function emptyCell(cell: BatchCell): MutableStanding {
  const zeroCounts = {
    planned: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    ended: 0,
    broken: 0,
    steps: 0,
    turns: 0,
  };
  return { cell, ...zeroCounts, spent: NO_SPENDING, decidedAtStart: [] };
}

function countEnd(cell: MutableStanding, { seed }: PlannedRun, { status, steps, turns }: RunEnd): void {
  if (steps === 0 && status !== 'ended') cell.decidedAtStart = [...cell.decidedAtStart, seed];
  if (status === 'succeeded') cell.succeeded += 1;
  else if (status === 'failed') cell.failed += 1;
  else cell.ended += 1;
  cell.steps += steps;
  cell.turns += turns;
}
