/**
 * Watches files by content: a round of work reports the files it read and their contents, and the next round
 * begins once one of them has changed and is stable. Other changes in their folders, and saves that change
 * nothing, are ignored.
 */
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** What was read, by path; null if it could not be. */
export type FilesRead = Map<string, Uint8Array | null>;

/** How often files are looked at; editors save in several writes, so what still changes after this time is waited for. */
const SETTLE_MS = 120;

/** Runs rounds until `signal` aborts. `work` records the files it reads and reports its own errors. */
export async function rounds(work: (read: FilesRead) => Promise<void>, signal: AbortSignal): Promise<void> {
  let known: FilesRead = new Map();
  while (!signal.aborted) {
    const read: FilesRead = new Map();
    await work(read);
    // A round that stopped at a mistake read less than the one before.
    known = new Map([...known, ...read]);
    await changeOf(known, signal);
  }
}

/** Comes back when a file holds something else than it did, or when `signal` aborts. */
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
