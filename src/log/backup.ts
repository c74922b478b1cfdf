/**
 * A copy of a log that another process is still writing, as one complete file with everything that was
 * committed. The copy has no living writer, so its owner may continue the runs, on this machine or another.
 */
import Database from 'better-sqlite3';
import { storageFailure } from './failures.js';
import { leaveWal } from './file.js';

/** The copy is made in one piece, so a writer that commits meanwhile does not restart it. */
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
    makeStandalone(to);
  } catch (error) {
    throw storageFailure(error, { path: to, verb: 'write', intact: null });
  }
}

function makeStandalone(path: string): void {
  const copy = new Database(path);
  try {
    // The row stays, because it records that the run was not ended; no process has the empty identity.
    copy.prepare("UPDATE writer SET process = ''").run();
    leaveWal(copy);
  } finally {
    copy.close();
  }
}
