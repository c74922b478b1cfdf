/**
 * Watches files by content: a round of work records which files it read and their contents, and the next
 * round begins once one of them has changed and is stable. Other changes in their folders, and saves that
 * change nothing, are ignored.
 */
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** The contents that were read, by path; null if a file could not be read. */
export type FilesRead = Map<string, Uint8Array | null>;

/**
 * How often files are checked. Editors save in several writes, so a file that is still changing is checked
 * again after this time.
 */
const SETTLE_MS = 120;

/** Runs rounds until `signal` aborts. `work` records the files it reads and reports its own errors. */
export async function rounds(work: (read: FilesRead) => Promise<void>, signal: AbortSignal): Promise<void> {
  let known: FilesRead = new Map();
  while (!signal.aborted) {
    const read: FilesRead = new Map();
    await work(read);
    // A round that stopped at a mistake read fewer files than the one before.
    known = new Map([...known, ...read]);
    await changeOf(known, signal);
  }
}

/** Resolves when the content of a file has changed, or when `signal` aborts. */
async function changeOf(files: FilesRead, signal: AbortSignal): Promise<void> {
  let compared = '';
  let before = stampOf(files);
  while (!signal.aborted) {
    await wait(SETTLE_MS, undefined, { signal }).catch(() => undefined);
    const now = stampOf(files);
    const rests = now === before;
    before = now;
    if (!rests || now === compared) continue;
    if (holdsNews(files)) return;
    compared = now;
  }
}

function stampOf(files: FilesRead): string {
  return [...files.keys()].map(stamp).join('\n');
}

function stamp(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}

function holdsNews(files: FilesRead): boolean {
  return [...files].some(([path, old]) => {
    const now = contentOf(path);
    return now === null || old === null ? now !== old : !Buffer.from(now).equals(old);
  });
}

function contentOf(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
