/**
 * A copy of a log that another process goes on writing, as one whole file. In: two paths; out: the second one is a log of what was committed. The
 * copy has no living writer, so whoever has it may continue its runs, on this machine or another.
 */
import Database from 'better-sqlite3';
import { storageFailure } from './failures.js';
import { leaveWal } from './file.js';

/** So the copy is made in one piece, and a writer that commits meanwhile does not begin it anew. */
const ALL_PAGES = 0x7fff_ffff;

/** Throws StorageError. */
export async function backupLog(from: string, to: string): Promise<void> {
  try {
    const log = new Database(from, { readonly: true, fileMustExist: true });
    try {
      await log.backup(to, { progress: () => ALL_PAGES });
    } finally {
      log.close();
    }
    makeWhole(to);
  } catch (error) {
    throw storageFailure(error, { path: to, verb: 'write', kept: null });
  }
}

function makeWhole(path: string): void {
  const copy = new Database(path);
  try {
    // The row stays, since it says that the run was left; no process has this identity.
    copy.prepare("UPDATE writer SET process = ''").run();
    leaveWal(copy);
  } finally {
    copy.close();
  }
}
