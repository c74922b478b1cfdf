/**
 * Failures of SQLite and the file system as StorageError: what happened, to which file, what is still
 * complete and what to do. Only storage failures are converted; anything else is an internal error and passes
 * unchanged.
 */
import Database from 'better-sqlite3';
import { AssertionError } from '../base/assert.js';
import { StorageError } from '../base/errors.js';
import { DAMAGE_HINTS } from './damaged.js';
import { closeSync, openSync } from 'node:fs';

// Whether this process can open no more files. SQLite only reports that a file can't be opened, never why, so
// this function tries to open an existing file as many times as a log needs.

/** The number of files: the log, its WAL with the shared memory, its journal and its folder. */
const FILES_OF_A_LOG = 5;

function isOutOfFileHandles(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < FILES_OF_A_LOG) opened.push(openSync(process.execPath, 'r'));
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
  } finally {
    for (const file of opened) closeSync(file);
  }
}

export interface FailureContext {
  path: string;
  /** Such as `write` or `read`: "can't write the log …". */
  verb: 'open' | 'write' | 'read';
  /** What is still safe, as one sentence; null if there is nothing to add. */
  intact: string | null;
}

interface FailureCause {
  message: string;
  hints: readonly string[];
}

const SPACE: FailureCause = {
  message: 'the disk is full',
  hints: ['free space on that disk, or choose another folder with --out'],
};
const READ_ONLY: FailureCause = {
  message: 'the file or its folder is read-only',
  hints: ['check the permissions of the file and its folder, or choose another folder with --out'],
};
const DAMAGED: FailureCause = { message: 'the file is damaged', hints: DAMAGE_HINTS };
const FOREIGN: FailureCause = {
  message: 'the file is not a SQLite database',
  hints: ['pass the path of a log, or of a file that does not exist yet'],
};
const DISK: FailureCause = {
  message: 'the disk reported an error',
  hints: ['check the disk (full, unplugged, failing?) and the system log'],
};
const UNOPENABLE: FailureCause = {
  message: "it does not exist, is not a plain file, or can't be opened",
  hints: ['check the path, and the permissions of the file and its folder'],
};
const BUSY: FailureCause = {
  message: 'another process is using it',
  hints: ['wait until the other process has finished, or choose another file with --out'],
};

const FILES: FailureCause = {
  message: 'too many files are open',
  hints: ['raise the limit on open files (`ulimit -n 4096`), then try again'],
};

/** By result code, the longest prefix first. */
const CAUSES: readonly (readonly [code: string, cause: FailureCause])[] = [
  ['SQLITE_FULL', SPACE],
  ['SQLITE_IOERR_SHMSIZE', SPACE],
  ['SQLITE_IOERR_SHMMAP', SPACE],
  ['SQLITE_IOERR', DISK],
  ['SQLITE_READONLY', READ_ONLY],
  ['SQLITE_PERM', READ_ONLY],
  ['SQLITE_CORRUPT', DAMAGED],
  ['SQLITE_NOTADB', FOREIGN],
  ['SQLITE_CANTOPEN', UNOPENABLE],
  ['SQLITE_BUSY', BUSY],
  ['SQLITE_LOCKED', BUSY],
  ['SQLITE_PROTOCOL', BUSY],
  ['SQLITE_TOOBIG', { message: 'text or a picture is larger than SQLite can hold', hints: [] }],
  ['EMFILE', FILES],
  ['ENFILE', FILES],
  ['ENOSPC', SPACE],
  ['EDQUOT', SPACE],
  ['EROFS', READ_ONLY],
  ['EACCES', READ_ONLY],
  ['EPERM', READ_ONLY],
  ['EIO', DISK],
  ['ENOENT', UNOPENABLE],
  ['ENOTDIR', UNOPENABLE],
  ['EISDIR', UNOPENABLE],
  ['EEXIST', UNOPENABLE],
  ['ELOOP', UNOPENABLE],
  ['ENAMETOOLONG', UNOPENABLE],
];

/**
 * The error to throw for `error`; a StorageError is returned unchanged, and so is an error that does not
 * concern storage.
 */
export function storageFailure(error: unknown, context: FailureContext): unknown {
  if (!(error instanceof Error) || error instanceof StorageError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const cause = causeOf(code);
  if (cause !== undefined) return describe(error, code, cause, context);
  if (!(error instanceof Database.SqliteError)) return error;
  // While reading, damaged pages can violate any constraint of the schema; while writing, the record was
  // wrong.
  if (context.verb !== 'write') return describe(error, code, DAMAGED, context);
  return new AssertionError(`the log refused a record: ${error.message}`, { cause: error });
}

/** A file that can't be opened may also be reported as missing, by SQLite and when its own code is loaded. */
const UNOPENED = /^(SQLITE_CANTOPEN|SQLITE_IOERR|MODULE_NOT_FOUND|ERR_DLOPEN_FAILED)/;

function causeOf(code: string): FailureCause | undefined {
  if (UNOPENED.test(code) && isOutOfFileHandles()) return FILES;
  return CAUSES.find(([prefix]) => code.startsWith(prefix))?.[1];
}

function describe(error: Error, code: string, cause: FailureCause, context: FailureContext): StorageError {
  // If the file itself was changed by another program, nothing is reported as complete.
  const isLost = cause === DAMAGED || cause === FOREIGN;
  const intact = context.intact === null || isLost ? [] : [context.intact];
  return new StorageError(
    `can't ${context.verb} the log ${context.path}: ${cause.message} (${error.message.startsWith(code) ? '' : `${code}: `}${error.message})`,
    [...intact, ...(context.verb === 'read' ? cause.hints.map(withoutOutOption) : cause.hints)],
    { cause: error },
  );
}

/** A reader has no --out. */
function withoutOutOption(hint: string): string {
  return hint.replace(/, or choose another (folder|file) with --out$/, '');
}

/** Runs `read` on a log; its SQLite errors are thrown as StorageErrors. */
export function readFromLog<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw storageFailure(error, { path, verb: 'read', intact: null });
  }
}
