/**
 * Folders for a test file's logs and pictures. `remove-folders.ts` removes them when the file is done: whoever asks for one, and wherever (in a
 * test, in a module that several files share), removes nothing itself.
 */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In memory where there is room: each step of each log is flushed to the disk, for which tests would wait a third of their time. */
const PARENT = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir();

/** Of 2 GB; a container often has 64 MB. */
function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize > 2e9;
}

/** Those that were made since the last removal. */
const folders = new Set<string>();

/** A new folder below `parent`. */
export function temporaryFolder(parent = PARENT): string {
  const folder = mkdtempSync(join(parent, 'orchestrate-test-'));
  folders.add(folder);
  return folder;
}

/** For a module that outlives a test file, as all but the test files do: gives the folder of the file that runs now. */
export function folderPerFile(make: () => string = temporaryFolder): () => string {
  let current: string | null = null;
  return () => {
    if (current === null || !folders.has(current)) current = make();
    return current;
  };
}

export function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.clear();
}
