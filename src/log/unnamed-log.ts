/**
 * Creates a log: first as a file with a temporary name, which is renamed once its tables and its first run
 * are on disk. So every file with a log's name contains a run, and a process that is stopped earlier leaves
 * nothing that looks like a log. Only temporary files of dead processes are ever removed.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { StorageError } from '../base/errors.js';
import { isProcessAlive, logInUse } from './claim.js';
import { harden, PAGE_BYTES } from './file.js';
import { makeFolder } from './folder.js';
import { creatorOf } from './no-run.js';
import { createTables } from './schema.js';

/** A log that has no name yet. */
export interface NewLog {
  db: Database.Database;
  path: string;
  temporaryPath: string;
}

/** Temporary files of this process. */
const ownFiles = new Set<string>();

/** Whether the name is unused, even by a dangling link: only then is a new log created. */
export function isFree(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

/**
 * Creates the file and its tables. Throws StorageError if a WAL or journal of a lost log is next to it, and
 * the errors of SQLite and the file system.
 */
export function makeLog(path: string): NewLog {
  const folder = dirname(path);
  for (const created of makeFolder(folder)) syncFolder(dirname(created));
  rejectLeftovers(path);
  const temporaryPath = join(folder, `orchestrate-new-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  ownFiles.add(temporaryPath);
  let db: Database.Database | null = null;
  try {
    db = new Database(temporaryPath);
    harden(db);
    db.pragma(`page_size = ${PAGE_BYTES}`);
    // An unfinished log is deleted, so no journal needs to undo anything.
    db.pragma('journal_mode = MEMORY');
    db.pragma('synchronous = FULL');
    db.transaction(createTables).immediate(db);
    return { db, path, temporaryPath };
  } catch (error) {
    db?.close();
    remove(temporaryPath);
    throw error;
  }
}

/**
 * Closes the file and gives it the log's name. Throws StorageError if another process has created that log
 * meanwhile; then this file is removed.
 */
export function nameLog({ db, path, temporaryPath }: NewLog): void {
  try {
    db.close();
    giveName(temporaryPath, path);
  } finally {
    remove(temporaryPath);
  }
  syncFolder(dirname(path));
}

/** Removes a log that did not get its name. */
export function dropLog({ db, temporaryPath }: NewLog): void {
  db.close();
  remove(temporaryPath);
}

/**
 * A link is created only if nothing has the name. If a file system has no links, the name is checked before
 * renaming.
 */
function giveName(temporaryPath: string, path: string): void {
  try {
    linkSync(temporaryPath, path);
  } catch {
    if (!isFree(path)) throw logInUse(path, null);
    renameSync(temporaryPath, path);
  }
}

/**
 * SQLite would apply these files to the new log. They may contain a run's data, so they are never removed
 * automatically.
 */
function rejectLeftovers(path: string): void {
  for (const leftover of [`${path}-wal`, `${path}-journal`]) {
    if ((statSync(leftover, { throwIfNoEntry: false })?.size ?? 0) === 0) continue;
    throw new StorageError(`${leftover} exists without its log, and may contain the data of a run`, [
      `put ${basename(path)} back, or move ${basename(leftover)} elsewhere`,
    ]);
  }
}

/**
 * Removes the temporary files of processes that were stopped while they created a log: such a file never had
 * a log's name, or the log exists next to it.
 */
export function removeAbandoned(folder: string): void {
  for (const name of listNames(folder)) {
    const creator = creatorOf(name);
    const path = join(folder, name);
    if (creator === null || ownFiles.has(path)) continue;
    if (creator === process.pid || !isProcessAlive(creator)) rmSync(path, { force: true });
  }
}

/** None if the folder can't be listed: cleaning up never fails. */
function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function remove(temporaryPath: string): void {
  ownFiles.delete(temporaryPath);
  rmSync(temporaryPath, { force: true });
}

/** A name is durable once its folder is synced. Windows does this by itself, and can't open a folder. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } catch (error) {
    // A file system that does not support this.
    if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error;
  } finally {
    closeSync(file);
  }
}
