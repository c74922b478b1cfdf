/**
 * Ensures that a log has one writer: the only row of the table `writer` identifies the writing process. It is
 * claimed in a transaction, so two processes can't both have it. If its process no longer exists (killed, or
 * the machine restarted), another process may take over. Every transaction checks that the row is still ours,
 * so a process that was wrongly considered dead is stopped before it writes.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type Database from 'better-sqlite3';
import { StorageError } from '../base/errors.js';

interface WriterRow {
  token: string;
  pid: number;
  process: string;
}

/**
 * The tokens that this process holds: a row with our pid and another token was left by a writer that failed.
 */
const claims = new Set<string>();

/**
 * Claims the log for this process and returns its token; StorageError if a living process holds the log.
 * `onClaim` is called in the same transaction and is told whether a dead writer left the log, because only
 * that writer's row, which is then replaced, shows it.
 */
export function claimWriter(
  db: Database.Database,
  path: string,
  onClaim: (wasLeft: boolean) => void,
): string {
  const token = randomUUID();
  const transaction = db.transaction(() => {
    const row = db.prepare<[], WriterRow>('SELECT token, pid, process FROM writer').get();
    if (row !== undefined && isAlive(row)) throw logInUse(path, row.pid);
    onClaim(row !== undefined);
    db.prepare(
      `INSERT INTO writer (slot, token, pid, process) VALUES (1, ?, ?, ?)
       ON CONFLICT (slot) DO UPDATE SET token = excluded.token, pid = excluded.pid, process = excluded.process`,
    ).run(token, process.pid, processIdentity(process.pid) ?? '');
  });
  transaction.immediate();
  claims.add(token);
  return token;
}

/** Releases the log; the row is removed with the caller's transaction or at once. */
export function releaseWriter(db: Database.Database, token: string): void {
  db.prepare('DELETE FROM writer WHERE token = ?').run(token);
}

/** Forgets a claim within this process, whether or not its row could be removed. */
export function forgetClaim(token: string): void {
  claims.delete(token);
}

/** The error for a log that another process has taken meanwhile. */
export function logInUse(path: string, pid: number | null): StorageError {
  const writer = pid === null ? 'another process' : `process ${pid}`;
  return new StorageError(`the log ${path} is being written by ${writer}`, [
    'wait until that run has ended, or choose another file with --out',
  ]);
}

function isAlive(row: WriterRow): boolean {
  if (row.pid === process.pid && !claims.has(row.token)) return false;
  return processIdentity(row.pid) === row.process;
}

export function isProcessAlive(pid: number): boolean {
  return processIdentity(pid) !== null;
}

/**
 * Identifies a living process uniquely, null if it does not exist: the machine's boot and the process's start
 * time distinguish it from a later one with the same number. Without /proc, only the number is used.
 */
function processIdentity(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    const isForbidden = error instanceof Error && 'code' in error && error.code === 'EPERM';
    if (!isForbidden) return null;
  }
  const status = processStatus(pid);
  // A zombie has already been killed and only waits for its parent.
  if (status?.[0] === 'Z') return null;
  return `${bootId()}/${pid}/${status?.[19] ?? ''}`;
}

function bootId(): string {
  return readProc('/proc/sys/kernel/random/boot_id')?.trim() ?? hostname();
}

/** The fields of the process's status from the third on: the name before them may contain anything. */
function processStatus(pid: number): readonly string[] | undefined {
  const status = readProc(`/proc/${pid}/stat`);
  return status?.slice(status.lastIndexOf(')') + 2).split(' ');
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
