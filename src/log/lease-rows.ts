/**
 * Rows of the table `leases`: who controlled the entities of a served run. Each has a hash over all its
 * columns, and they are numbered from 1 without gaps. The seal of a session's end counts them, so that a
 * changed or missing row is detected.
 */
import type Database from 'better-sqlite3';
import type { LeaseRecord } from '../trajectory/records.js';
import { damaged } from './damaged.js';
import { RowValues } from './row-values.js';
import { tablesVersion } from './schema.js';
import type { RowOf } from './table.js';
import { LEASES } from './tables.js';

type LeaseRow = RowOf<typeof LEASES>;

interface LeasePlace {
  runId: string;
  /** The path of the log, for messages. */
  path: string;
}

/** In order. Throws StorageError if a row was changed or is missing. */
export function leaseRecords(db: Database.Database, run: number, context: LeasePlace): LeaseRecord[] {
  if (tablesVersion(db) < 3) return [];
  const all = db.prepare<[number], LeaseRow>('SELECT * FROM leases WHERE run = ? ORDER BY position');
  return all.all(run).map((row, i) => leaseRecord(row, i + 1, context));
}

/** The leases that decided calls of a run, and the first such turn. */
const SELECT_DECIDING_LEASES = `
  SELECT agent AS entity, controller, min(turn) AS turn FROM calls
  WHERE run = ? AND controller LIKE 'lease:%' GROUP BY agent, controller`;

interface DecidingLease {
  entity: string;
  /** `lease:NAME#EPOCH`. */
  controller: string;
  turn: number;
}

/**
 * The same, but throws StorageError if the rows can't be the leases of the run: each lease must end before
 * the next one of its entity begins, epochs must increase by one, and each lease that decided something must
 * have been granted before.
 */
export function checkedLeases(db: Database.Database, run: number, context: LeasePlace): LeaseRecord[] {
  const records = leaseRecords(db, run, context);
  const granted = grantsOf(records, context);
  for (const { entity, controller, turn } of db
    .prepare<[number], DecidingLease>(SELECT_DECIDING_LEASES)
    .all(run)) {
    const grant = granted.get(`${entity} ${controller}`);
    if (grant === undefined || grant.tick > turn)
      throw damaged(
        context.path,
        `the grant of ${controller} for ${entity}, which decided turn ${turn}, is missing`,
      );
  }
  return records;
}

/** By entity and `lease:NAME#EPOCH`. */
function grantsOf(records: readonly LeaseRecord[], { path }: LeasePlace): ReadonlyMap<string, LeaseRecord> {
  const last = new Map<string, LeaseRecord>();
  const grants = new Map<string, LeaseRecord>();
  for (const record of records) {
    const { entity, epoch, event, controller } = record;
    const previous = last.get(entity);
    const isHeld = previous?.event === 'granted';
    const isNext = epoch === (previous?.epoch ?? 0) + (event === 'granted' ? 1 : 0);
    if (!isNext || isHeld === (event === 'granted'))
      throw damaged(path, `the leases of ${entity} have a gap before epoch ${epoch}`);
    last.set(entity, record);
    if (event === 'granted') grants.set(`${entity} lease:${controller}#${epoch}`, record);
  }
  return grants;
}

function leaseRecord(row: LeaseRow, position: number, { runId, path }: LeasePlace): LeaseRecord {
  const label = `lease event ${position}`;
  if (row.position !== position) throw damaged(path, `${label} is missing`);
  if (LEASES.hash(row) !== row.sha256) throw damaged(path, `${label} was altered (hash mismatch)`);
  LEASES.check(row, label, path);
  return { runId, ...LEASES.decode(row, label, new RowValues(path, 'checked')) };
}
