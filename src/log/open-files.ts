/**
 * Whether this process may open no more files. SQLite says of a file only that it can't be opened, never why: so as many are opened at once as a
 * log needs, of one that is always there. In: nothing; out: yes or no.
 */
import { closeSync, openSync } from 'node:fs';

/** The log, its WAL with the shared memory, its journal and its folder. */
const FILES_OF_A_LOG = 5;

export function lacksOpenFiles(): boolean {
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
