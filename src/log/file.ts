/**
 * A log as a file: opened for writing (created if it does not exist) or for reading, with SQLite's settings
 * and the checks that distinguish our logs from other files. Nothing here ever deletes or overwrites a log.
 * An untrusted file is checked before SQLite opens it, and must contain exactly our tables and views: no
 * trigger or virtual table.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { StorageError, UsageError } from '../base/errors.js';
import { damaged } from './damaged.js';
import { makeFolder } from './folder.js';
import { creatorOf, noRun } from './no-run.js';
import { APPLICATION_ID, createTables, expectedObjects, schemaObjects, tablesVersion } from './schema.js';
import { LOG_VERSION } from './log-version.js';

/** How long a transaction waits for another process; only opening a log can meet one. */
const BUSY_MS = 2000;
/**
 * The page size of a new file; it never changes afterwards. A commit writes whole pages, each with two system
 * calls: smaller pages mean fewer bytes but more calls, which cost more than the bytes on a virtual machine.
 */
export const PAGE_BYTES = 4096;
/** The number of WAL pages that are collected before they are copied into the file, some 80 steps. */
const CHECKPOINT_PAGES = 1000;

/** The WAL file shrinks to this after a checkpoint. */
export const WAL_BYTES_KEPT = 16_777_216;
const HEADER_BYTES = 100;
/**
 * Connections of this process, with the file on which each was opened; closed ones are dropped during the
 * next look-up.
 */
const connections = new Map<Database.Database, string>();
/** The end of a rollback journal that belongs to a transaction over several files. */
const JOURNAL_OF_OTHERS = Buffer.from('d9d505f920a163d7', 'hex');

/**
 * Opens a log for writing, and creates its tables in an empty file. Throws; `claim.ts` decides who may write.
 */
export function openForWriting(path: string): Database.Database {
  makeFolder(dirname(path));
  checkHeader(path);
  const db = new Database(path, { timeout: BUSY_MS });
  try {
    harden(db);
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma('synchronous = FULL');
    db.transaction(() => prepareTables(db, path)).immediate();
    rememberConnection(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * From now on, commits go to the WAL, and readers are never blocked. Called once this writer has the claim.
 */
export function useWal(db: Database.Database, path: string): void {
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') {
    throw new StorageError(`can't write the log ${path}: its file system has no shared memory for a WAL`, [
      'choose a folder on a local disk with --out',
    ]);
  }
  db.pragma(`journal_size_limit = ${WAL_BYTES_KEPT}`);
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  // The first read creates the WAL, which is guarded from now on.
  db.pragma('user_version');
}

/**
 * Moves everything into the one file, so that it can be copied, and read from a read-only disk. If a reader
 * still has the file open, it stays in WAL mode, which loses nothing.
 */
export function leaveWal(db: Database.Database): void {
  db.pragma('wal_checkpoint(TRUNCATE)');
  try {
    db.pragma('journal_mode = DELETE');
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
  }
}

export interface ReadableLog {
  db: Database.Database;
  close(): void;
}

/**
 * Opens a log for reading, also while it is written, after its writer was killed, or on a full or read-only
 * disk.
 */
export function openForReading(path: string): ReadableLog {
  // A log that is still being created does not count as a log yet, even if its tables exist.
  if (creatorOf(path) !== null && existsSync(path)) throw noRun(path);
  if (!checkHeader(path, 'pass the path of a log, as printed by run')) throw noLogError(path);
  try {
    const db = openReadOnly(path, path);
    return { db, close: () => db.close() };
  } catch (error) {
    if (!needsCopy(error)) throw error;
    return openCopy(path);
  }
}

/**
 * A WAL needs a shared-memory file next to it, which can't be created on a full or read-only disk. A writer
 * that was killed while it opened the log leaves a journal that must be rolled back first, which changes the
 * file. A copy allows both.
 */
function needsCopy(error: unknown): boolean {
  if (!(error instanceof Database.SqliteError)) return false;
  return /^SQLITE_(CANTOPEN|READONLY|IOERR_SHM|FULL)/.test(error.code);
}

function openCopy(path: string): ReadableLog {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-log-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(path));
    for (const suffix of ['', '-wal', '-journal']) {
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
    }
    rollBackJournal(copy, path);
    const db = openReadOnly(copy, path);
    return {
      db,
      close: () => {
        db.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Makes SQLite roll back a killed writer's unfinished transaction, from its journal, in our own copy. */
function rollBackJournal(copy: string, displayPath: string): void {
  if (!existsSync(`${copy}-journal`)) return;
  // A journal that names other files would cause SQLite to open and remove them; no log has one.
  if (readFileSync(`${copy}-journal`).subarray(-JOURNAL_OF_OTHERS.length).equals(JOURNAL_OF_OTHERS))
    throw damaged(displayPath, 'its journal refers to other files');
  const db = new Database(copy, { fileMustExist: true, timeout: BUSY_MS });
  try {
    harden(db);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  } finally {
    db.close();
  }
}

function openReadOnly(file: string, displayPath: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    harden(db);
    db.pragma('query_only = ON');
    if (isEmpty(db)) throw noRun(displayPath);
    checkTables(db, displayPath);
    rememberConnection(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export function harden(db: Database.Database): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('mmap_size = 0');
  db.pragma('foreign_keys = ON');
}

function prepareTables(db: Database.Database, path: string): void {
  if (isEmpty(db)) createTables(db);
  else checkTables(db, path);
}

/**
 * Whether the file has no tables, because the writer was stopped while it created them and SQLite rolled
 * back. A file with further pages but no tables is not empty: it has lost its tables.
 */
function isEmpty(db: Database.Database): boolean {
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  return tables === 0 && Number(db.pragma('page_count', { simple: true })) <= 1;
}

function checkTables(db: Database.Database, path: string): void {
  const actual = schemaObjects(db);
  const expected = expectedObjects(tablesVersion(db), actual);
  if (
    actual.length > 0 &&
    actual.length === expected.length &&
    actual.every((text, index) => text === expected[index])
  )
    return;
  throw notALog(
    path,
    'its tables are not those of a log',
    'it was altered, or made by a version that was never released',
  );
}

/** Whether the file exists and is not empty; throws if it is not a log that this program can read. */
function checkHeader(
  path: string,
  hint = 'pass the path of a log, or of a file that does not exist yet',
): boolean {
  if (isOpenHere(path)) return true;
  const header = readHeader(path);
  if (header === null || isUnfinishedStart(path, header)) return false;
  if (header.length === 0) return rejectLostContents(path);
  if (header.length < HEADER_BYTES || !isSqlite(header)) {
    throw notALog(path, 'it is not a SQLite database', hint);
  }
  if (header.readUInt32BE(68) !== APPLICATION_ID)
    throw notALog(path, "it is another program's database", hint);
  const version = header.readUInt32BE(60);
  if (version > LOG_VERSION) {
    throw notALog(
      path,
      `its version is ${version}, and this program supports versions up to ${LOG_VERSION}`,
      'update orchestrate',
    );
  }
  return true;
}

/**
 * For an empty file: throws if there is a WAL next to it. A WAL never exists before the tables do, so the
 * file has lost its contents, and SQLite would remove the WAL too.
 */
function rejectLostContents(path: string): false {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  throw damaged(path, `it is empty, and the data of its run is in ${path}-wal`);
}

/**
 * Whether a power cut interrupted the creation of the tables before the first page was written: SQLite then
 * rolls back the rest with the journal next to the file.
 */
function isUnfinishedStart(path: string, header: Buffer): boolean {
  return header.every((byte) => byte === 0) && existsSync(`${path}-journal`);
}

/**
 * Whether this process has the file open as a log, which was checked at that time. Its header must not be
 * read again: closing a file releases all locks that the process has on it, and another program could then
 * remove the WAL from under our writer.
 */
function isOpenHere(path: string): boolean {
  for (const db of connections.keys()) if (!db.open) connections.delete(db);
  const file = fileOf(path);
  return file !== null && [...connections.values()].includes(file);
}

/** Identifies a file independently of its path; null if there is none. */
function fileOf(path: string): string | null {
  const status = statusOf(path);
  return status === undefined ? null : `${status.dev}/${status.ino}`;
}

/** Undefined if nothing has this path. For a path through a file, only Node 20 throws. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function rememberConnection(db: Database.Database, path: string): void {
  connections.set(db, fileOf(path) ?? '');
}

/** Whether a path leads to a database, which may be a log; false if there is no file, or it can't be read. */
export function isDatabase(path: string): boolean {
  try {
    return isOpenHere(path) || isSqlite(readHeader(path));
  } catch {
    return false;
  }
}

function isSqlite(header: Buffer | null): boolean {
  return header?.toString('latin1', 0, 16) === 'SQLite format 3\0';
}

function readHeader(path: string): Buffer | null {
  const status = statusOf(path);
  if (status === undefined) return null;
  if (!status.isFile()) throw notALog(path, 'it is not a plain file', 'check the path');
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

function noLogError(path: string): UsageError {
  if (existsSync(path)) return noRun(path);
  return new UsageError(`there is no log ${path}`, [
    'check the path; a run that was stopped before its first step leaves no log',
  ]);
}

function notALog(path: string, why: string, hint: string): UsageError {
  return new UsageError(`${path} is not a log: ${why}`, [hint]);
}
