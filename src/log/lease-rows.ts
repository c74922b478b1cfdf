/**
 * Rows of table `leases`: who controlled the entities of a served run. Each has a hash over all its columns, and they are numbered from 1
 * without a gap, so that a changed or missing one is found.
 */
import type Database from 'better-sqlite3';
import { isId } from '../base/ids.js';
import type { LeaseRecord } from '../trajectory/records.js';
import { damaged } from './failures.js';
import { rowHash } from './row-hashes.js';
import { tablesVersion } from './schema.js';

interface LeaseRow {
  readonly run: number;
  readonly position: number;
  readonly entity: string;
  readonly epoch: number;
  readonly event: string;
  readonly controller: string;
  readonly principal: string;
  readonly tick: number;
  readonly at: number;
  readonly sha256: string;
}

export function leaseRow(record: LeaseRecord, run: number, position: number) {
  const { entity, epoch, event, controller, principal, tick, at } = record;
  const row = { run, position, entity, epoch, event, controller, principal, tick, at };
  return { ...row, sha256: leaseHash(row) };
}

interface LeasePlace {
  readonly runId: string;
  /** Of the log, for messages. */
  readonly path: string;
}

/** In order. Throws StorageError where a row is not what was written, or one is missing. */
export function leaseRecords(db: Database.Database, run: number, place: LeasePlace): LeaseRecord[] {
  if (tablesVersion(db) < 3) return [];
  const all = db.prepare<[number], LeaseRow>('SELECT * FROM leases WHERE run = ? ORDER BY position');
  return all.all(run).map((row, i) => leaseRecord(row, i + 1, place));
}

function leaseRecord(row: LeaseRow, position: number, { runId, path }: LeasePlace): LeaseRecord {
  const what = `lease event ${position}`;
  if (row.position !== position) throw damaged(path, `${what} is missing`);
  if (leaseHash(row) !== row.sha256) throw damaged(path, `${what} was altered (hash mismatch)`);
  const { entity, epoch, event, controller, principal, tick, at } = row;
  if (!isId(entity)) throw damaged(path, `the entity of ${what} is not an id`);
  return { runId, entity, epoch, event: event as LeaseRecord['event'], controller, principal, tick, at };
}

function leaseHash(row: Omit<LeaseRow, 'sha256'>): string {
  const { run, position, entity, epoch, event, controller, principal, tick, at } = row;
  return rowHash('leases', [run, position, entity, epoch, event, controller, principal, tick, at]);
}
