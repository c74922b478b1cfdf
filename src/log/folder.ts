/**
 * Folders made one level at a time. Node's own recursive way never comes back where a folder refuses new ones and says that it does not
 * exist, as /proc does.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a folder and those above it, and gives those that are new; throws the file system's own error where that can't be done. */
export function makeFolder(path: string): readonly string[] {
  if (isFolder(path)) return [];
  const parent = dirname(path);
  const above = parent === path ? [] : makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
  return [...above, path];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
