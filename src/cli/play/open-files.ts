/**
 * Whether this process may open as many files as it will need. If the limit is too low, opening fails at any
 * moment, and packages report it as something else ("does not exist"). So as many files are opened at once
 * before the work begins, and closed again. The error says how to raise the limit.
 */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { counted } from '../../base/counted.js';
import { StorageError } from '../../base/errors.js';
import { isOutOfFiles, systemWords } from '../../base/system-words.js';

/**
 * The files that any command may have open at once, in addition to Node's own: its modules, its libraries, a
 * log with its journal, its output, a server or a program.
 */
const FILES_NEEDED = 32;
/** The files that a run of a batch may have open: a log of three files, and connections to its server. */
const FILES_A_RUN = 5;
/** Pipes to and from a program, and for its errors. */
const FILES_A_PROGRAM = 3;

/** For any command, when it starts. Throws StorageError. */
export function requireFilesToStart(): void {
  requireOpenFiles(FILES_NEEDED, 'orchestrate needs');
}

/**
 * For a batch with this many simultaneous runs, each with at most this many programs. Throws StorageError.
 */
export function requireFilesToPlay(runs: number, programs: number): void {
  requireOpenFiles(
    runs * (FILES_A_RUN + programs * FILES_A_PROGRAM),
    `playing ${counted(runs, 'run')} at once needs`,
  );
}

function requireOpenFiles(count: number, purpose: string): void {
  const open: number[] = [];
  try {
    for (let i = 0; i < count; i += 1) open.push(openSync(devNull, 'r'));
  } catch (error) {
    if (!isOutOfFiles(error)) throw error;
    throw new StorageError(
      `${purpose} up to ${count} open files, which this system does not allow now: ${systemWords(error)}`,
    );
  } finally {
    for (const file of open) closeSync(file);
  }
}
