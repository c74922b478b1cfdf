/**
 * Rows of the table `figures`: the figures of a run, stored with the end of its newest session and under its
 * seal, so that `report` reads no steps. In: an open log; out: figures, or null if there are none that this
 * program can use. `verify` counts them again from the steps.
 */
import { isRecord } from '../base/json.js';
import type Database from 'better-sqlite3';
import { FIGURES_VERSION } from '../trajectory/run-figures.js';
import type { RunFigures } from '../trajectory/run-figures.js';
import { isAmount, isListOf, isText } from './row-shapes.js';
import { RowValues } from './row-values.js';
import { tablesVersion } from './schema.js';

/** The figures of the newest session's end; no row if that session has no end. */
const SELECT_FIGURES = `SELECT figures FROM figures JOIN ends USING (run, sitting) WHERE run = ? AND version = ?
  AND sitting = (SELECT max(sitting) FROM sittings WHERE sittings.run = ends.run)`;

/** Throws StorageError if the row was not written by this program. */
export function keptFigures(db: Database.Database, run: number, path: string): RunFigures | null {
  if (tablesVersion(db) < 3) return null;
  const text = db.prepare<[number, number], string>(SELECT_FIGURES).pluck().get(run, FIGURES_VERSION);
  if (text === undefined) return null;
  const values = new RowValues(path, 'checked');
  const label = "the run's figures";
  return values.requireShape(values.json<RunFigures>(text, label), label, isFigures);
}

const COUNTS = [
  'turns',
  'steps',
  'replies',
  'wasted',
  'firstTries',
  'standIns',
  'uncontrolled',
  'repeated',
  'said',
  'unheard',
  'ticks',
  'ticksLate',
  'overrunMs',
  'settleMs',
  'cachedTokens',
  'cacheToldTokens',
] as const satisfies readonly (keyof RunFigures)[];

const AGENT_COUNTS = [
  'steps',
  'firstTries',
  'unread',
  'unanswered',
  'refused',
  'standIns',
  'said',
  'succeeded',
  'promptTokens',
  'replyTokens',
  'probes',
  'probesRight',
] as const satisfies readonly (keyof RunFigures['agents'][number])[];

const HASH = /^[0-9a-f]{64}$/;

function isFigures(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { trajectory, unread, unanswered, refused, waits, untimely, answered, agents } = value;
  return (
    COUNTS.every((name) => isAmount(value[name])) &&
    (trajectory === null || (typeof trajectory === 'string' && HASH.test(trajectory))) &&
    [unread, unanswered, refused, waits, untimely].every(isCounts) &&
    isListOf(answered, isText) &&
    isListOf(agents, isAgent)
  );
}

function isCounts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isAmount);
}

function isAgent(value: unknown): boolean {
  return (
    isRecord(value) &&
    isText(value['agent']) &&
    Number.isFinite(value['reward']) &&
    AGENT_COUNTS.every((name) => isAmount(value[name]))
  );
}
