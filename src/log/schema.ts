/**
 * The storage of records in SQLite. Every table is keyed by run, because a file may have many. A commit costs
 * as much as the pages it touches, so rows go to the end of few tables: contents are blobs under sequential
 * numbers, a step contains its acts and events (views show them as rows), and only frames have an index by
 * hash. Rows are only ever added, except in `writer`, which names the current writer. Any SQLite since 3.31
 * can read and check the tables of version 5: none is STRICT (3.37), and no view uses `->` (3.38). Versions 1
 * to 4 were both, and a log of theirs keeps its tables: it is compared with them text by text, so none ever
 * changes, and a version only adds. docs/reference/log.md explains each table.
 */
import Database from 'better-sqlite3';
import { LOG_VERSION } from './log-version.js';
import type { BaseVersion } from './table.js';
import { NEWEST_ADDITION, OBJECTS } from './tables.js';

/** "orch" in the file's header: distinguishes a log from other SQLite files. */
export const APPLICATION_ID = 0x6f726368;

/** Creates tables and views in an empty database, within the caller's transaction. */
export function createTables(
  db: Database.Database,
  version: number = LOG_VERSION,
  base: BaseVersion = version < 5 ? 1 : 5,
): void {
  db.pragma(`application_id = ${APPLICATION_ID}`);
  add(db, base, version, base);
}

/**
 * Adds what a log of an older version lacks, within the caller's transaction. Its tables stay as they are, so
 * that it becomes a log of the newest version that only added something.
 */
export function upgradeTables(db: Database.Database): void {
  const version = tablesVersion(db);
  if (version < NEWEST_ADDITION) add(db, version + 1, NEWEST_ADDITION, baseOf(version, schemaObjects(db)));
}

/** What the versions `from` … `to` add. */
function add(db: Database.Database, from: number, to: number, base: BaseVersion): void {
  for (let version = from; version <= to; version++)
    for (const object of OBJECTS) for (const sql of object.ddl(version, base)) db.exec(sql);
  db.pragma(`user_version = ${to}`);
}
/** The version of a log's tables, as recorded in its file. */
export function tablesVersion(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Every schema object as one text each, sorted: two databases with the same list have the same schema. */
export function schemaObjects(db: Database.Database): readonly string[] {
  const rows = db
    .prepare(`SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name`)
    .raw()
    .all();
  return rows.map((row) => JSON.stringify(row));
}

/** The version whose tables a log began with. */
function baseOf(version: number, objects: readonly string[]): BaseVersion {
  return version < 5 || objects.some((sql) => /\bSTRICT\b/.test(sql)) ? 1 : 5;
}

const expected = new Map<string, readonly string[]>();

/** What `schemaObjects` returns for a log of a given version; `actual`: what it returned. */
export function expectedObjects(version: number, actual: readonly string[] = []): readonly string[] {
  const base = baseOf(version, actual);
  const key = `${version} ${base}`;
  const known = expected.get(key);
  if (known !== undefined) return known;
  const db = new Database(':memory:');
  createTables(db, version, base);
  const objects = schemaObjects(db);
  db.close();
  expected.set(key, objects);
  return objects;
}
