/**
 * Rows of the table `served`: the options with which a session was served, as JSON. The seal `begin` of the
 * session covers them (`seals.ts`). In: an open log; out: the options of a run's newest served session.
 */
import { isRecord } from '../base/json.js';
import type Database from 'better-sqlite3';
import { isId } from '../base/ids.js';
import type { ServingRecord } from '../trajectory/records.js';
import { isListOf, isInteger } from './row-shapes.js';
import { RowValues } from './row-values.js';
import { tablesVersion } from './schema.js';

const NEWEST = 'SELECT options FROM served WHERE run = ? ORDER BY sitting DESC LIMIT 1';

/**
 * Null if no session of the run was served. Throws StorageError if the row was not written by this program.
 */
export function servingRecord(db: Database.Database, run: number, path: string): ServingRecord | null {
  if (tablesVersion(db) < 3) return null;
  const options = db.prepare<[number], string>(NEWEST).pluck().get(run);
  if (options === undefined) return null;
  const values = new RowValues(path, 'checked');
  const label = 'how the run was served';
  return values.requireShape(values.json<ServingRecord>(options, label), label, isServing);
}

function isServing(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { pace, periodMs, windowMs, ttlMs, waitFor, staleness, own } = value;
  return (
    (pace === 'clock' || pace === 'lockstep') &&
    [periodMs, windowMs, ttlMs, waitFor, staleness].every(isInteger) &&
    isListOf(own, (id) => typeof id === 'string' && isId(id))
  );
}
