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
export async function repeatOnChange(
  work: (read: FilesRead) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let known: FilesRead = new Map();
  while (!signal.aborted) {
    const read: FilesRead = new Map();
    await work(read);
    // A round that stopped at a mistake read fewer files than the one before.
    known = new Map([...known, ...read]);
    let unchangedStamp = '';
    let lastStamp = allStamps(known);
    let hasChanged = false;
    while (!hasChanged && !signal.aborted) {
      await wait(SETTLE_MS, undefined, { signal }).catch(() => undefined);
      const currentStamp = allStamps(known);
      const isStable = currentStamp === lastStamp;
      lastStamp = currentStamp;
      if (!isStable || currentStamp === unchangedStamp) continue;
      unchangedStamp = currentStamp;
      hasChanged = [...known].some(([path, old]) => {
        const current = readIfPossible(path);
        return current === null || old === null ? current !== old : !Buffer.from(current).equals(old);
      });
    }
  }
}

function allStamps(files: FilesRead): string {
  const stamps = Array.from(files.keys(), (path) => {
    try {
      const { mtimeMs, size, ino } = statSync(path);
      return `${mtimeMs} ${size} ${ino}`;
    } catch {
      return 'none';
    }
  });
  return stamps.join('\n');
}

function readIfPossible(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
