/**
 * Rows of the table `served`: the options with which a session was served, as JSON. The seal `begin` of the
 * session covers them (`seals.ts`).
 */
import type Database from 'better-sqlite3';
import type { ServingRecord } from '../trajectory/record-values.js';
import { RowValues } from './row-values.js';
import { tablesVersion } from './schema.js';
import { SERVED } from './tables.js';

const NEWEST = 'SELECT options FROM served WHERE run = ? ORDER BY sitting DESC LIMIT 1';

/**
 * Null if no session of the run was served. Throws StorageError if the row was not written by this program.
 */
export function servingRecord(db: Database.Database, run: number, path: string): ServingRecord | null {
  if (tablesVersion(db) < 3) return null;
  const row = db.prepare<[number], { options: string }>(NEWEST).get(run);
  if (row === undefined) return null;
  return SERVED.json(row, 'options', 'the served run', new RowValues(path, 'checked'));
}
