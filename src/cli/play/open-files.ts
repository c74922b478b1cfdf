/**
 * Whether this process may have as many files open as it will need. A system that allows too few refuses at any moment, and packages tell it as
 * something else ("does not exist"); so they are tried before the work begins, all at once, and closed again. In: how many; out: nothing, or
 * a StorageError that says how to allow more.
 */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { counted } from '../../base/counted.js';
import { StorageError } from '../../base/errors.js';
import { isOutOfFiles, systemWords } from '../../base/system-words.js';

/** What any command may have open at once beside what Node has: its modules, its libraries, a log with its journal, what it writes, a server or a program. */
const FILES_NEEDED = 32;
/** Where Node has to load every module at once. */
const FILES_AT_ONCE = 320;
/** What a run of a batch may have open: a log of three files, and connections to its server. */
const FILES_A_RUN = 5;
/** To and from a program, and its errors. */
const FILES_A_PROGRAM = 3;

/** Of any command, when it starts. Throws StorageError. */
export function requireFilesToStart({ canRequireModules }: { readonly canRequireModules: boolean }): void {
  requireOpenFiles(canRequireModules ? FILES_NEEDED : FILES_AT_ONCE, 'orchestrate needs');
}

/** Of a batch that plays so many runs at once, each with so many programs at the most. Throws StorageError. */
export function requireFilesToPlay(runs: number, programs: number): void {
  requireOpenFiles(
    runs * (FILES_A_RUN + programs * FILES_A_PROGRAM),
    `playing ${counted(runs, 'run')} at once needs`,
  );
}

function requireOpenFiles(count: number, whoNeeds: string): void {
  const open: number[] = [];
  try {
    for (let i = 0; i < count; i += 1) open.push(openSync(devNull, 'r'));
  } catch (error) {
    if (!isOutOfFiles(error)) throw error;
    throw new StorageError(`${whoNeeds} up to ${count} open files, but ${systemWords(error)}`);
  } finally {
    for (const file of open) closeSync(file);
  }
}
