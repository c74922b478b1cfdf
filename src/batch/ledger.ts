/** The stored part of a batch. The logs are the only record of a batch, so nothing can contradict them. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../base/errors.js';
import { systemWords } from '../base/system-words.js';
import { NoRunError } from '../log/no-run.js';
import { LogReader } from '../log/reader.js';
import type { RunEnd } from '../trajectory/records.js';
import { isOver } from '../replay/restored-history.js';
import { spendingOf } from '../trajectory/spending.js';
import type { Spending } from '../trajectory/spending.js';

/** A run that was begun. */
export interface LedgerRun {
  /** The log's number. */
  log: number;
  /** How it ended; null if part of it is left to play. */
  end: RunEnd | null;
  spent: Spending;
}

const LOG_NAME = /^runs-(\d{3})\.sqlite$/;

/** The path of a log, by its number from 1. */
export function logPath(folder: string, log: number): string {
  return join(folder, `runs-${String(log).padStart(3, '0')}.sqlite`);
}

/**
 * Runs by id. Files without a run are reported, and their names are reused. Throws StorageError if a log
 * can't be read.
 */
export function readLedger(
  folder: string,
  onNoRun: (error: NoRunError) => void,
): ReadonlyMap<string, LedgerRun> {
  const ledger = new Map<string, LedgerRun>();
  for (const log of logsIn(folder)) {
    try {
      for (const [id, run] of runsIn(folder, log)) ledger.set(id, run);
    } catch (error) {
      if (!(error instanceof NoRunError)) throw error;
      onNoRun(error);
    }
  }
  return ledger;
}

/** Whether a log contains the run's beginning. */
export function holdsRun(runId: string, log: string): boolean {
  if (!existsSync(log)) return false;
  const reader = new LogReader(log);
  try {
    return reader.runs().some((run) => run.runId === runId);
  } finally {
    reader.close();
  }
}

function runsIn(folder: string, log: number): readonly (readonly [id: string, LedgerRun])[] {
  const reader = new LogReader(logPath(folder, log));
  try {
    // A fork of a run of the batch, which is not part of the batch.
    const batchRuns = reader.runs().filter(({ parent }) => parent === null);
    return batchRuns.map(({ runId }) => [runId, ledgerRun(reader, runId, log)] as const);
  } finally {
    reader.close();
  }
}

function ledgerRun(reader: LogReader, runId: string, log: number): LedgerRun {
  const end = reader.end(runId);
  const spent = spendingOf(reader.tokens(runId), reader.run(runId).scenario);
  return { log, end: end !== null && isOver(end.status) ? end : null, spent };
}

function logsIn(folder: string): readonly number[] {
  if (!existsSync(folder)) return [];
  const numbers = namesIn(folder).map((name) => Number(LOG_NAME.exec(name)?.[1] ?? 0));
  return numbers.filter((number) => number > 0).sort((a, b) => a - b);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new StorageError(`${folder} can't be read: ${systemWords(error)}`, [
      'choose another folder with --out',
    ]);
  }
}
